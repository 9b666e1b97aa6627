/** The page of a request, against what the interface answers of it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { desktop, expectSound, hasBrowser, launch, open, read, views } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of a request", () => {
	let world: World;
	let browser: Browser;
	let id: string;
	beforeAll(async () => {
		world = await startWorld();
		browser = await launch();
		const { data } = await read<Reply<"listProjects">>(
			`${world.url}/projects?status=Active&sort=investability_score&order=desc`,
		);
		id = data[0]?.id ?? "";
		await eventually(() => read(`${world.url}/score/${id}`));
	});
	afterAll(async () => {
		await browser?.close();
		await world?.[Symbol.asyncDispose]();
	});

	test("facts, score and states are those of the interface", async () => {
		await using opened = await open(browser, `${world.url}/projects/${id}`, desktop);
		const { page } = opened;
		const project = await read<Reply<"getProject">>(`${world.url}/projects/${id}`);
		const score = await read<Reply<"getScore">>(`${world.url}/score/${id}`);
		const { data: states } = await read<Reply<"getProjectHistory">>(`${world.url}/projects/${id}/history?order=desc`);
		await page.getByRole("heading", { name: project.name ?? id }).waitFor();
		await eventually(async () => (await page.locator(".facts").textContent())?.includes(project.queue_id));
		expect(await page.locator(".facts").textContent()).toContain(`${project.capacity_mw?.toLocaleString("en-US")} MW`);
		expect(await page.locator("[data-figure=investability_score]").textContent()).toBe(
			String(score.investability_score),
		);
		await page.locator(".states > li").first().waitFor();
		expect(await page.locator(".states > li > time").allTextContents()).toEqual(
			states.map(({ valid_from }) => valid_from.slice(0, 10)),
		);
		expect(await page.title()).toContain(id);
		expect(opened.complaints).toEqual([]);
	});

	test("what is at no address says so once, and does not try again", async () => {
		await using opened = await open(browser, `${world.url}/projects/NYISO-99999`, desktop);
		await opened.page.locator(".failure").waitFor();
		expect(await opened.page.locator(".failure").textContent()).not.toContain("Trying again");
	});

	test("a name that is markup, reorders its line or does not end is shown as text", async () => {
		const name = `<script>document.title="run"</script>\u202e${"x".repeat(10_000)}`;
		await using opened = await open(browser, "about:blank", desktop);
		const { page } = opened;
		const project = await read<Reply<"getProject">>(`${world.url}/projects/${id}`);
		await page.route(`**/web/data/projects/${id}`, (route) => route.fulfill({ json: { ...project, name } }));
		await page.goto(`${world.url}/projects/${id}`);
		const heading = page.locator("h2.name");
		await heading.waitFor();
		const shown = (await heading.textContent()) ?? "";
		expect(shown.startsWith("<script>document")).toBe(true);
		expect([shown.includes("\u202e"), shown.length]).toEqual([false, 201]);
		expect(await page.locator("main script").count()).toBe(0);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(desktop.width);
	});

	test.each(views)("axe finds nothing, and nothing is scrolled sideways ($width px, $colorScheme)", async (view) => {
		await using opened = await open(browser, `${world.url}/projects/${id}`, view);
		await opened.page.locator(".states > li").first().waitFor();
		await opened.page.locator("meter").first().waitFor();
		await expectSound(opened, view);
	});
});
