/** The documentation as a reader uses it: every endpoint, a live answer, a call with a key, the search, the guides. */
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import { errorCodes } from "../../libs/contract/error-codes.ts";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, openUnanswered, read, test } from "./support.ts";

interface Document {
	paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>;
}

describe.skipIf(!hasBrowser)("the documentation", () => {
	let world: World;
	let browser: Browser;
	let key: string;
	test.beforeAll(async ({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
		const register = { method: "POST", headers: { "content-type": "application/json" } };
		const body = JSON.stringify({ email: "reader@example.org" });
		key = (await read<Reply<"register">>(`${world.url}/register`, { ...register, body })).key;
	});

	test("it lists every endpoint of the OpenAPI document once", async () => {
		await using opened = await open(browser, `${world.url}/docs`, desktop);
		await opened.page.locator(".endpoint").first().waitFor();
		const shown = await opened.page.locator(".endpoint").evaluateAll((all) => all.map(({ id }) => id));
		const { paths } = await read<Document>(`${world.url}/openapi.json`);
		const errors = await opened.page.locator("[data-code]").evaluateAll((all) => all.map((row) => row.dataset.code));
		expect(errors).toEqual(Object.keys(errorCodes));
		const described = Object.values(paths).flatMap((methods) =>
			Object.values(methods).map(({ operationId }) => operationId),
		);
		expect(shown.toSorted()).toEqual(described.toSorted());
		expect(opened.complaints).toEqual([]);
	});

	test("an address with an operation opens it: parameters, fields with units, and the present response", async () => {
		await using opened = await open(browser, `${world.url}/docs#getStats`, desktop);
		const { page } = opened;
		const endpoint = page.locator("#getStats");
		await endpoint.locator("[data-field]").first().waitFor({ state: "attached" });
		expect(await endpoint.locator("[data-field='data.total_capacity_gw']").textContent()).toContain("[GW]");
		const { paths } = await read<Document>(`${world.url}/openapi.json`);
		const names = paths["/stats"]?.get?.parameters.map(({ name }) => name);
		expect(
			await endpoint.locator("[data-parameter]").evaluateAll((all) => all.map((row) => row.dataset.parameter)),
		).toEqual(names);
		const { data } = await read<Reply<"getStats">>(`${world.url}/stats`);
		await endpoint.getByText(`"total_projects": ${data.total_projects}`).waitFor();
		expect(await page.evaluate("document.getElementById('getStats').getBoundingClientRect().top")).toBeLessThan(900);
		expect(opened.complaints).toEqual([]);
	});

	test("calls are sent with the visitor's key and counted, and errors are shown as returned", async () => {
		await using opened = await open(browser, `${world.url}/docs#listChanges`, desktop);
		const { page } = opened;
		await page.getByLabel("Your key").fill(key);
		const endpoint = page.locator("#listChanges");
		await endpoint.getByRole("button", { name: /^Show all \d+ parameters$/ }).click();
		await endpoint.getByLabel("region", { exact: true }).fill("MISO");
		await endpoint.getByRole("button", { name: "Try it" }).click();
		await endpoint.locator("[data-sent=status]").waitFor();
		expect(await endpoint.locator("[data-sent=status]").textContent()).toBe("200");
		const policy = endpoint.locator(".headers div", { hasText: "ratelimit-policy" });
		expect(await policy.textContent()).toContain("month");
		expect(await endpoint.locator(".programs code").first().textContent()).toContain("region=MISO");
		await endpoint.getByLabel("per_page").fill("0");
		await endpoint.getByRole("button", { name: "Try it" }).click();
		await eventually(async () => (await endpoint.locator("[data-sent=status]").textContent()) === "422");
		await endpoint.getByText('"per_page"').first().waitFor();
		// The key belongs to this tab alone, also after a reload.
		await page.reload();
		expect(await page.getByLabel("Your key").inputValue()).toBe(key);
		await using other = await open(browser, `${world.url}/docs`, desktop);
		expect(await other.page.getByLabel("Your key").inputValue()).toBe("");
	});

	test("the keyboard finds a field, opens its endpoint and sends a call", async () => {
		await using opened = await open(browser, `${world.url}/docs`, desktop);
		const { page } = opened;
		await page.locator(".endpoint").first().waitFor();
		await page.getByRole("searchbox").focus();
		await page.keyboard.type("leaderboard");
		await page.locator(".found a").first().waitFor();
		await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await page.locator("#getCapitalLeaderboard[open]").waitFor();
		await page.locator("#getCapitalLeaderboard").getByRole("button", { name: "Try it" }).focus();
		await page.keyboard.press("Enter");
		await page.locator("#getCapitalLeaderboard [data-sent=status]").waitFor();
		expect(opened.complaints).toEqual([]);
	});

	test("the search of a guide finds terms of the glossary, and its code has a button", async () => {
		await using opened = await open(browser, `${world.url}/docs/guides/cookbook`, desktop);
		const { page } = opened;
		await page.locator(".code button").first().waitFor();
		await page.getByRole("searchbox").fill("suspension");
		await page.keyboard.press("Enter");
		await page.locator(".found a[href='/docs/glossary#suspension']").waitFor();
		expect(opened.complaints).toEqual([]);
	});

	test("a response that is markup, reorders its line or is very long is shown as text", async () => {
		const name = `<script>document.title="run"</script>\u202e${"x".repeat(10_000)}`;
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		await page.route("**/web/data/stats", (route) => route.fulfill({ json: { name } }));
		await page.goto(`${world.url}/docs#getStats`);
		const answer = page.locator("#getStats pre", { hasText: '"name"' });
		await answer.waitFor();
		expect(await answer.textContent()).toBe(`{\n  "name": ${JSON.stringify(name).replace("\u202e", "\\u202e")}\n}`);
		expect(await page.title()).not.toBe("run");
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(desktop.width);
	});

	test("the page shows that the service fails, and recovers by itself", { tags: ["campaign"] }, async () => {
		await using opened = await openUnanswered(browser, `${world.url}/docs`);
		const { page } = opened;
		await opened.answer();
		await page.locator(".endpoint").first().waitFor();
		expect(await page.locator(".failure").count()).toBe(0);
	});
});
