/** Pages while data is loaded, in one world: what was held back, what is new, and texts of lists. */
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { Reply } from "../../libs/contract/index.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { openLists } from "../streams/support/lists.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, read, test } from "./support.ts";

describe.skipIf(!hasBrowser)("while data is loaded", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, ownWorld }) => {
		world = ownWorld;
		browser = chromium;
	});

	test("held-back lists and unknown values are separate, as in /queue/integrity", async () => {
		const take = async (rows: MisoRow[], accept: boolean) => {
			const asOf = new Date().toISOString();
			const [file] = [misoJson(rows)];
			const files = [{ ...file, path: file.name }];
			return ingestSnapshot(world.sql, { region: "MISO", files, asOf, accept, now: () => new Date(asOf) });
		};
		const rows = standing(120);
		expect((await take([...rows, { number: "J900", status: "Paused" }], true)).outcome).toBe("applied");
		expect((await take(rows.slice(0, 3), false)).outcome).toBe("quarantined");
		const { alerts } = await read<Reply<"getQueueIntegrity">>(`${world.url}/queue/integrity`);
		const levels = alerts.map(({ level }) => level).sort();
		expect(levels).toEqual(["quarantined", "warning"]);
		await using opened = await open(browser, `${world.url}/status`, desktop);
		for (const { level, reason } of alerts) {
			const shown = opened.page.locator(`[data-alert=${level}]`);
			await shown.waitFor();
			expect(await shown.textContent()).toContain(reason);
		}
		const { data } = await read<Reply<"getSourceContracts">>(`${world.url}/source-contracts?region=MISO`);
		expect(data.flatMap(({ outcome, drift }) => drift.map((one) => [outcome, one.class]))).toEqual([
			["quarantined", "rows_jumped"],
		]);
		const drifted = opened.page.locator("[data-drift=miso] li");
		await drifted.first().waitFor();
		expect((await drifted.allTextContents()).map((text) => /rows jumped.*121.*3/i.test(text))).toEqual([true]);
		expect(opened.complaints).toEqual([]);
	});

	test("texts of lists remain text, even of 10,000 characters, and newly loaded requests appear on the page to explore", async () => {
		await using opened = await open(browser, "about:blank", desktop);
		const { page } = opened;
		await page.clock.install();
		await page.goto(`${world.url}/explore?sort=capacity_mw`);
		const largest = `${world.url}/projects?per_page=1&sort=capacity_mw&order=desc`;
		const [{ id = "" } = {}] = (await read<Reply<"listProjects">>(largest)).data;
		const request = page.locator(`[data-id="${id}"] a`);
		await request.waitFor();
		const name = `<img src=x onerror=alert(1)>\u202e${"x".repeat(10_000)}`;
		await world.sql.begin(async (tx) => {
			await tx`update projects set name = ${name}, poi = ${name}, status_std = 'Suspended', version = version + 1 where id = ${id}`;
			await raiseDataVersion(tx);
		});
		await eventually(async () => {
			await page.clock.fastForward(31_000);
			return (await request.textContent())?.startsWith("<img src=x onerror=alert(1)>xxx");
		});
		const { data } = await read<Reply<"groupProjects">>(`${world.url}/projects/groups?by=status`);
		const suspended = data.find(({ value }) => value === "Suspended")?.requests;
		await eventually(async () =>
			expect(await page.locator("[data-group=Suspended] td").first().textContent()).toBe(String(suspended)),
		);
		expect(await page.locator(".rows img").count()).toBe(0);
	});

	test("changes of a new list appear on the page of changes by the stream", async () => {
		const lists = await openLists(world, new Date().toISOString());
		await world.settled();
		await using opened = await open(browser, `${world.url}/changes?region=MISO`, desktop);
		const { page } = opened;
		await page.locator("[data-live=true]").waitFor();
		await lists.next(["J901"]);
		const seq = await lists.newest();
		// Sooner than the page asks by itself.
		await page.locator(`[data-seq="${seq}"]`).waitFor({ timeout: 20_000 });
		expect(opened.complaints).toEqual([]);
	});
});
