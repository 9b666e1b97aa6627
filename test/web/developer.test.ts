/** The page of a developer, against what the interface answers of it. */
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { stageLabel } from "../../web/lib/requests/labels.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, openUnanswered, read, test } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of a developer", () => {
	let world: World;
	let browser: Browser;
	let id: number;
	test.beforeAll(async ({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
		const { data } = await read<Reply<"listDevelopers">>(`${world.url}/developers?per_page=1`);
		id = data[0]?.developer_id ?? 0;
	});

	test("portfolio and record equal the API's, and link to its requests", async () => {
		await using opened = await open(browser, `${world.url}/developers/${id}`, desktop);
		const { page } = opened;
		const { data: developer } = await read<Reply<"getDeveloper">>(`${world.url}/developers/${id}`);
		const { projects } = await read<Reply<"listDeveloperProjects">>(
			`${world.url}/developers/${id}/projects?per_page=50`,
		);
		await page.getByRole("heading", { name: developer.canonical_name }).waitFor();
		await page.locator("[data-id]").first().waitFor();
		const facts = await page.locator(".facts div").allTextContents();
		expect(facts).toContain(`Requests${developer.total_projects}`);
		expect(await page.locator("[data-id]").evaluateAll((rows) => rows.map((row) => row.dataset.id))).toEqual(
			projects.map((project) => project.id),
		);
		await page.locator("[data-id] a").first().click();
		await page.locator(".states > li").first().waitFor();
		expect(new URL(page.url()).pathname).toBe(`/projects/${projects[0]?.id}`);
		expect(opened.complaints).toEqual([]);
	});

	test("the list of developers: filters are in the address, Back undoes them, heads sort, an invalid filter has its reason", async () => {
		await using opened = await open(browser, `${world.url}/developers`, desktop);
		const { page } = opened;
		const names = () => page.locator("[data-row] th a").allTextContents();
		const expected = async (query: string) =>
			(await read<Reply<"listDevelopers">>(`${world.url}/developers?${query}`)).data.map((one) => one.canonical_name);
		const shows = async (query: string) => {
			const rows = await expected(query);
			await eventually(async () => JSON.stringify(await names()) === JSON.stringify(rows));
			expect(new URL(page.url()).search.slice(1)).toBe(query);
		};
		await shows("sort=active_capacity_mw");
		await page.getByLabel("State", { exact: true }).selectOption("TX");
		await shows("sort=active_capacity_mw&state=TX");
		await page.getByRole("button", { name: "Developer" }).click();
		await shows("sort=canonical_name&state=TX&order=asc");
		await page.goBack();
		await shows("sort=active_capacity_mw&state=TX");
		await page.getByText("More filters").click();
		await page.getByLabel("Identifier").fill("no number");
		await page.getByLabel("Identifier").press("Enter");
		await page.getByRole("alert").filter({ hasText: "must be cik" }).waitFor();
		expect(await page.locator("[data-row]").count()).toBe(0);
		// The browser itself reports the refused read.
		expect(opened.complaints.filter((text) => !text.includes("422"))).toEqual([]);
		await page.goBack();
		const saved = page.waitForEvent("download");
		await page.getByRole("button", { name: "Save as CSV" }).click();
		expect((await saved).suggestedFilename()).toBe("developers.csv");
	});

	const power = (mw: number) =>
		mw >= 10_000
			? `${(mw / 1_000).toLocaleString("en-US", { maximumFractionDigits: 1 })} GW`
			: `${mw.toLocaleString("en-US", { maximumFractionDigits: 1 })} MW`;
	const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`;
	const cellsOf = (page: Page, row: string) =>
		page
			.locator(`${row} td`)
			.evaluateAll((cells) => cells.map((cell) => cell.textContent))
			.catch(() => []);

	test("sums by stage, operator and year equal those of its requests, and its portfolio over time equals the API's", async () => {
		const { data, meta } = await read<Reply<"listProjects">>(`${world.url}/projects?developer_id=${id}&per_page=500`);
		expect([data.length > 1, data.length]).toEqual([true, meta.total]);
		await using opened = await open(browser, `${world.url}/developers/${id}`, desktop);
		const { page } = opened;
		await page.locator("[data-group]").first().waitFor();
		const expected = [
			["By grid operator", (row: (typeof data)[number]) => row.region],
			["By year of the queue", (row: (typeof data)[number]) => row.queue_date?.slice(0, 4) ?? "Not stated"],
		] as const;
		for (const [title, nameOf] of expected)
			for (const [name, rows] of Map.groupBy(data, nameOf)) {
				const mw = rows.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0);
				expect([name, await cellsOf(page, `[data-group="${title}: ${name}"]`)]).toEqual([
					name,
					[String(rows.length), power(mw)],
				]);
			}
		const { by_stage } = await read<Reply<"listDeveloperProjects">>(`${world.url}/developers/${id}/projects`);
		for (const [stage, requests] of Object.entries(by_stage)) {
			expect((await cellsOf(page, `[data-group="By stage: ${stageLabel(stage)}"]`))[0]).toBe(String(requests));
		}
		const { data: sizes } = await read<Reply<"getDeveloperHistory">>(
			`${world.url}/developers/${id}/history?order=desc`,
		);
		expect(sizes.length).toBeGreaterThan(1);
		await page.locator("[data-size]").first().waitFor({ state: "attached" });
		expect(await page.locator("[data-size]").evaluateAll((rows) => rows.map((row) => row.dataset.size))).toEqual(
			sizes.map(({ day, active_capacity_mw }) => `${day} ${active_capacity_mw}`),
		);
	});

	test("its record and distress are beside the medians of its tier, without unknown measures", async () => {
		const { data: all } = await read<Reply<"listDevelopers">>(`${world.url}/developers?min_projects=1&per_page=200`);
		const tiers = [...Map.groupBy(all, ({ tier }) => tier).values()].sort((a, b) => b.length - a.length);
		const id = tiers[0]?.[0]?.developer_id ?? 0;
		const { data: own } = await read<Reply<"getDeveloper">>(`${world.url}/developers/${id}`);
		const capital = await read<Reply<"getDeveloperCapital">>(`${world.url}/developers/${id}/capital`);
		const tier = `tier=${own.tier}&per_page=200`;
		const { data: developers } = await read<Reply<"listDevelopers">>(`${world.url}/developers?${tier}&min_projects=1`);
		const { data: ratings } = await read<Reply<"getCapitalLeaderboard">>(`${world.url}/capital/leaderboard?${tier}`);
		const others = developers.filter(({ developer_id }) => developer_id !== id);
		const peers = ratings.filter((peer) => others.some(({ developer_id }) => developer_id === peer.developer_id));
		expect(others.length).toBeGreaterThan(1);
		await using opened = await open(browser, `${world.url}/developers/${id}`, desktop);
		const { page } = opened;
		await page.locator("[data-measure]").first().waitFor();
		await page.locator("[data-figure=distress-level]").waitFor();
		const measure = (name: string) => cellsOf(page, `[data-measure="${name}"]`);
		const row = (
			value: number | null | undefined,
			all: (number | null | undefined)[],
			text: (value: number) => string,
		) => {
			const known = all.filter((one) => one !== null && one !== undefined).sort((a, b) => a - b);
			const half = known.length / 2;
			const middle = ((known[Math.ceil(half) - 1] ?? 0) + (known[Math.floor(half)] ?? 0)) / 2;
			const isLeftOut = value === null || value === undefined;
			return isLeftOut ? [] : [text(value), `${known.length === 0 ? "–" : text(middle)}of ${known.length}`];
		};
		const rates = others.map(({ completion_rate }) => completion_rate);
		expect(await measure("Completed")).toEqual(row(own.completion_rate, rates, percent));
		const active = others.map(({ active_capacity_mw }) => active_capacity_mw);
		expect(await measure("Still in a queue")).toEqual(row(own.active_capacity_mw, active, power));
		const { components, score } = capital.distress_signal;
		const withdrawn = peers.map(({ withdrawal_rate }) => withdrawal_rate);
		expect(await measure("Withdrawn")).toEqual(row(components?.high_withdrawal_rate, withdrawn, percent));
		const scores = peers.flatMap(({ distress_signal }) =>
			distress_signal.components === null ? [] : [distress_signal.score],
		);
		expect(await measure("All parts")).toEqual(row(components === null ? null : score, scores, String));
		const { costs } = capital.coverage;
		expect((await measure("Interconnection cost burden")).length > 0).toBe(components !== null && costs.looked_at);
	});

	test("raises equal the API's and mark restated ones", async () => {
		const { data } = await read<Reply<"getCapitalLeaderboard">>(`${world.url}/capital/leaderboard?min_raised=1`);
		const raised = data[0]?.developer_id;
		const { raises } = await read<Reply<"getDeveloperCapital">>(`${world.url}/developers/${raised}/capital`);
		expect(raises.length).toBeGreaterThan(0);
		await using opened = await open(browser, `${world.url}/developers/${raised}`, desktop);
		const { page } = opened;
		await page.locator("[data-raise]").first().waitFor();
		expect(await cellsOf(page, "[data-raise]")).toEqual(
			raises.flatMap(({ issuer_name, total_amount_sold, total_offering_amount, is_amendment, is_latest }) => [
				`${issuer_name}${is_amendment === 1 ? " (amendment)" : ""}${is_latest ? "" : " (restated since)"}`,
				total_amount_sold === null ? "–" : `$${total_amount_sold.toLocaleString("en-US")}`,
				total_offering_amount === null ? "indefinite" : `$${total_offering_amount.toLocaleString("en-US")}`,
			]),
		);
	});

	test("headlines equal the API's", async () => {
		const { data: news } = await read<Reply<"listEvents">>(`${world.url}/events?days=365`);
		const name = news[0]?.developer_canonical ?? "";
		const { data: named } = await read<Reply<"getDeveloper">>(`${world.url}/developers/${encodeURIComponent(name)}`);
		const { data: own } = await read<Reply<"listDeveloperEvents">>(
			`${world.url}/developers/${named.developer_id}/events?days=365&per_page=20`,
		);
		await using opened = await open(browser, `${world.url}/developers/${named.developer_id}`, desktop);
		const { page } = opened;
		await page.locator("[data-news]").first().waitFor();
		expect(await page.locator("[data-news]").evaluateAll((lines) => lines.map((line) => line.dataset.news))).toEqual(
			own.map(({ url }) => url),
		);
		expect(opened.complaints).toEqual([]);
	});

	test("it shows that the service fails, and recovers by itself", async () => {
		await using opened = await openUnanswered(browser, `${world.url}/developers/${id}`);
		const { page } = opened;
		await opened.answer();
		await page.locator("[data-group]").first().waitFor();
		await eventually(async () => (await page.locator(".failure").count()) === 0);
	});

	test("a name that is markup, reorders its line or is very long is shown as text", async () => {
		const canonical_name = `<script>document.title="run"</script>\u202e${"x".repeat(10_000)}`;
		const found = await read<Reply<"getDeveloper">>(`${world.url}/developers/${id}`);
		const shell = { name: canonical_name, method: "alias", confidence: 1, project_count: 1 };
		const relationships = { ...found.data.relationships, shells: [shell] };
		const data = { ...found.data, canonical_name, relationships, aliases: [canonical_name] };
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		await page.route(`**/web/data/developers/${id}`, (route) => route.fulfill({ json: { ...found, data } }));
		await page.goto(`${world.url}/developers/${id}`);
		await page.locator("[data-shell]").waitFor();
		const shown = (await page.locator("h1").textContent()) ?? "";
		expect(shown.startsWith("<script>document")).toBe(true);
		expect([shown.includes("\u202e"), shown.length]).toEqual([false, 201]);
		expect(await page.locator("main script").count()).toBe(0);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(desktop.width);
	});
});
