/** The page to explore requests: map, filters, totals and table say what the interface answers, and the address says all of it. */
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, hasFocus, type Opened, open, openUnanswered, read, tabTo, test } from "./support.ts";

describe.skipIf(!hasBrowser)("the page to explore", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	const projects = (query: string) => read<Reply<"listProjects">>(`${world.url}/projects?${query}`);
	const groups = (query: string) => read<Reply<"groupProjects">>(`${world.url}/projects/groups?per_page=100&${query}`);
	const ids = (page: Page) =>
		page.locator(".rows [data-id]").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-id")));
	const queryOf = (page: Page) => new URLSearchParams(new URL(page.url()).search);

	/** The page without its map, which a machine without a graphics card takes long to draw: the page says so, and shows all else. */
	async function openTable(path: string): Promise<Opened> {
		const opened = await open(browser, `${world.url}/robots.txt`, desktop);
		await withoutMap(opened.page);
		await opened.page.goto(world.url + path);
		return opened;
	}
	/** The map's module exports nothing. */
	const withoutMap = (page: Page) =>
		page.route("**/view-*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));

	/** Totals, the first rows and the number of rows are those of the interface. */
	async function expectShown(page: Page, query: string, order = "sort=capacity_mw&order=desc"): Promise<void> {
		const { data, meta } = await projects(`per_page=10&${order}&${query}`);
		await eventually(async () => {
			expect(await page.locator("#totals").getAttribute("data-total")).toBe(String(meta.total));
			expect(await page.locator("[data-rows]").getAttribute("data-rows")).toBe(String(meta.total));
			expect((await ids(page)).slice(0, data.length)).toEqual(data.map(({ id }) => id));
			return true;
		});
		const byStatus = (await groups(`by=status&${query}`)).data.slice(0, 8);
		const byTechnology = (await groups(`by=technology&${query}`)).data.slice(0, 8);
		const shown = await page
			.locator(".groups [data-group]")
			.evaluateAll((rows) => rows.map((row) => [row.dataset.group, row.querySelector("td")?.textContent]));
		for (const { value, requests } of [...byStatus, ...byTechnology])
			expect(shown).toContainEqual([value, requests.toLocaleString("en-US")]);
	}

	test("totals and table equal the API's and follow the filters, and the address has their state", async () => {
		await using opened = await openTable("/explore?region=MISO,PJM");
		const { page } = opened;
		await expectShown(page, "region=MISO,PJM");
		await page.getByText("The map cannot be shown here").waitFor();
		await page.getByLabel("Active", { exact: true }).check();
		await expectShown(page, "region=MISO,PJM&status=Active");
		await page.getByLabel("From MW").fill("100");
		await expectShown(page, "region=MISO,PJM&status=Active&capacity_min=100");
		expect(queryOf(page).get("status")).toBe("Active");
		expect(queryOf(page).get("capacity_min")).toBe("100");
		const href = (await page.getByRole("link", { name: "CSV" }).getAttribute("href")) ?? "";
		const lines = (await (await fetch(href)).text()).trim().split("\n");
		expect(lines).toHaveLength((await projects("region=MISO,PJM&status=Active&capacity_min=100")).meta.total + 1);
		await page.reload();
		await expectShown(page, "region=MISO,PJM&status=Active&capacity_min=100");
		await page.goBack();
		await expectShown(page, "region=MISO,PJM&status=Active");
		expect(await page.getByLabel("From MW").inputValue()).toBe("");
		await page.goBack();
		await expectShown(page, "region=MISO,PJM");
		await page.goForward();
		await expectShown(page, "region=MISO,PJM&status=Active");
		expect(opened.complaints).toEqual([]);
	});

	test("an empty table says how far the lists reach", async () => {
		const { meta } = await projects("region=MISO&withdrawn_from=2099-01-01");
		expect([meta.total, meta.coverage?.MISO]).toEqual([0, expect.any(String)]);
		await using opened = await open(browser, "about:blank", desktop);
		await withoutMap(opened.page);
		await opened.page.clock.setFixedTime(Date.now() + 60 * 86_400_000);
		await opened.page.goto(`${world.url}/explore?region=MISO&withdrawn_from=2099-01-01`);
		const note = `MISO: no list since ${meta.coverage?.MISO}. What happened later is not known.`;
		await opened.page.locator("[data-rows]", { hasText: `No request matches the filters. ${note}` }).waitFor();
		await opened.page.locator(".totals", { hasText: note }).waitFor();
	});

	test("totals are of the filters that are chosen: none is shown while they are counted, or cannot be", async () => {
		await using opened = await openTable("/explore?region=MISO");
		const { page } = opened;
		await expectShown(page, "region=MISO");
		const reads: { abort(): Promise<void>; continue(): Promise<void> }[] = [];
		await page.route("**/web/data/projects/groups?*", (route) => void reads.push(route));
		await page.getByLabel("From MW").fill("100");
		await page.getByText("Counting requests…").waitFor();
		expect(await page.locator("[data-group]").count()).toBe(0);
		await eventually(async () => expect(reads.length).toBeGreaterThan(2));
		await Promise.all(reads.splice(0).map((route) => route.abort()));
		await page.locator(".shown > .failure").waitFor();
		expect(await page.locator("#totals").count()).toBe(0);
		await page.unroute("**/web/data/projects/groups?*");
		// Sooner than the page retries by itself.
		await page.getByLabel("From MW").fill("101");
		await expectShown(page, "region=MISO&capacity_min=101");
		await page.getByLabel("To MW").fill("50");
		await page.getByText("No request matches: “From MW” is greater than “To MW”.").waitFor();
	});

	test("the text filter forgives slips, and offers the county or developer that the text names", async () => {
		await using opened = await openTable("/explore?q=sollar");
		const { page } = opened;
		await page.getByText("Nothing contains “sollar”. Showing solar.").waitFor();
		await expectShown(page, "q=solar");
		expect(queryOf(page).get("q")).toBe("sollar");
		const [county] = (await groups("by=county")).data.filter(({ fips }) => fips !== null);
		await page.getByRole("searchbox").fill(`${county?.county} ${county?.state}`);
		await page.getByRole("button", { name: `County ${county?.county}, ${county?.state}` }).click();
		await expectShown(page, `fips=${county?.fips}`);
	});

	test("a filter that is set while a typed one waits keeps both, and a typed radius is not replaced by its old value", async () => {
		await using opened = await openTable("/explore?near=Midland,+TX&radius_km=80");
		const { page } = opened;
		const field = (label: string) => page.getByLabel(label, { exact: true }).elementHandle();
		const labels = ["Name, number, developer or substation", "Active", "Unit", "Within"];
		await page.evaluate(
			async (fields) => {
				const [text, active, unit, radius] = fields as unknown as (EventTarget & { value: string; click(): void })[];
				const set = (input: typeof text, value: string, event: string) => {
					if (input === undefined) throw new Error("a field is missing");
					input.value = value;
					input.dispatchEvent(new Event(event, { bubbles: true }));
				};
				set(text, "wind", "input");
				active?.click();
				set(unit, "km", "change");
				// The page is drawn with the new unit, but its effects have not run.
				await Promise.resolve();
				set(radius, "50", "input");
			},
			await Promise.all(labels.map(field)),
		);
		const set = { q: "wind", status: "Active", near: "Midland, TX", radius_km: "50" };
		await eventually(() => {
			expect(Object.fromEntries(queryOf(page))).toMatchObject(set);
			return true;
		});
		await page.getByRole("button", { name: "Clear all filters" }).click();
		await eventually(() => !queryOf(page).has("q"));
		// A text that came back would be set again before this one.
		await page.getByLabel("From MW").fill("100");
		await eventually(() => queryOf(page).has("capacity_min"));
		expect(Object.fromEntries(queryOf(page))).toEqual({ capacity_min: "100" });
	});

	test("columns can be hidden, which the URL records", async () => {
		await using opened = await openTable("/explore?hide=county,poi");
		const { page } = opened;
		await expectShown(page, "");
		const headings = async () => (await page.locator(".rows thead th").allTextContents()).map((text) => text.trim());
		expect(await headings()).not.toContain("County");
		await page.getByText("Columns", { exact: true }).click();
		await page.getByLabel("County", { exact: true }).check();
		await page.getByLabel("Study phase", { exact: true }).uncheck();
		await eventually(async () => expect(await headings()).toContain("County"));
		expect(await headings()).not.toContain("Study phase");
		expect(queryOf(page).get("hide")).toBe("poi,study_phase");
	});

	test("a long list shows its first 1,000 rows with a notice", async () => {
		await using opened = await openTable("/robots.txt");
		const { page } = opened;
		const { data, meta } = await projects("per_page=50");
		const json = { data, meta: { ...meta, total: 25_000 } };
		await page.route("**/web/data/projects?*", (route) => route.fulfill({ json }));
		await page.goto(`${world.url}/explore`);
		await page.locator("[data-beyond]").waitFor();
		expect(await page.locator("[data-rows]").getAttribute("data-rows")).toBe("25000");
		expect(await page.locator(".rows table").getAttribute("aria-rowcount")).toBe("1001");
	});

	test("every filter in the address applies, is shown and can be removed", async () => {
		const { data } = await read<Reply<"listDevelopers">>(`${world.url}/developers?per_page=1`);
		const [developer] = data;
		const query = `developer_id=${developer?.developer_id}`;
		await using opened = await openTable(`/explore?${query}`);
		const { page } = opened;
		await expectShown(page, query);
		expect(queryOf(page).get("developer_id")).toBe(String(developer?.developer_id));
		await page.getByText(`Developer: ${developer?.canonical_name}`).waitFor();
		await page.getByRole("button", { name: /^Without Developer/ }).click();
		await expectShown(page, "");
		expect(queryOf(page).has("developer_id")).toBe(false);
		await page.goto(`${world.url}/explore?bbox=1,2,3`);
		await page.getByText("bbox: must be west,south,east,north in degrees").first().waitFor();
		expect(await page.getByText("Reading…").count()).toBe(0);
	});

	test("a past day equals the API's", async () => {
		const yesterday = new Date(world.clock.now.getTime() - 86_400_000).toISOString().slice(0, 10);
		await using opened = await openTable(`/explore?as_of=${yesterday}`);
		await expectShown(opened.page, `as_of=${yesterday}`);
		const { meta } = await groups(`by=status&as_of=${yesterday}`);
		const lists = Object.entries(meta.coverage ?? {}).map(([region, day]) => `${region} ${day ?? "none yet"}`);
		expect(lists.length).toBeGreaterThan(3);
		expect(await opened.page.locator("[data-lists]").textContent()).toBe(`By the lists of ${lists.join(" · ")}`);
		await opened.page.getByRole("button", { name: "Now" }).click();
		await expectShown(opened.page, "");
	});

	test("scores of a past day are labelled and link to the request as of that day", {
		tags: ["campaign"],
	}, async () => {
		const yesterday = new Date(world.clock.now.getTime() - 86_400_000).toISOString().slice(0, 10);
		const query = `as_of=${yesterday}`;
		const { data } = await projects(`per_page=10&sort=capacity_mw&order=desc&${query}`);
		expect(data.length).toBeGreaterThan(0);
		// A filter by score is of the present alone.
		await using opened = await open(browser, `${world.url}/explore?${query}&min_score=1`, desktop);
		const { page } = opened;
		await expectShown(page, query);
		const cells = page.locator(".rows [data-id] td:nth-child(9)");
		expect((await cells.allTextContents()).slice(0, data.length).map((text) => text.trim())).toEqual(
			data.map(({ investability_score }) => (investability_score === null ? "–" : String(investability_score))),
		);
		const [first] = data;
		const row = page.locator(`[data-id="${first?.id}"]`);
		expect(await row.getByRole("link").getAttribute("href")).toBe(`/projects/${first?.id}?as_of=${yesterday}`);
		await row.getByRole("button").click();
	});

	test("the slider has a tick for each day with a list, and keys move between them", {
		tags: ["campaign"],
	}, async () => {
		const { queues } = await read<Reply<"getCoverage">>(`${world.url}/coverage`);
		const days = [...new Set(queues.flatMap(({ list_days }) => list_days))].sort();
		expect(days.length).toBeGreaterThan(1);
		await using opened = await open(browser, `${world.url}/explore`, desktop);
		const { page } = opened;
		await page.locator(".ticks").waitFor();
		expect(await page.locator(".ticks").getAttribute("data-days")).toBe(days.join());
		const today = new Date().toISOString().slice(0, 10);
		const past = days.filter((day) => day < today);
		await page.locator("#as-of").focus();
		await page.keyboard.press("ArrowLeft");
		await eventually(() => queryOf(page).get("as_of") === past.at(-1));
		await expectShown(page, `as_of=${past.at(-1)}`);
		await page.keyboard.press("ArrowRight");
		await eventually(() => queryOf(page).get("as_of") === (days.includes(today) ? null : (days.at(-1) ?? null)));
	});

	test("the map requests tiles for every kind of filter and the points it shows; a circle is drawn on it and removed", async () => {
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		const tiles: URLSearchParams[] = [];
		page.on("request", (request) => {
			const url = new URL(request.url());
			if (url.pathname.endsWith(".mvt")) tiles.push(url.searchParams);
		});
		const chosen = { population: "all", lat: "31", lon: "-99", radius_km: "400", bbox: "-105,25,-90,37" };
		const shown = { points: "true", map: "4.00/38.0000/-96.0000" };
		const sent = page.waitForRequest((request) => new URL(request.url()).pathname === "/web/data/pois");
		await page.goto(`${world.url}/explore?${new URLSearchParams({ ...chosen, ...shown })}`);
		await eventually(() => tiles.length > 0);
		expect(Object.fromEntries(tiles[0] ?? [])).toEqual(chosen);
		const bbox = new URL((await sent).url()).searchParams.get("bbox") ?? "";
		expect(bbox.split(",").map(Number)).toHaveLength(4);
		const { meta } = await read<Reply<"listPois">>(`${world.url}/pois?per_page=50&bbox=${bbox}`);
		expect(meta.total).toBeGreaterThan(0);
		await page.getByText("All requests of a point are counted").waitFor();
		await page.getByLabel("Show points of interconnection").uncheck();
		await eventually(() => !queryOf(page).has("points"));
		expect(await page.locator(".map-note.failure").count()).toBe(0);
		expect(opened.complaints).toEqual([]);
		await page.getByRole("button", { name: "Remove the circle of 400 km" }).click();
		await eventually(() => !queryOf(page).has("radius_km"));
		// A county without the sample's requests: the circle is drawn around the centre that the API names.
		await page.getByLabel("Near (county, state)").fill("Midland, TX");
		await page.getByRole("button", { name: "Remove the circle of 80 km" }).waitFor();
		await page.getByLabel("Unit").selectOption("km");
		await page.getByLabel("Within", { exact: true }).fill("50");
		await eventually(() =>
			tiles.some((query) => query.get("near") === "Midland, TX" && query.get("radius_km") === "50"),
		);
		await page.getByRole("button", { name: "Remove the circle of 50 km" }).click();
		await eventually(() => !queryOf(page).has("near"));
		await page.getByRole("button", { name: "Draw a circle" }).click();
		const canvas = page.locator(".map canvas");
		await canvas.scrollIntoViewIfNeeded();
		const { x, y, width, height } = (await canvas.boundingBox()) ?? {
			x: 0,
			y: 0,
			width: 0,
			height: 0,
		};
		await page.mouse.move(x + width / 2, y + height / 2);
		await page.mouse.down();
		await page.mouse.move(x + width / 2 + 40, y + height / 2);
		await page.mouse.up();
		const radius = await eventually(() => Number(queryOf(page).get("radius_km")) || undefined);
		await page.getByRole("button", { name: `Remove the circle of ${Math.round(radius)} km` }).waitFor();
		await eventually(() => tiles.some((query) => query.get("radius_km") === queryOf(page).get("radius_km")));
		await page.getByRole("button", { name: "Draw an area" }).click();
		const corners = [
			[-60, -60],
			[60, -60],
			[60, 60],
			[-60, -60],
		] as const;
		for (const [right, down] of corners) await page.mouse.click(x + width / 2 + right, y + height / 2 + down);
		const polygon = await eventually(() => queryOf(page).get("polygon") ?? undefined);
		expect(polygon.split(",")).toHaveLength(6);
		await eventually(() => tiles.some((query) => query.get("polygon") === polygon));
		await page.getByRole("button", { name: "Remove the area" }).click();
		await eventually(() => !queryOf(page).has("polygon"));
	});

	test("the map draws clusters at the tiles' places, and a click opens one", { tags: ["campaign"] }, async () => {
		const url = `${world.url}/explore?map=3.00/38.0000/-96.0000`;
		await using opened = await open(browser, url, desktop, { drawsMaps: true });
		const { page } = opened;
		const canvas = page.locator(".map canvas");
		await canvas.waitFor();
		await page.getByText("Loading the map").waitFor({ state: "detached" });
		// The largest of what is drawn, by its colour: clusters are of the colours of technologies, land and sea are not.
		const spot = await eventually(async () => {
			const png = (await canvas.screenshot()).toString("base64");
			const found = await page.evaluate(`(${densestOf})("${png}")`);
			return (found as { x: number; y: number } | null) ?? undefined;
		});
		await canvas.click({ position: spot });
		await eventually(() => Number(queryOf(page).get("map")?.split("/")[0]) > 4.5);
		expect(opened.complaints).toEqual([]);
	});

	test("limiting totals to the map uses the API's bbox", { tags: ["campaign"] }, async () => {
		await using opened = await open(browser, `${world.url}/explore?map=5.50/31.5000/-99.0000&in_view=true`, desktop);
		const { page } = opened;
		const href = await eventually(async () => {
			const address = (await page.getByRole("link", { name: "CSV" }).getAttribute("href")) ?? "";
			return address.includes("bbox=") ? address : undefined;
		});
		const bbox = new URL(href).searchParams.get("bbox") ?? "";
		const { meta } = await projects(`bbox=${bbox}`);
		expect(meta.total).toBeGreaterThan(0);
		expect(meta.total).toBeLessThan((await projects("")).meta.total);
		await expectShown(page, `bbox=${bbox}`);
	});

	test("the keyboard sorts, and shows a row on the map", { tags: ["campaign"] }, async () => {
		await using opened = await open(browser, `${world.url}/explore`, desktop);
		const { page } = opened;
		await expectShown(page, "");
		await page.getByRole("button", { name: "Request", exact: true }).focus();
		await page.keyboard.press("Enter");
		await expectShown(page, "", "sort=name&order=asc");
		const { data } = await projects("per_page=100&sort=name&order=asc");
		const first = data.find(({ lat }) => lat !== null);
		await page.locator(`[data-id="${first?.id}"] button`).focus();
		await page.keyboard.press("Enter");
		const chosen = page.getByRole("complementary", { name: "Chosen on the map" });
		expect(await chosen.getByRole("link").getAttribute("href")).toBe(
			`/projects/${encodeURIComponent(first?.id ?? "")}`,
		);
		await page.getByRole("tab", { name: "Requests" }).focus();
		await page.keyboard.press("ArrowRight");
		await page.locator("[data-groups=county] tbody tr").first().waitFor();
		const [county] = (await groups("by=county")).data;
		expect(await page.locator("[data-groups=county] tbody th").first().textContent()).toBe(
			county?.county ?? "Not filed",
		);
	});

	test("the keyboard sets a filter and a day, opens a request from the map and returns, with visible focus", async () => {
		await using opened = await open(browser, `${world.url}/explore`, desktop);
		const { page } = opened;
		await expectShown(page, "");
		await page.locator(".ticks").waitFor();
		await page.keyboard.press("Tab");
		expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
		await page.keyboard.press("Enter");
		await page.keyboard.press("Tab");
		expect(await page.evaluate("document.activeElement.textContent")).toBe("Filters");
		await tabTo(page.getByLabel("Active", { exact: true }));
		await page.keyboard.press("Space");
		await expectShown(page, "status=Active");
		await tabTo(page.locator(".map canvas"));
		const zoom = () => Number(queryOf(page).get("map")?.split("/")[0]);
		await eventually(() => zoom() > 0);
		const before = zoom();
		await page.keyboard.press("Equal");
		await eventually(() => zoom() > before);
		await tabTo(page.getByRole("slider", { name: "As of" }));
		await page.keyboard.press("ArrowLeft");
		const day = await eventually(() => queryOf(page).get("as_of") ?? undefined);
		await expectShown(page, `status=Active&as_of=${day}`);
		const [first] = (await projects(`per_page=1&sort=capacity_mw&order=desc&status=Active&as_of=${day}`)).data;
		const button = page.locator(`[data-id="${first?.id}"] button`);
		await tabTo(button);
		await page.keyboard.press("Enter");
		const chosen = page.getByRole("complementary", { name: "Chosen on the map" });
		await eventually(() => hasFocus(chosen));
		await chosen.getByRole("link").waitFor();
		await page.keyboard.press("Tab");
		await page.keyboard.press("Tab");
		expect(await hasFocus(chosen.getByRole("link"))).toBe(true);
		await page.keyboard.press("Escape");
		await chosen.waitFor({ state: "detached" });
		expect(await hasFocus(button)).toBe(true);
		await tabTo(page.getByRole("link", { name: /^Skip the rows/ }), "Shift+Tab");
		await page.keyboard.press("Enter");
		await page.keyboard.press("Tab");
		expect(await hasFocus(page.getByRole("link", { name: "CSV" }))).toBe(true);
		expect(opened.complaints).toEqual([]);
	});

	test("it shows that the service fails, and recovers by itself", async () => {
		await using opened = await openUnanswered(browser, `${world.url}/explore`);
		const { page } = opened;
		await opened.answer();
		await expectShown(page, "");
		await eventually(async () => (await page.locator(".failure").count()) === 0);
	});
});

/** Runs in the page: the middle of the largest spot of a saturated colour in a picture; null without one. */
const densestOf = `async (png) => {
	const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]));
	const canvas = new OffscreenCanvas(picture.width, picture.height);
	const context = canvas.getContext("2d");
	context.drawImage(picture, 0, 0);
	const { data, width, height } = context.getImageData(0, 0, picture.width, picture.height);
	const cell = 12;
	const cells = new Map();
	for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) {
		const [r, g, b] = data.subarray((y * width + x) * 4);
		if (Math.max(r, g, b) - Math.min(r, g, b) < 70) continue;
		const key = Math.floor(x / cell) + " " + Math.floor(y / cell);
		cells.set(key, (cells.get(key) ?? 0) + 1);
	}
	const [best, count] = [...cells].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
	const [x, y] = best.split(" ").map((at) => (Number(at) + 0.5) * cell);
	return count < 40 ? null : { x, y };
}`;
