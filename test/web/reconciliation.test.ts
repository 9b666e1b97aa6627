/** The page of the reconciliation against what the interface answers. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import type { World } from "../support/world.ts";
import { startReconciled } from "./reconciled.ts";
import { desktop, hasBrowser, open, read, test } from "./support.ts";

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

	test("sums and reasons equal the API's, and texts of lists remain text", async () => {
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
		expect(opened.complaints).toEqual([]);
	});
});
