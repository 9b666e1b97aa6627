/** The page of a developer, against what the interface answers of it. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { startWorld, type World } from "../support/world.ts";
import { desktop, expectSound, hasBrowser, launch, open, read, views } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of a developer", () => {
	let world: World;
	let browser: Browser;
	let id: number;
	beforeAll(async () => {
		world = await startWorld();
		browser = await launch();
		const { data } = await read<Reply<"listDevelopers">>(`${world.url}/developers?per_page=1`);
		id = data[0]?.developer_id ?? 0;
	});
	afterAll(async () => {
		await browser?.close();
		await world?.[Symbol.asyncDispose]();
	});

	test("portfolio and record are those of the interface, and lead on to its requests", async () => {
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

	test.each(views)("axe finds nothing, and nothing is scrolled sideways ($width px, $colorScheme)", async (view) => {
		await using opened = await open(browser, `${world.url}/developers/${id}`, view);
		await opened.page.locator("[data-id]").first().waitFor();
		await expectSound(opened, view);
	});
});
