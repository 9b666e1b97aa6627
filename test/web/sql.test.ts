/** The page for SQL in a browser, against what the interface answers. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import {
	desktop,
	expectSound,
	hasBrowser,
	hasFocus,
	open,
	phone,
	read,
	retriedWithinMs,
	tabTo,
	test,
} from "./support.ts";

const run = promisify(execFile);

describe.skipIf(!hasBrowser)("the page for SQL", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	const query = (sql: string, database = "master", headers: Record<string, string> = {}) =>
		fetch(`${world.url}/query`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify({ sql, database }),
		});
	const answered = async (sql: string) => (await (await query(sql)).json()) as Reply<"runQuery">;
	const linkTo = (sql: string, view = "table") => `${world.url}/sql#${new URLSearchParams({ sql, view })}`;
	const statementOf = (page: Page) => page.getByRole("textbox", { name: "Statement" });
	const runIt = async (page: Page) => {
		await page.getByRole("button", { name: "Run", exact: true }).click();
		await page.getByRole("heading", { name: "Result" }).waitFor();
	};
	const cellsOf = (page: Page) =>
		page
			.locator("tr[data-row]")
			.evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));

	test("its tree has every database, view and column, with types, units and meanings", async () => {
		await using opened = await open(browser, `${world.url}/sql`, desktop);
		const { page } = opened;
		const schema = await read<Reply<"getQuerySchema">>(`${world.url}/query/schema`);
		const tree = page.locator(".tree");
		await tree.waitFor();
		for (const { name, views } of schema.databases) {
			await tree.locator("summary", { hasText: new RegExp(`^${name}$`) }).waitFor();
			for (const view of views)
				expect(await tree.locator("summary", { hasText: view.name }).count()).toBeGreaterThan(0);
		}
		expect(schema.macros.map(({ name }) => name)).toEqual(["projects_as_of", "scores_as_of"]);
		await tree.locator("summary", { hasText: "projects_as_of(day)" }).waitFor();
		await tree.locator("summary", { hasText: /^projects \d/ }).click();
		const { columns = [] } = schema.databases[0]?.views.find(({ name }) => name === "projects") ?? {};
		const rows = tree.locator("dl > div");
		await rows.first().waitFor();
		const shown = await rows.evaluateAll((all) => all.map(({ textContent }) => textContent));
		expect(shown).toEqual(
			columns.map(
				({ name, type, unit, description }) => `${name} ${type}${unit === null ? "" : `, ${unit}`}${description}`,
			),
		);
		await page.getByLabel("Find a view or column").fill("usd_mwh");
		await eventually(async () => expect(await tree.locator("summary b").allTextContents()).toEqual(["market"]));
		expect(opened.complaints).toEqual([]);
	});

	test("a statement is typed with completion and run by keyboard; its rows equal the API's", async () => {
		await using opened = await open(browser, linkTo("select 1"), desktop);
		const { page } = opened;
		await page.locator(".tree").waitFor();
		await statementOf(page).focus();
		await page.keyboard.press("Control+A");
		await page.keyboard.type("select * from projec");
		const offered = page.locator(".cm-tooltip-autocomplete li");
		await offered.filter({ hasText: "projects" }).first().waitFor();
		await page.keyboard.press("Escape");
		await page.keyboard.type("ts where capacity_m");
		await offered.filter({ hasText: "capacity_mwDOUBLE, MW" }).waitFor();
		// An entry that has only just appeared is not taken: Enter may have been meant for the text.
		const shown = Number(await page.evaluate("performance.now()"));
		await eventually(async () => Number(await page.evaluate("performance.now()")) > shown + 100);
		await page.keyboard.press("Enter");
		await page.keyboard.type(" > 0 order by id");
		await page.keyboard.press("Escape");
		await page.keyboard.press("Control+Enter");
		await page.getByRole("heading", { name: "Result" }).waitFor();
		const { data, meta } = await answered("select * from projects where capacity_mw > 0 order by id");
		expect(await page.locator(".outcome b").first().textContent()).toBe(`${meta.rows.toLocaleString("en-US")} rows`);
		expect(await page.locator(".rows th").allTextContents()).toEqual(
			meta.columns.map(({ name, unit }) => (unit === null ? name : `${name} ${unit}`)),
		);
		expect(meta.columns.map(({ name, unit }) => ({ name, unit }))).toContainEqual({ name: "capacity_mw", unit: "MW" });
		const [row] = await cellsOf(page);
		expect(row?.slice(0, 4)).toEqual([data[0]?.id, data[0]?.queue_id, data[0]?.name, data[0]?.region]);
		await page.keyboard.press("Tab");
		expect(await page.evaluate("document.activeElement.textContent")).toBe("Run");
		expect(opened.complaints).toEqual([]);
	});

	test("an error is shown with its place, which the editor marks", async () => {
		await using opened = await open(browser, linkTo("\n\nselect region,\n  capacity_nw from projects"), desktop);
		const { page } = opened;
		await page.getByRole("button", { name: "Run", exact: true }).click();
		const problem = page.locator(".outcome .failure");
		await problem.waitFor();
		expect(await problem.textContent()).toMatch(/capacity_nw.*\(line 4, column 3\)$/);
		expect(await page.locator(".cm-wrong").textContent()).toBe("capacity_nw");
	});

	test("of ten thousand rows only visible ones are rendered; a click on a heading sorts them", {
		tags: ["campaign"],
	}, async () => {
		await using opened = await open(
			browser,
			linkTo("select range as n, 20000 - range as m from range(10000)"),
			desktop,
		);
		const { page } = opened;
		await runIt(page);
		await eventually(async () => expect((await cellsOf(page))[0]).toEqual(["0", "20000"]));
		expect((await cellsOf(page)).length).toBeLessThan(100);
		await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
		await eventually(async () => expect((await cellsOf(page)).at(-1)).toEqual(["9999", "10001"]));
		await page.locator(".rows").evaluate((rows) => rows.scrollTo(0, 0));
		await page.getByRole("columnheader", { name: "n" }).getByRole("button").click();
		await eventually(async () => expect((await cellsOf(page))[0]).toEqual(["9999", "10001"]));
	});

	test("an example's chart gives way to the table for a result without values to draw; its ids are links", async () => {
		await using opened = await open(browser, `${world.url}/sql`, desktop);
		const { page } = opened;
		await page.getByLabel("Example").selectOption("Active requests by grid operator");
		await runIt(page);
		await page.locator(".bar-name").first().waitFor();
		expect(await page.getByLabel("Chart").isChecked()).toBe(true);
		expect(await page.locator("#result").evaluate((heading) => heading.getBoundingClientRect().top)).toBeLessThan(700);
		await statementOf(page).fill("select id, lat, lon, capacity_mw, name from projects order by id");
		await page.getByRole("button", { name: "Run", exact: true }).click();
		const link = page.locator("tr[data-row] a").first();
		await link.waitFor();
		expect(await page.getByLabel("Table", { exact: true }).isChecked()).toBe(true);
		const [row] = (await answered("select id from projects order by id")).data;
		expect(await link.getAttribute("href")).toBe(`/projects/${row?.id}`);
		await page.getByLabel("Chart").check();
		await page.locator(".bar-name").first().waitFor();
		expect(await page.getByRole("group", { name: "Values" }).textContent()).not.toContain("lon");
	});

	test("a truncated result names the limit", async () => {
		await using opened = await open(browser, linkTo("select * from range(20000)"), desktop);
		await runIt(opened.page);
		expect(await opened.page.locator(".outcome").textContent()).toContain("cut off at the limit of 10,000 rows");
	});

	test("files and the results of curl and Python equal the API's", async () => {
		const sql = `select id, name, capacity_mw, queue_date, counties, cast(capacity_mw as decimal(18,4)) as exact, 9007199254740993 as large,
			null as nothing, '' as empty, 'it''s "quoted", $HOME' as text from projects order by id`;
		await using opened = await open(browser, linkTo(sql), desktop);
		const { page } = opened;
		await runIt(page);
		const [download] = await Promise.all([
			page.waitForEvent("download"),
			page.getByRole("button", { name: "Save CSV" }).click(),
		]);
		const csv = await (await query(sql, "master", { accept: "text/csv" })).text();
		expect(await readFile(await download.path(), "utf8")).toBe(csv);
		const { data, meta } = await answered(sql);
		const command = (name: string) => page.locator(`[data-command=${name}]`).textContent();
		const { stdout } = await run("bash", ["-c", (await command("curl")) ?? ""], { maxBuffer: 2 ** 26 });
		expect(JSON.parse(stdout).data).toEqual(data);
		const python = await run("python3", ["-c", (await command("Python")) ?? ""], { maxBuffer: 2 ** 26 });
		expect(python.stdout.split("\n")[0]).toBe(`${meta.rows} rows`);
	});

	test("a link contains the statement and does not run it; the history lists statements until it is cleared", {
		tags: ["campaign"],
	}, async () => {
		await using opened = await open(browser, linkTo("select 41 + 1 as answer", "chart"), desktop);
		const { page } = opened;
		const paths: string[] = [];
		page.on("request", (request) => void paths.push(new URL(request.url()).pathname));
		await page.reload();
		await page.locator(".tree").waitFor();
		expect(await statementOf(page).textContent()).toContain("41 + 1");
		expect(paths).not.toContain("/query");
		await runIt(page);
		expect(await page.getByLabel("Chart").isChecked()).toBe(true);
		await page.goto(`${world.url}/sql`);
		await page.getByRole("button", { name: "select 41 + 1 as answer" }).click();
		expect(await statementOf(page).textContent()).toContain("41 + 1");
		await page.evaluate(`localStorage.setItem("sql-history", JSON.stringify(Array.from({ length: 80 }, (_, n) =>
			({ sql: "select " + n, database: "master", view: "table", at: new Date(0).toISOString() })).concat([1, null, {}])))`);
		await page.reload();
		await runIt(page);
		expect(await page.locator(".history li").count()).toBe(50);
		await page.getByRole("button", { name: "Clear the history" }).click();
		await page.reload();
		await page.getByText("Statements that you run are listed here.").waitFor();
	});

	test("a statement runs on the account of the visitor's key, and an invalid key gives an error", async () => {
		const email = "sql@example.com";
		const body = JSON.stringify({ email });
		const headers = { "content-type": "application/json" };
		const { key } = await read<Reply<"register">>(`${world.url}/register`, { method: "POST", headers, body });
		await using opened = await open(browser, linkTo("select 1 as one"), desktop);
		const { page } = opened;
		await page.evaluate(`localStorage.setItem("api-key", ${JSON.stringify(key)})`);
		await page.reload();
		await page.getByText("Statements of this page run with your key").waitFor();
		await runIt(page);
		const usage = await read<Reply<"getUsage">>(`${world.url}/usage`, { headers: { "x-api-key": key } });
		expect(usage.used).toBe(1);
		await page.getByText(`${usage.remaining} this month`).waitFor();
		expect(await page.locator("[data-command=curl]").textContent()).not.toContain(key);
		await page.evaluate(`localStorage.setItem("api-key", "pk_" + "x".repeat(38))`);
		await page.reload();
		await page.getByRole("button", { name: "Run", exact: true }).click();
		await page.getByRole("link", { name: "Check your key" }).waitFor();
	});

	test("a statement with parameters is saved by keyboard and run by its address; errors are shown in place", {
		tags: ["campaign"],
	}, async () => {
		const sql = "select id from projects where state = $state and capacity_mw >= $least_mw order by id";
		await using opened = await open(browser, linkTo(sql), desktop);
		const { page } = opened;
		const button = page.getByRole("button", { name: "Save query" });
		await button.click();
		const form = page.getByRole("region", { name: "Save query" });
		await form.getByRole("link", { name: "a free key" }).waitFor();
		const body = JSON.stringify({ email: "saved@example.com" });
		const headers = { "content-type": "application/json" };
		const { key } = await read<Reply<"register">>(`${world.url}/register`, { method: "POST", headers, body });
		await page.evaluate(`localStorage.setItem("api-key", ${JSON.stringify(key)})`);
		await page.reload();
		await tabTo(button);
		await page.keyboard.press("Enter");
		await eventually(async () => expect(await hasFocus(form.getByLabel("Title"))).toBe(true));
		await page.keyboard.type("Of a state");
		await tabTo(form.getByLabel("Type of least_mw"));
		await page.keyboard.type("number");
		await tabTo(form.getByLabel("Default of least_mw"));
		await page.keyboard.type("many");
		await page.keyboard.press("Enter");
		await form.getByRole("alert").filter({ hasText: "parameters" }).waitFor();
		expect(await form.getByLabel("Title").inputValue()).toBe("Of a state");
		await form.getByLabel("Default of least_mw").fill("50");
		await page.keyboard.press("Enter");
		const status = form.getByRole("status");
		await status.getByText(/\/queries\/\d+\/run/).waitFor();
		const withKey = { headers: { "x-api-key": key } };
		const { data: saved } = await read<Reply<"listSavedQueries">>(`${world.url}/queries`, withKey);
		const address = `${world.url}/queries/${saved[0]?.query_id}/run?state=`;
		expect(await status.textContent()).toContain(address);
		expect(await form.getByRole("alert").count()).toBe(0);
		const answer = await fetch(`${address}TX`, withKey);
		const wanted = await answered(sql.replace("$state", "'TX'").replace("$least_mw", "50"));
		expect(((await answer.json()) as Reply<"runQuery">).data).toEqual(wanted.data);
		expect(wanted.data.length).toBeGreaterThan(0);
		// Once more is another of the same name.
		await page.keyboard.press("Enter");
		await form.getByText("another saved query of this account has this name").waitFor();
		opened.complaints.length = 0;
		await page.setViewportSize({ width: 360, height: 900 });
		for (const colorScheme of ["light", "dark"] as const) {
			await page.emulateMedia({ colorScheme });
			await expectSound(opened, { width: 360, colorScheme });
		}
		await tabTo(form.getByRole("button", { name: "Close" }));
		await page.keyboard.press("Enter");
		expect(await hasFocus(button)).toBe(true);
	});

	test("hostile text remains text in headings, cells, bars and map tooltips", async () => {
		const bad = "<script>window.stolen = 1</script><img src=x onerror=window.stolen=1>";
		const sql = `select '${bad}' as "${bad}", 'a' || chr(8238) || 'b' as turned, repeat('x', 10000) as long, 7 as n, 40 as lat, -100 as lon`;
		await using opened = await open(browser, linkTo(sql), desktop);
		const { page } = opened;
		await runIt(page);
		await eventually(async () => expect((await cellsOf(page))[0]?.slice(0, 2)).toEqual([bad, "ab"]));
		expect((await cellsOf(page))[0]?.[2]?.length).toBe(1_001);
		await page.getByLabel("Chart").check();
		await page.locator(".bar-name").first().waitFor();
		await page.getByLabel("Map").check();
		await page.locator("circle").waitFor();
		expect(await page.evaluate("window.stolen")).toBeUndefined();
		expect(opened.complaints).toEqual([]);
	});

	test("while the service fails it shows that, and then runs the statement", async () => {
		await using opened = await open(browser, "about:blank", desktop);
		const { page } = opened;
		await page.clock.install();
		await page.route("**/query", (route) => route.abort());
		await page.goto(linkTo("select 42 as answer"));
		await page.getByRole("button", { name: "Run", exact: true }).click();
		await page.getByText("The service does not respond. Trying again.").waitFor();
		await page.unroute("**/query");
		await page.clock.fastForward(retriedWithinMs);
		await page.getByRole("heading", { name: "Result" }).waitFor();
		await eventually(async () => expect(await cellsOf(page)).toEqual([["42"]]));
	});

	test("a map shows the rows with a place, and a line every point", { tags: ["campaign"] }, async () => {
		const sql = "select id, capacity_mw, lat, lon, queue_date from projects where lat is not null order by queue_date";
		const { data } = await answered(sql);
		await using opened = await open(browser, linkTo(sql, "map"), desktop);
		const { page } = opened;
		await runIt(page);
		await page.getByText(`${data.length} of ${data.length} rows have a place on this map.`).waitFor();
		expect(await page.locator("circle").count()).toBe(data.length);
		await page.getByLabel("Chart").check();
		await page.getByLabel("Along").selectOption("queue_date");
		await page.getByRole("img", { name: /capacity_mw \(MW\).* by queue_date; the numbers are in the table/ }).waitFor();
		await page.locator(".uplot canvas").waitFor();
		expect(opened.complaints).toEqual([]);
	});

	const places =
		"select id, name, region, capacity_mw, lat, lon from projects where lat is not null order by id limit 20";

	test("axe finds nothing at the chart and the map either, on a phone and in the dark", async () => {
		await using opened = await open(browser, linkTo(places, "chart"), phone);
		const { page } = opened;
		await runIt(page);
		await page.locator(".chart svg").first().waitFor();
		await expectSound(opened, phone);
		await page.getByLabel("Map").check();
		await page.locator("circle").first().waitFor();
		await expectSound(opened, phone);
	});
});
