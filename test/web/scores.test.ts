/** The page of the scores, against what the interface answers of them. */
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, openUnanswered, read, test } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of scores", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	const three = (share: number | null) => (share === null ? "–" : share.toFixed(3));
	const en = (value: number) => value.toLocaleString("en-US");

	test("charts and tables show the backtest, and the day until which scores are in sample", async () => {
		await using opened = await open(browser, `${world.url}/scores`, desktop);
		const { page } = opened;
		const backtest = await read<Reply<"getScoreBacktest">>(`${world.url}/scores/backtest`);
		await page.locator("[data-operator]").first().waitFor();
		const cells = (row: string) =>
			page.locator(row).evaluateAll((rows) => rows.map((each) => [...each.children].map((cell) => cell.textContent)));
		const { overall, operators } = backtest;
		expect(await cells("[data-operator]")).toEqual(
			[...operators, { region: "All", ...overall }].map((one) => [
				...[one.region, en(one.requests), three(one.predicted), three(one.observed)],
				...[three(one.calibration_error), three(one.area), one.monotone ? "yes" : "no"],
			]),
		);
		const groups = [overall, ...operators].flatMap(({ groups }) => groups);
		expect(await page.locator("[data-group]").evaluateAll((rows) => rows.map((row) => row.dataset.group))).toEqual(
			groups.map(({ n, predicted, observed }) => `${n} ${predicted} ${observed}`),
		);
		expect(await page.locator("circle.bubble").count()).toBe(groups.length);
		expect(await page.locator("[data-chance]").evaluateAll((rows) => rows.map((row) => row.dataset.chance))).toEqual(
			backtest.by_chance.map(({ from, requests, came }) => `${from} ${requests} ${came}`),
		);
		expect(await page.locator("#limits + ul > li").count()).toBe(backtest.cannot_know.length);
		expect(await page.locator("[data-fitted]").evaluateAll((rows) => rows.map((row) => row.dataset.fitted))).toEqual(
			backtest.fitted.map(({ region, from, to }) => `${region} ${from} ${to}`),
		);
		const last = (await page.locator("[data-figure=fitted-to]").textContent()) ?? "";
		const after = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?status=Active&per_page=1`);
		const { data: changes } = await read<Reply<"getScoreHistory">>(`${world.url}/score/${data[0]?.id}/history`);
		for (const { day, in_sample } of changes) expect([day, in_sample]).toEqual([day, day < after]);
		expect(opened.complaints).toEqual([]);
	});

	test("a score is computed step by step to the API's score and hash", async () => {
		await using opened = await open(browser, `${world.url}/scores`, desktop);
		const { page } = opened;
		const best = "status=Active&sort=investability_score&order=desc&per_page=1";
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?${best}`);
		const score = await read<Reply<"getScore">>(`${world.url}/score/${data[0]?.id}`);
		await page.locator(`[data-recomputed="${score.project_id}"]`).waitFor();
		const total = (await page.locator(".waterfall li").last().textContent()) ?? "";
		expect(total.startsWith(`Score: ${score.investability_score} `)).toBe(true);
		await eventually(
			async () => (await page.locator("[data-figure=hash]").textContent()) === "is what this browser computes",
		);
		const { p_cod_36 } = score;
		if (p_cod_36) expect(await page.locator("[data-figure=chance]").textContent()).toBe(p_cod_36.value.toFixed(3));
	});

	test("the keyboard chooses another request, and an unknown one gives an error", async () => {
		await using opened = await open(browser, `${world.url}/scores`, desktop);
		const { page } = opened;
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?status=Withdrawn&per_page=1`);
		const id = data[0]?.id ?? "";
		await page.locator("[data-recomputed]").waitFor();
		await page.getByLabel("Id of a request").focus();
		await page.keyboard.type(id);
		await page.keyboard.press("Enter");
		await page.locator(`[data-recomputed="${id}"]`).waitFor();
		expect(new URL(page.url()).search).toBe(`?id=${encodeURIComponent(id)}`);
		await page.goto(`${world.url}/scores?id=NYISO-99999`);
		await page.locator(".failure").waitFor();
		expect(await page.locator(".failure").textContent()).not.toContain("Trying again");
	});

	test("it shows that the service fails, and recovers by itself", async () => {
		await using opened = await openUnanswered(browser, `${world.url}/scores`);
		const { page } = opened;
		await opened.answer();
		await page.locator("[data-operator]").first().waitFor();
		await eventually(async () => (await page.locator(".failure").count()) === 0);
	});
});
