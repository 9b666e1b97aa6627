/** Every page in some views, in the first of which it is opened. Layout depends on the width and contrast on the colours: not every pair has to be tried. */
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, expectSound, hasBrowser, type Opened, open, read, show, test, type View } from "./support.ts";

interface PageCase {
	title: string;
	path(view: View): string | Promise<string>;
	/** Resolves when the page shows what it is for; `check` checks it in all views in between. */
	shown(page: Page, opened: Opened, check: () => Promise<void>): Promise<unknown>;
	/** It shows something else in each view: the campaign opens it in each. */
	isOpenedAnew?: true;
	/** It differs from another case in its rows alone: the first view is enough. */
	isAlike?: boolean;
	/** Parts that differ from others of the page in their text alone, which axe reads in the campaign. */
	alikeParts?: string;
}

/** Rules of axe that depend on the width and the colours. The others depend on the document, and need one view. */
const rulesOfViews = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

/** The campaign applies every rule to every part in every view. */
export function testViews(views: View[], { isCampaign = false } = {}): void {
	describe.skipIf(!hasBrowser)("axe finds nothing, and nothing is scrolled sideways", () => {
		let world: World;
		let browser: Browser;
		test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
			world = readOnlyWorld;
			browser = chromium;
		});

		const table = (part: string) => (page: Page) => page.locator(part).first().waitFor();
		const openDetails = (page: Page) =>
			page.locator("details").evaluateAll((all) => {
				for (const one of all) one.setAttribute("open", "");
			});

		const cases: PageCase[] = [
			{
				title: "the landing page",
				path: () => "/",
				async shown(page) {
					await page.locator("[data-seq]").first().waitFor();
					await page.locator("meter").first().waitFor();
				},
			},
			{
				title: "an address of nothing",
				path: () => "/nothing-here",
				async shown(page, { complaints }) {
					await page.getByRole("combobox").waitFor();
					// A browser says itself that a document was not found.
					complaints.splice(0);
				},
			},
			{
				title: "the page to explore",
				isOpenedAnew: true,
				path: ({ width }) => `/explore?list=${{ 360: "points", 768: "counties" }[width] ?? "requests"}`,
				async shown(page) {
					await page.locator("#list tbody td.number").first().waitFor();
					await page.locator("meter").first().waitFor();
					await page.getByText("Loading the map").waitFor({ state: "detached" });
				},
			},
			{
				title: "a request",
				async path() {
					const best = "/projects?status=Active&sort=investability_score&order=desc&per_page=1";
					const { data } = await read<Reply<"listProjects">>(world.url + best);
					return `/projects/${data[0]?.id}`;
				},
				async shown(page) {
					for (const part of [".states > li", "[data-step]", "[data-citation]"])
						await page.locator(part).first().waitFor();
					await openDetails(page);
				},
			},
			{
				title: "two requests side by side",
				async path() {
					const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=2`);
					return `/projects/compare?ids=${data.map(({ id }) => id).join()}`;
				},
				shown: table("[data-differs]"),
			},
			{
				title: "a developer",
				async path() {
					const { data } = await read<Reply<"listDevelopers">>(`${world.url}/developers?per_page=1`);
					return `/developers/${data[0]?.developer_id}`;
				},
				async shown(page) {
					for (const part of ["[data-id]", "[data-group]", "[data-measure]"])
						await page.locator(part).first().waitFor();
					await openDetails(page);
				},
			},
			{
				title: "the changes",
				path: () => "/changes?since_days=30",
				async shown(page) {
					for (const part of ["[data-seq]", "[data-cell]", "meter"]) await page.locator(part).first().waitFor();
				},
			},
			{
				title: "the scores",
				alikeParts: "details tbody > tr:nth-child(n + 4)",
				path: () => "/scores",
				async shown(page) {
					await page.locator("[data-operator]").first().waitFor();
					await page.locator("[data-figure=hash]").waitFor();
					await openDetails(page);
				},
			},
			{ title: "what is loaded", path: () => "/status", shown: table("[data-list]") },
			{
				title: "the page for SQL",
				path: () => `/sql#${new URLSearchParams({ sql: places, view: "table" })}`,
				async shown(page) {
					await page
						.locator(".tree summary", { hasText: /^sources \d/ })
						.first()
						.click();
					await page.getByRole("button", { name: "Run", exact: true }).click();
					await page.locator("tr[data-row]").first().waitFor();
				},
			},
			{
				title: "the documentation",
				alikeParts:
					".endpoint:not([open]):nth-of-type(n + 2), [data-code]:nth-child(n + 4), [aria-labelledby^=day-]:nth-of-type(n + 2)",
				path: () => "/docs#listMarketHubs",
				async shown(page) {
					const endpoint = page.locator("#listMarketHubs");
					await endpoint.getByRole("button", { name: "Try it" }).click();
					await endpoint.locator("[data-sent=status]").waitFor();
					await page.getByRole("searchbox").fill("capacity");
					await page.locator(".found a").first().waitFor();
				},
			},
			{
				title: "the events",
				alikeParts: "details:nth-of-type(n + 2)",
				path: () => "/docs/events",
				shown: table(".code button"),
			},
			{ title: "a guide", path: () => "/docs/guides/feed", shown: table(".code button") },
			{
				title: "a dispute",
				path: () => "/dispute?about=identifier",
				shown: (page) => page.getByLabel("Wrong number").waitFor(),
			},
			...Object.entries(namesOfLists).map(
				([path, name]): PageCase => ({
					title: `the list ${path}`,
					...(path !== "/pois" && { isAlike: true, alikeParts: "tbody > tr:nth-child(n + 6)" }),
					path: () => path,
					async shown(page) {
						const first = page.locator("[data-row]").first();
						await first.waitFor();
						const { pathname, search } = new URL(page.url());
						const { data } = await read<{ data: Record<string, unknown>[] }>(world.url + pathname + search);
						expect(await first.textContent()).toContain(String(data[0]?.[name]));
						await page.locator("[data-source]").first().waitFor();
						await openDetails(page);
					},
				}),
			),
			{
				title: "a point of interconnection",
				async path() {
					const { data } = await read<Reply<"listPois">>(`${world.url}/pois?per_page=1`);
					return `/pois/${data[0]?.poi_id}`;
				},
				async shown(page) {
					const { waiting } = await read<Reply<"getPoi">>(page.url());
					await page.locator(`[data-id="${waiting[0]?.id}"]`).waitFor();
				},
			},
			{
				title: "an account, with a key and without",
				path: () => "/account",
				async shown(page, _opened, check) {
					const headers = { "content-type": "application/json" };
					const body = JSON.stringify({ email: `views-${views.length}@example.com` });
					const init = { method: "POST", headers, body };
					const { key } = await read<Reply<"register">>(`${world.url}/register`, init);
					const withKey = { headers: { "x-api-key": key } };
					await read(`${world.url}/projects`, withKey);
					await eventually(
						async () => (await read<Reply<"getUsage">>(`${world.url}/web/data/usage`, withKey)).by_day.length > 0,
					);
					await page.getByLabel("Key", { exact: true }).fill(key);
					await page.getByRole("button", { name: "Use this key" }).click();
					await page.locator("[data-operation]").first().waitFor();
					for (const part of ["New alert or webhook", "New watchlist", "Replace or end it"])
						await page.getByText(part).click();
					await page.getByRole("button", { name: "Revoke" }).click();
					await check();
					await page.getByRole("button", { name: "Remove it from here" }).click();
					await page.getByRole("heading", { name: "Use a key you have" }).waitFor();
					await page.getByText("Unlimited").first().waitFor();
				},
			},
		];

		async function expectSoundAt({ path, shown, isAlike, isOpenedAnew, alikeParts }: PageCase): Promise<void> {
			const tried = isAlike ? views.slice(0, 1) : views;
			for (const together of isOpenedAnew && isCampaign ? tried.map((view) => [view]) : [tried]) {
				const [first = desktop] = together;
				await using opened = await open(browser, world.url + (await path(first)), first);
				const check = async () => {
					for (const view of together) {
						await show(opened.page, view);
						const rules = view === first ? undefined : rulesOfViews;
						await expectSound(opened, view, isCampaign ? {} : { rules, exclude: alikeParts });
					}
				};
				await shown(opened.page, opened, check);
				await check();
			}
		}

		test.each(cases)("$title", expectSoundAt);
	});
}

/** Pages of lists, and the field that names their first row. */
export const namesOfLists = {
	"/developers": "canonical_name",
	"/investable": "name",
	"/deals/itc": "name",
	"/capital/leaderboard": "developer",
	"/events": "title",
	"/pois": "name",
	"/datacenters": "name",
	"/datacenters/pipeline": "name",
	"/market/prices": "hub",
	"/grid/plants": "name",
	"/grid/generators": "generator_id",
};

/** A statement whose rows have a place. */
const places =
	"select id, name, region, capacity_mw, lat, lon from projects where lat is not null order by id limit 20";
