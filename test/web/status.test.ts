/** The page of what is loaded and what was held back, against what the interface answers; and what crawlers read. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { type MisoRow, misoJson, standing } from "../queue-ingest/support/miso.ts";
import { startWorld, type World } from "../support/world.ts";
import { desktop, expectSound, hasBrowser, launch, open, read, views } from "./support.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

test("every page of the site map answers a browser", async () => {
	const robots = await (await fetch(`${world.url}/robots.txt`)).text();
	const [, siteMap = ""] = /^Sitemap: (.+)$/m.exec(robots) ?? [];
	const { origin, pathname } = new URL(siteMap);
	expect(origin).toBe(world.url);
	const pages = [...(await (await fetch(`${world.url}${pathname}`)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)];
	expect(pages.length).toBeGreaterThan(3);
	for (const [, address = ""] of pages) {
		const page = await fetch(`${world.url}${new URL(address).pathname}`, { headers: { accept: "text/html" } });
		expect([address, page.status, page.headers.get("content-type")]).toEqual([
			address,
			200,
			"text/html; charset=utf-8",
		]);
	}
});

test("the catalogue of the interface names its descriptions, which are there (RFC 9727)", async () => {
	const answer = await fetch(`${world.url}/.well-known/api-catalog`);
	expect(answer.headers.get("content-type")).toContain("application/linkset+json");
	const { linkset } = (await answer.json()) as { linkset: Record<string, { href: string }[] | string>[] };
	const hrefs = linkset.flatMap((links) =>
		Object.values(links)
			.filter((value) => typeof value !== "string")
			.flat(),
	);
	expect(hrefs.length).toBeGreaterThan(2);
	for (const { href } of hrefs) expect((await fetch(new URL(href, world.url))).status, href).toBe(200);
});

test("the server card says where the tools for models are, and they are there (SEP-2127)", async () => {
	const answer = await fetch(`${world.url}/.well-known/mcp/server-card.json`);
	expect(answer.headers.get("content-type")).toContain("application/json");
	const card = (await answer.json()) as {
		name: string;
		description: string;
		version: string;
		remotes: { url: string }[];
	};
	expect(card.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
	expect(card.description.length).toBeLessThanOrEqual(100);
	expect(card.remotes).toHaveLength(1);
	const [{ url } = { url: "" }] = card.remotes;
	const clientInfo = { name: "test", version: "1" };
	const initialized = await fetch(url, {
		method: "POST",
		headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
		body: JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "initialize",
			params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
		}),
	});
	expect(initialized.status).toBe(200);
	expect(await initialized.text()).toContain(`"version":"${card.version}"`);
});

describe.skipIf(!hasBrowser)("the page of what is loaded", () => {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launch();
	});
	afterAll(() => browser?.close());

	test("its lists are those of /coverage", async () => {
		await using opened = await open(browser, `${world.url}/status`, desktop);
		const { page } = opened;
		const { queues } = (await (await fetch(`${world.url}/coverage`)).json()) as Reply<"getCoverage">;
		await page.locator("[data-list]").first().waitFor();
		const shown = await page
			.locator("[data-list]")
			.evaluateAll((rows) => rows.map((row) => [row.dataset.list, row.lastElementChild?.textContent]));
		expect(shown).toEqual(
			queues.flatMap(({ lists }) =>
				lists.map(({ source, requests }) => [source, requests.toLocaleString("en-US")] as const),
			),
		);
		await page.getByText("Every list that came was taken in.").waitFor();
		const freshness = await read<Reply<"getFreshness">>(`${world.url}/health/freshness`);
		await page.locator("[data-pipeline]").first().waitFor();
		const verdicts = await page
			.locator("[data-pipeline]")
			.evaluateAll((rows) => rows.map((row) => `${row.dataset.pipeline} ${row.children[1]?.textContent}`));
		expect(verdicts.toSorted()).toEqual(
			freshness.pipelines.map(({ pipeline, status }) => `${pipeline} ${status}`).toSorted(),
		);
		expect(opened.complaints).toEqual([]);
	});

	test("what was held back, and what a list has that is not known, are apart, as /queue/integrity has them", async () => {
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

	test.each(views)("axe finds nothing, and nothing is scrolled sideways ($width px, $colorScheme)", async (view) => {
		await using opened = await open(browser, `${world.url}/status`, view);
		await opened.page.locator("[data-list]").first().waitFor();
		await expectSound(opened, view);
	});
});
