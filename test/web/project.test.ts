/** The page of a request, against what the interface answers of it. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import {
	desktop,
	expectSound,
	hasBrowser,
	hasFocus,
	type Opened,
	open,
	openUnanswered,
	read,
	tabTo,
	test,
} from "./support.ts";

describe.skipIf(!hasBrowser)("the page of a request", () => {
	let world: World;
	let browser: Browser;
	let id: string;
	test.beforeAll(async ({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
		const { data } = await read<Reply<"listProjects">>(
			`${world.url}/projects?status=Active&sort=investability_score&order=desc`,
		);
		id = data.find(({ developer_id }) => developer_id !== null)?.id ?? "";
		await eventually(() => read(`${world.url}/score/${id}`));
	});

	describe("opened once", () => {
		let opened: Opened;
		let page: Page;
		beforeAll(async () => {
			opened = await open(browser, `${world.url}/projects/${id}`, desktop, { drawsMaps: true });
			page = opened.page;
		});
		afterAll(() => opened?.[Symbol.asyncDispose]());

		test("facts, score and states equal the API's", async () => {
			const project = await read<Reply<"getProject">>(`${world.url}/projects/${id}`);
			const score = await read<Reply<"getScore">>(`${world.url}/score/${id}`);
			const { data: states } = await read<Reply<"getProjectHistory">>(`${world.url}/projects/${id}/history?order=desc`);
			await page.getByRole("heading", { name: project.name ?? id }).waitFor();
			const summary = page.locator(".summary");
			await eventually(async () => (await summary.textContent())?.includes(project.queue_id));
			expect(await summary.textContent()).toContain(`${project.capacity_mw?.toLocaleString("en-US")} MW`);
			await summary.getByText(/^Listed in .+, from /).waitFor();
			await summary.getByRole("img", { name: "Where it is in the United States" }).waitFor();
			const { y = 0, height = 0 } = (await summary.boundingBox()) ?? {};
			expect(y + height).toBeLessThan(900);
			await summary.getByRole("button", { name: "Show what is around it" }).click();
			await summary.locator("canvas").waitFor();
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

		test("the waterfall's steps are the API's points and add up to its score", async () => {
			const { components, investability_score } = await read<Reply<"getScore">>(`${world.url}/score/${id}`);
			await page.locator("[data-step]").first().waitFor();
			const shown = await page.locator("[data-step]").evaluateAll((steps) => steps.map((step) => step.dataset.step));
			const steps = shown.map(Number);
			const total = steps.pop() ?? 0;
			const sum = Object.values(components ?? {}).reduce((all, { score, weight }) => all + score * weight, 0);
			expect(total).toBeCloseTo(sum, 6);
			expect(steps.reduce((all, step) => all + step, 0)).toBeCloseTo(sum, 6);
			expect(Math.floor(total + 0.5)).toBe(investability_score);
			const rows = page.locator("[data-component]");
			expect(
				await rows.evaluateAll((all) => all.map((row) => [row.dataset.component, row.children[1]?.textContent])),
			).toEqual(Object.entries(components ?? {}).map(([name, { score }]) => [name, String(score)]));
		});

		test("the history of the score and the periods of its status equal the API's", async () => {
			const { data: changes } = await read<Reply<"getScoreHistory">>(`${world.url}/score/${id}/history`);
			const { data: states } = await read<Reply<"getProjectHistory">>(`${world.url}/projects/${id}/history?order=desc`);
			expect(changes.length).toBeGreaterThan(0);
			await page.locator("[data-score-day]").first().waitFor({ state: "attached" });
			const days = await page
				.locator("[data-score-day]")
				.evaluateAll((rows) => rows.map((row) => row.dataset.scoreDay));
			expect(days).toEqual(changes.map(({ day, investability_score }) => `${day} ${investability_score}`));
			await page.locator(".states > li").first().waitFor();
			const moves = states.flatMap(({ differences }) => differences.filter(({ field }) => field === "status_std"));
			expect(await page.locator(".states .badge").allTextContents()).toEqual(moves.map(({ new_value }) => new_value));
			expect(await page.locator(".year h3").allTextContents()).toEqual([
				...new Set(states.map(({ valid_from }) => valid_from.slice(0, 4))),
			]);
		});

		test("the tax credit has the API's lines and citations, and the request's rate", async () => {
			const project = await read<Reply<"getProject">>(`${world.url}/projects/${id}`);
			const { data: credit } = await read<Reply<"getProjectTaxCredit">>(`${world.url}/projects/${id}/tax-credit`);
			if (credit === null) throw new Error(`${id} is open and has no credit`);
			expect(credit).toMatchObject({
				...{ effective_rate: project.tax_credit_pct, status: project.tax_credit_status },
				...{ credit_type: project.tax_credit_type, estimated_credit_value: project.estimated_credit_value },
			});
			await page.locator("[data-citation]").first().waitFor();
			const citations = await page
				.locator("[data-citation]")
				.evaluateAll((rows) => rows.map((row) => row.dataset.citation));
			expect(citations).toEqual(credit.citations.map(({ citation }) => citation));
			const percent = `${Math.round(credit.effective_rate * 1_000) / 10} %`;
			expect(await page.locator("[data-credit=effective] td").last().textContent()).toBe(percent);
			expect(await page.locator("[data-figure=estimated_credit_value]").textContent()).toBe(
				`$${project.estimated_credit_value?.toLocaleString("en-US")}`,
			);
		});

		test("a computed value links to its inputs", async () => {
			expect(await linkOfDeveloper(page)).toMatch(/^\/developers\/\d+$/);
		});

		test("a value shows its cell and rule, and the value when the archived file is read again", async () => {
			const { data, files } = await read<Reply<"getProjectProvenance">>(
				`${world.url}/projects/${id}/provenance?field=capacity_mw`,
			);
			const [origin] = data;
			if (origin === undefined) throw new Error(`${id} has no capacity`);
			await page.getByRole("button", { name: "source of Capacity" }).click();
			const panel = page.getByRole("region", { name: /Where .*Capacity.* comes from/ });
			await panel.getByText(origin.rule).waitFor();
			const shown = (await panel.textContent()) ?? "";
			for (const part of [origin.file, origin.sha256, `row ${origin.row}`, origin.header, origin.raw])
				expect(shown).toContain(part);
			expect(shown).toContain(files[0]?.as_of.slice(0, 10));
			expect(await panel.getByRole("link", { name: "Dispute this value" }).getAttribute("href")).toBe(
				`/dispute?about=project_field&project_id=${id}&field=capacity_mw`,
			);
			await panel.getByRole("button", { name: "Read it again" }).click();
			await panel.getByText(`The file contains ${origin.value}: the same.`).waitFor();
			await expectSound(opened, desktop);
		});
	});

	/** Where the source of the developer leads. */
	async function linkOfDeveloper(page: Page): Promise<string | null> {
		await page.getByRole("button", { name: "source of Developer" }).click();
		return page
			.getByRole("region", { name: /comes from/ })
			.locator("dd a")
			.getAttribute("href");
	}

	test("its medians equal those of the API's groups, and the capacity ahead of it that of its point of interconnection", async () => {
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?status=Active&per_page=500`);
		const placed = data.find(({ poi_id, queue_date }) => poi_id !== null && queue_date !== null);
		if (placed === undefined) throw new Error("no active request has a point of interconnection");
		const { region, kind, poi_id } = placed;
		const { waiting } = await read<Reply<"getPoi">>(`${world.url}/pois/${poi_id}`);
		const filters = `by=region&region=${region}&kind=${kind}&status=Active`;
		const { data: groups } = await read<Reply<"groupProjects">>(`${world.url}/projects/groups?${filters}`);
		await using opened = await open(browser, `${world.url}/projects/${placed.id}`, desktop);
		const { page } = opened;
		const ahead = waiting.find((one) => one.id === placed.id)?.ahead?.requests;
		await page.locator("[data-ahead]").waitFor();
		expect(await page.locator("[data-ahead]").getAttribute("data-ahead")).toBe(String(ahead));
		expect(await page.locator("[data-peers=median_days_waiting] td").nth(1).textContent()).toBe(
			groups[0]?.median_days_waiting?.toLocaleString("en-US"),
		);
	});

	test("it can be watched and unwatched with the browser's key; without one the button states what is missing", async () => {
		const body = JSON.stringify({ email: "watch@example.com" });
		const { key } = await read<Reply<"register">>(`${world.url}/register`, {
			...{ method: "POST", headers: { "content-type": "application/json" }, body },
		});
		const watched = async () =>
			(await read<Reply<"listWatchlists">>(`${world.url}/watchlists`, { headers: { "x-api-key": key } })).data.map(
				({ filters }) => filters.id,
			);
		await using opened = await open(browser, `${world.url}/projects/${id}`, desktop);
		const { page } = opened;
		await page.getByRole("button", { name: "Watch" }).click();
		await page.getByRole("link", { name: "get a free key" }).waitFor();
		await page.evaluate(`sessionStorage.setItem("api-key", ${JSON.stringify(key)})`);
		await page.reload();
		await page.getByRole("button", { name: "Watch", exact: true }).click();
		await page.getByRole("button", { name: "Watched" }).waitFor();
		expect(await watched()).toEqual([[id]]);
		await page.getByRole("button", { name: "Watched" }).click();
		await page.getByRole("button", { name: "Watch", exact: true }).waitFor();
		expect(await watched()).toEqual([]);
	});

	test("a request is compared with one that a search adds; what differs is marked, and an unknown id is named", async () => {
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=500`);
		const other = data.find((one) => one.id !== id && one.region !== id.split("-")[0]);
		if (other === undefined) throw new Error("there is one operator");
		await using opened = await open(browser, `${world.url}/projects/${id}`, desktop);
		const { page } = opened;
		await page.getByRole("link", { name: "Compare with another" }).click();
		await page.getByLabel("Add a request").fill(other.id);
		await page.getByRole("button", { name: "Search" }).click();
		await page.getByRole("button", { name: `Add ${other.id}` }).click();
		const operators = page.locator("[data-fact='Grid operator'][data-differs] td");
		await eventually(async () => (await operators.count()) === 2);
		expect((await operators.allTextContents()).at(1)).toBe(other.region);
		expect(new URL(page.url()).search).toBe(`?ids=${id},${other.id}`);
		await page.goBack();
		await page.getByText("Add at least one request").waitFor();
		await page.goto(`${world.url}/projects/compare?ids=${id},NYISO-99999`);
		await page.getByText("No request has the id NYISO-99999.").waitFor();
		expect(opened.complaints).toEqual([]);
	});

	test("the keyboard opens a source, reads it again, and returns when Escape closes it", async () => {
		await using opened = await open(browser, `${world.url}/projects/${id}`, desktop);
		const { page } = opened;
		const source = page.getByRole("button", { name: "source of Capacity" });
		await source.waitFor();
		await page.keyboard.press("Tab");
		await page.keyboard.press("Enter");
		await tabTo(source);
		await page.keyboard.press("Enter");
		const panel = page.getByRole("region", { name: /Where .*Capacity.* comes from/ });
		await eventually(() => hasFocus(panel));
		const again = panel.getByRole("button", { name: "Read it again" });
		await again.waitFor();
		await page.keyboard.press("Tab");
		expect(await hasFocus(again)).toBe(true);
		await page.keyboard.press("Enter");
		await panel.getByText(/The file contains .*: the same\./).waitFor();
		await page.keyboard.press("Escape");
		await panel.waitFor({ state: "detached" });
		expect(await hasFocus(source)).toBe(true);
		await page.keyboard.press("Enter");
		await eventually(() => hasFocus(panel));
		await tabTo(panel.getByRole("button", { name: "Close" }));
		await page.keyboard.press("Enter");
		await panel.waitFor({ state: "detached" });
		expect(await hasFocus(source)).toBe(true);
		expect(opened.complaints).toEqual([]);
	});

	test("its neighbours are the other requests at its point of interconnection, summed by status", async () => {
		const { data } = await read<Reply<"listProjects">>(
			`${world.url}/projects?per_page=500&include_unlisted=true&population=all`,
		);
		const byPoi = Map.groupBy(
			data.filter(({ poi }) => poi !== null),
			({ poi, region }) => `${region} ${poi?.toLowerCase()}`,
		);
		const together = [...byPoi.values()].find(({ length }) => length > 1);
		const [own, ...others] = together ?? [];
		expect(others.length).toBeGreaterThan(0);
		await using opened = await open(browser, `${world.url}/projects/${own?.id}`, desktop);
		const { page } = opened;
		await page.locator("[data-neighbour]").first().waitFor();
		const shown = await page
			.locator("[data-neighbour]")
			.evaluateAll((rows) => rows.map((row) => row.dataset.neighbour));
		expect(shown.sort()).toEqual(others.map(({ id }) => id).sort());
		const sums = Map.groupBy(others, ({ status_std }) => status_std);
		for (const [status, requests] of sums) {
			const mw = requests.reduce((sum, { capacity_mw }) => sum + (capacity_mw ?? 0), 0);
			expect(await page.locator(`[data-neighbours="${status}"] td`).allTextContents()).toEqual([
				String(requests.length),
				`${mw.toLocaleString("en-US", { maximumFractionDigits: 1 })} MW`,
			]);
		}
	});

	test("the chain of companies leads from the filed name to the developer, with evidence", async () => {
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=500`);
		const filed = data.find(
			({ developer, developer_canonical }) => developer && developer_canonical && developer !== developer_canonical,
		);
		const project = await read<Reply<"getProject">>(`${world.url}/projects/${filed?.id}`);
		await using opened = await open(browser, `${world.url}/projects/${project.id}`, desktop);
		const { page } = opened;
		await page.locator("[data-company=Developer]").waitFor();
		expect(await page.locator("[data-company='Filed by'] b").textContent()).toBe(project.developer);
		expect(await page.locator("[data-company=Developer] b").textContent()).toBe(project.developer_canonical);
		expect(await page.locator("[data-company=Developer]").textContent()).toContain(
			project.developer_match?.matched_text ?? "nothing",
		);
	});

	test("it shows that the service fails, and recovers by itself", { tags: ["campaign"] }, async () => {
		await using opened = await openUnanswered(browser, `${world.url}/projects/${id}`);
		const { page } = opened;
		await opened.answer();
		await page.locator(".states > li").first().waitFor();
		await eventually(async () => (await page.locator(".failure").count()) === 0);
	});

	test("for a past day it shows that day's facts with a notice, and links to that day", async () => {
		const { data: states } = await read<Reply<"getProjectHistory">>(`${world.url}/projects/${id}/history`);
		const day = states[0]?.valid_from.slice(0, 10) ?? "";
		await using opened = await open(browser, `${world.url}/projects/${id}?as_of=${day}`, desktop);
		const then = await read<Reply<"getProject">>(`${world.url}/projects/${id}?as_of=${day}`);
		await opened.page.getByText(`As the lists of ${day} and before have it.`).waitFor();
		expect((await opened.page.locator(".summary").textContent()) ?? "").toContain(then.cod ?? then.queue_id);
		expect(then.score_basis).toBe("unpublished");
		await opened.page.getByText(`No score of this request was published on ${day}.`).waitFor();
		expect(await linkOfDeveloper(opened.page)).toMatch(new RegExp(`^/developers/\\d+\\?as_of=${day}$`));
		expect(opened.complaints).toEqual([]);
	});

	test("an unknown request gives an error without retries", async () => {
		await using opened = await open(browser, `${world.url}/projects/NYISO-99999`, desktop);
		await opened.page.locator(".failure").waitFor();
		expect(await opened.page.locator(".failure").textContent()).not.toContain("Trying again");
	});

	test("names and headlines that are markup, reorder their line, lead to a script or are very long are shown as text", async () => {
		const name = `<script>document.title="run"</script>\u202e${"x".repeat(10_000)}`;
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		const headline = {
			...{ event_type: "financing", title: "<img src=x onerror=alert(1)>\u202eevil", url: "javascript:alert(1)" },
			...{
				domain: "<b>",
				published_at: "2026-01-01T00:00:00Z",
				source: "x",
				matched_on: "title",
				matched_text: "\u200f",
			},
			...{ match_confidence: 0.9, subject: "developer", source_country: null, copies: 0 },
		};
		const news = { data: [headline], meta: { total: 1, page: 1, per_page: 10, pages: 1 }, developer: "x" };
		const project = await read<Reply<"getProject">>(`${world.url}/projects/${id}`);
		await page.route("**/web/data/developers/*/events?*", (route) => route.fulfill({ json: news }));
		await page.route(`**/web/data/projects/${id}`, (route) => route.fulfill({ json: { ...project, name } }));
		await page.goto(`${world.url}/projects/${id}`);
		const heading = page.locator("h1", { hasText: "document.title" });
		await heading.waitFor();
		const shown = (await heading.textContent()) ?? "";
		expect(shown.startsWith("<script>document")).toBe(true);
		expect(shown.includes("\u202e")).toBe(false);
		expect(shown.length).toBe(201 + ` (${project.region} ${project.queue_id})`.length);
		const line = page.locator("[data-news]");
		await line.waitFor();
		expect(await line.textContent()).toContain("<img src=x onerror=alert(1)>evil");
		expect([await line.locator("a").count(), await line.locator("img").count()]).toEqual([0, 0]);
		expect(await page.locator("main script").count()).toBe(0);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(desktop.width);
	});
});
