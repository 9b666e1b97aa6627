/** The page of changes, against what the interface answers. What it shows of a list that is loaded meanwhile: loading.test.ts. */
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, read, test } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of changes", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	test("its address has its state, and its rows and sums equal the API's", async () => {
		await using opened = await open(browser, `${world.url}/changes?since_days=30&region=MISO`, desktop);
		const { page } = opened;
		const shown = () => page.locator("[data-seq]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.seq)));
		const seqs = async (query: string) =>
			(await read<Reply<"listChanges">>(`${world.url}/changes?per_page=50&since_days=30&${query}`)).data.map(
				({ seq }) => seq,
			);
		const ofMiso = await seqs("region=MISO");
		expect(ofMiso.length).toBeGreaterThan(1);
		await eventually(async () => expect(await shown()).toEqual(ofMiso));
		await page.getByLabel("Kind of change").selectOption("status_change");
		const ofStatus = await seqs("region=MISO&change_type=status_change");
		await eventually(async () => expect(await shown()).toEqual(ofStatus));
		expect(new URL(page.url()).search).toBe("?since_days=30&region=MISO&change_type=status_change");
		const href = (await page.getByRole("link", { name: "Save as CSV" }).getAttribute("href")) ?? "";
		const file = await (await fetch(new URL(href, world.url))).text();
		const lines = file.trim().split("\n");
		expect(lines).toHaveLength(ofStatus.length + 1);
		const sums = await read<Reply<"summariseChanges">>(`${world.url}/changes/summary?since_days=30&region=MISO`);
		const [came] = sums.new_entries_by_region;
		const cells = page.locator("[data-region] td");
		expect(await page.locator("[data-region]").count()).toBe(1);
		expect(await cells.first().textContent()).toContain(`${came?.new_projects} (`);
		const moved = sums.by_region.find(({ change_type }) => change_type === "status_change");
		expect(await page.locator("[data-kind=status_change]").textContent()).toBe(String(moved?.count));
		expect(opened.complaints).toEqual([]);
	});

	test("an address without days opens on the newest days with a change, and says so", async () => {
		const { data } = await read<Reply<"listChanges">>(`${world.url}/changes?since=2000-01-01&per_page=1`);
		const day = data[0]?.detected_at.slice(0, 10) ?? "";
		const then = await read<Reply<"listChanges">>(`${world.url}/changes?since_days=7&as_of=${day}&per_page=50`);
		await using opened = await open(browser, "about:blank", desktop);
		const { page } = opened;
		await page.clock.setFixedTime(Date.parse(day) + 60 * 86_400_000);
		await page.goto(`${world.url}/changes`);
		const note = page.locator("[data-newest]");
		await note.waitFor();
		expect(await note.textContent()).toBe(
			`The newest change is from ${day}: this is what changed in the 7 days until then.`,
		);
		await eventually(async () => {
			const shown = await page.locator("[data-seq]").evaluateAll((rows) => rows.map((row) => Number(row.dataset.seq)));
			expect(shown).toEqual(then.data.map(({ seq }) => seq));
			return true;
		});
		expect(then.data.length).toBeGreaterThan(0);
		expect(new URL(page.url()).search).toBe("");
		await page.getByLabel("Kind of change").selectOption("status_change");
		await eventually(() => new URL(page.url()).search === "?change_type=status_change");
		await page.goBack();
		await eventually(() => new URL(page.url()).search === "");
		await page.goto(`${world.url}/changes?investable=true`);
		await note.waitFor();
		expect(await note.textContent()).toBe(`The newest change is from ${day}. `);
		await page.goto(`${world.url}/changes`);
		await note.waitFor();
		await page.locator(".filters select").first().selectOption("30");
		await eventually(() => new URL(page.url()).search === `?since_days=30&as_of=${day}`);
	});

	test("an address without days opens on the newest change that its filters select", async () => {
		const { data, ...answer } = await read<Reply<"listChanges">>(`${world.url}/changes?since=2000-01-01&per_page=1`);
		const older = { ...answer, data: data.map((change) => ({ ...change, detected_at: "2025-06-30T00:00:00Z" })) };
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		await opened.page.route("**/web/data/changes?*since=2000-01-01*change_type=cod_change*", (route) =>
			route.fulfill({ json: older }),
		);
		await opened.page.goto(`${world.url}/changes?change_type=cod_change`);
		await opened.page.getByText("The newest change is from 2025-06-30:").waitFor();
	});

	test("the page of news opens on the newest headlines, and says so", async () => {
		const { meta, data } = await read<Reply<"listEvents">>(`${world.url}/events?days=365&per_page=1`);
		const newest = meta.coverage?.news;
		expect(newest).toBe(data[0]?.published_at.slice(0, 10));
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		await page.route("**/events?*days=365*", (route) =>
			route.fulfill({ json: { data: [], meta: { ...meta, total: 0, pages: 0 } } }),
		);
		await page.goto(`${world.url}/events`);
		await eventually(() => new URL(page.url()).search === `?until=${newest}`);
		await page.getByText(`The newest headline is from ${newest}. Headlines up to that day are shown.`).waitFor();
		await page.locator("[data-row]").first().waitFor();
		await page.goto(`${world.url}/events?days=30&developer=none-such`);
		await page.getByText("No headline matches the filters.").waitFor();
		expect(new URL(page.url()).search).toBe("?days=30&developer=none-such");
		expect(opened.complaints).toEqual([]);
	});

	test("five or more disappearances of one list are one line that opens", async () => {
		const { data } = await read<Reply<"listChanges">>(`${world.url}/changes?since_days=30&per_page=1`);
		const disappeared = (seq: number, region: string) => ({
			...{ ...data[0], seq, region, project_id: null, change_type: "disappeared", field_name: "missing_since" },
			...{ old_value: null, new_value: "2026-06-29T00:00:00Z", detected_at: "2026-07-20T00:00:00Z" },
		});
		const changes = [
			...[9, 8, 7, 6, 5].map((seq) => disappeared(seq, "MISO")),
			...[4, 3, 2, 1].map((seq) => disappeared(seq, "PJM")),
		];
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		await page.route("**/web/data/changes?*since_days=30*", (route) =>
			route.fulfill({ json: { total: changes.length, page: 1, per_page: 50, data: changes } }),
		);
		await page.goto(`${world.url}/changes?since_days=30`);
		const folded = page.locator("section:has(#feed) summary");
		await folded.waitFor();
		expect(await folded.textContent()).toMatch(
			/^MISO 5 requests: missing from the operator's list of 2026-06-29 · 2026-07-20/,
		);
		const seqs = () =>
			page.locator("[data-seq]:visible").evaluateAll((rows) => rows.map((row) => Number(row.dataset.seq)));
		expect(await seqs()).toEqual([4, 3, 2, 1]);
		await folded.click();
		await eventually(async () => expect(await seqs()).toEqual(changes.map(({ seq }) => seq)));
	});

	test("a page renews an expired token", async () => {
		await using opened = await open(browser, `${world.url}/changes?since_days=30`, desktop);
		const { page } = opened;
		const figure = page.locator("[data-figure=total]");
		await figure.waitFor();
		await page.context().clearCookies();
		await page.getByLabel("Kind of change").selectOption("status_change");
		const { total } = await read<{ total: number }>(`${world.url}/changes?since_days=30&change_type=status_change`);
		await eventually(async () =>
			expect(await figure.textContent()).toContain(`${total.toLocaleString("en-US")} changes`),
		);
		expect((await page.context().cookies(`${world.url}/web/data`)).map(({ name }) => name)).toEqual(["page"]);
	});

	test("the calendar limits the changes to a day", async () => {
		await using opened = await open(browser, `${world.url}/changes`, desktop);
		const { page } = opened;
		const { by_day } = await read<Reply<"summariseChanges">>(`${world.url}/changes/summary?since_days=90`);
		const day = by_day[0]?.day ?? "";
		const changes = by_day.filter((row) => row.day === day).reduce((sum, row) => sum + row.count, 0);
		const square = page.locator(`[data-day="${day}"]`);
		await square.waitFor();
		const label = `${day}: ${changes.toLocaleString("en-US")} changes`;
		await eventually(async () => expect(await square.getAttribute("aria-label")).toBe(label));
		await square.focus();
		await page.keyboard.press("Enter");
		const { total } = await read<{ total: number }>(`${world.url}/changes?since=${day}&until=${day}`);
		await eventually(async () =>
			expect(await page.locator("[data-figure=total]").textContent()).toContain(
				`${total.toLocaleString("en-US")} changes`,
			),
		);
		expect(new URL(page.url()).search).toBe(`?since=${day}&until=${day}`);
		await page.goBack();
		await eventually(() => new URL(page.url()).search === "");
		const { queues } = await read<Reply<"getCoverage">>(`${world.url}/coverage`);
		const listDays = new Set([...queues.flatMap(({ list_days }) => list_days), ...by_day.map((row) => row.day)]);
		await eventually(async () => {
			const labels = await page
				.locator("[data-day]")
				.evaluateAll((squares) => squares.map((one) => [one.dataset.day, one.ariaLabel]));
			expect(labels.length).toBeGreaterThan(80);
			const hatched = labels.flatMap(([day, label]) => (label?.endsWith("no list") ? [day] : []));
			expect(hatched).toEqual(labels.map(([day]) => day).filter((day) => !listDays.has(day ?? "")));
			return true;
		});
	});

	test("a span of days and every filter in the address apply, are shown and can be removed", async () => {
		const [developer] = (await read<Reply<"listDevelopers">>(`${world.url}/developers?per_page=1`)).data;
		const [since, until] = [60, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
		const span = `since=${since}&until=${until}`;
		const total = async (query: string) =>
			(await read<{ total: number }>(`${world.url}/changes?${query}`)).total.toLocaleString("en-US");
		const state = (await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`)).data[0]?.state ?? "";
		const query = `${span}&state=${state}&developer_id=${developer?.developer_id}`;
		await using opened = await open(browser, `${world.url}/changes?${query}`, desktop);
		const { page } = opened;
		const shown = page.locator("[data-figure=total]");
		await eventually(async () => expect(await shown.textContent()).toContain(`${await total(query)} changes`));
		expect(await page.getByLabel("First day").inputValue()).toBe(since);
		expect(await page.getByLabel("State").inputValue()).toBe(state);
		await page.getByText(`Developer: ${developer?.canonical_name}`).waitFor();
		await page.getByRole("button", { name: /^Without Developer/ }).click();
		await eventually(async () =>
			expect(await shown.textContent()).toContain(`${await total(`${span}&state=${state}`)} changes`),
		);
		expect(new URL(page.url()).search).toBe(`?${span}&state=${state}`);
		expect(opened.complaints).toEqual([]);
	});

	test("the transition matrix equals that of /compare", async () => {
		await using opened = await open(browser, `${world.url}/changes`, desktop);
		const { page } = opened;
		const [from, to] = [1, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
		await page.getByLabel("From").fill(from ?? "");
		const body = JSON.stringify({ from, to });
		const headers = { "content-type": "application/json" };
		const { matrix } = await read<Reply<"compareDays">>(`${world.url}/compare`, { method: "POST", headers, body });
		expect(matrix.length).toBeGreaterThan(2);
		for (const { before, after, projects } of matrix) {
			const cell = page.locator(`[data-cell="${before ?? "not listed"}>${after ?? "not listed"}"]`);
			await eventually(async () => expect(await cell.textContent()).toBe(projects.toLocaleString("en-US")));
		}
		expect(new URL(page.url()).searchParams.get("from")).toBe(from);
		await page.reload();
		expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe(from);
	});
});
