/** The page of the reconciliation against what the interface answers. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { reconcile } from "../../services/queue-ingest/quality/reconciliation/reconcile.ts";
import { loadLbnl } from "../../services/queue-ingest/queues/jobs/load-lbnl.ts";
import { csv } from "../support/file-formats.ts";
import { startWorld, type World } from "../support/world.ts";
import { desktop, expectSound, hasBrowser, open, otherViews, phone, read, show, test } from "./support.ts";

let world: World;
beforeAll(async () => {
	world = await startReconciled();
});
afterAll(() => world?.[Symbol.asyncDispose]());

test("programs get JSON, and an unknown filter is a 422 that names it", async () => {
	const answer = await fetch(`${world.url}/reconciliation?region=CAISO&source=lbnl`);
	expect(answer.status).toBe(200);
	expect(((await answer.json()) as Reply<"getReconciliation">).data.map(({ region }) => region)).toEqual(["CAISO"]);
	for (const field of ["region", "source"]) {
		const refused = await fetch(`${world.url}/reconciliation?${field}=nothing`);
		expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(field)]);
	}
});

describe.skipIf(!hasBrowser)("the page", () => {
	let browser: Browser;
	test.beforeAll(({ browser: chromium }) => {
		browser = chromium;
	});

	test("sums and reasons equal the API's, texts of lists remain text, and axe finds nothing in any view", async () => {
		await using opened = await open(browser, `${world.url}/reconciliation`, desktop);
		const { page } = opened;
		const { data } = await read<Reply<"getReconciliation">>(`${world.url}/reconciliation`);
		await page.locator("[data-compared]").first().waitFor();
		for (const details of await page.locator("summary").all()) await details.click();
		const shown = await page
			.locator("[data-reason]")
			.evaluateAll((rows) =>
				rows.map((row) => [row.dataset.reason, row.children[2]?.textContent, row.children[4]?.textContent]),
			);
		expect(shown).toEqual(
			data.flatMap(({ source, region, statuses }) =>
				statuses.flatMap(({ status, reasons }) =>
					reasons.map(({ rule, ours, theirs }) => [
						`${source}-${region} ${status} ${rule}`,
						ours.records.toLocaleString("en-US"),
						theirs.records.toLocaleString("en-US"),
					]),
				),
			),
		);
		const body = await page.locator("main").textContent();
		expect(body).toContain("<img src=x onerror=alert(1)>9");
		for (const view of [desktop, phone, ...otherViews]) {
			await show(page, view);
			await expectSound(opened, view);
		}
	});
});

/** A world whose requests are compared with a list that has other statuses, and a request that is markup. */
async function startReconciled(): Promise<World> {
	const world = await startWorld();
	const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?region=CAISO&per_page=2`);
	const rows = data.map(({ queue_id, state }) => [
		queue_id,
		"withdrawn",
		"CAISO",
		"CAISO",
		state,
		"Solar",
		5,
		"2023-12-31",
	]);
	const bytes = csv([
		["q_id", "q_status", "entity", "region", "state", "type_clean", "mw1", "q_date"],
		...rows,
		["<img src=x onerror=alert(1)>\u202e9", "withdrawn", "CAISO", "CAISO", "CA", "Solar", 4_000, "2003-01-02"],
	]);
	const name = "queued_up_thru2023.csv";
	expect(await loadLbnl(world.sql, { name, path: name, bytes }, new Date())).toMatchObject({ outcome: "applied" });
	expect(await reconcile(world.sql, new Date())).toBe(true);
	return world;
}
