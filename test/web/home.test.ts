/** The landing page as a visitor sees it, against what the interface answers. */
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { count, counted, power } from "../../web/lib/text/format.ts";
import { startGateway } from "../api/support/gateway.ts";
import { eventually } from "../support/eventually.ts";
import { problemType } from "../support/problem.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, openUnanswered, read, test } from "./support.ts";

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

test("an address returns a page or JSON by the Accept header, and caches keep them apart", async () => {
	const asBrowser = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
	const page = await fetch(world.url, asBrowser);
	const json = await fetch(world.url);
	expect(page.headers.get("content-type")).toMatch(/^text\/html/);
	expect(json.headers.get("content-type")).toMatch(/^application\/json/);
	for (const { headers } of [page, json]) expect(headers.get("vary")?.split(/, */)).toContain("Accept");
	const tags = [page, json].map(({ headers }) => headers.get("etag") ?? "");
	expect(new Set(tags).size).toBe(2);
	const [tag = ""] = tags;
	const again = await fetch(world.url, { headers: { ...asBrowser.headers, "if-none-match": tag } });
	expect(again.status).toBe(304);
	expect(page.headers.get("content-security-policy")).not.toContain("unsafe");
	expect(await json.json()).toMatchObject({ mcp_server: expect.stringContaining("/mcp") });
});

test("link previews have the page's title and a picture of the service", async () => {
	await using elsewhere = await startGateway({ owner: null, settings: { PUBLIC_URL: "https://energy.example/" } });
	const page = await (await fetch(`${elsewhere.url}/changes`, { headers: { accept: "text/html" } })).text();
	const [, picture = ""] = /<meta property="og:image" content="([^"]+)">/.exec(page) ?? [];
	const { origin, pathname } = new URL(picture);
	expect(origin).toBe("https://energy.example");
	const answer = await fetch(`${elsewhere.url}${pathname}`);
	expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
	const bytes = Buffer.from(await answer.arrayBuffer());
	expect(bytes.subarray(0, 3).toString("hex")).toBe("ffd8ff");
	// Without an address of its own it would be one of nowhere.
	const unnamed = await (await fetch(world.url, { headers: { accept: "text/html" } })).text();
	expect(unnamed).not.toContain("og:image");
});

test("its first view is below 100 KB compressed", async () => {
	const page = await (await fetch(world.url, { headers: { accept: "text/html" } })).text();
	const parts = [...page.matchAll(/(?:href|src)="(\/web\/assets\/[^"]+)"/g)].map(([, path]) => `${world.url}${path}`);
	expect(parts.length).toBeGreaterThan(1);
	const bodies = await Promise.all(parts.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())));
	const sizes = [Buffer.from(page), ...bodies].map((bytes) => gzipSync(bytes).length);
	expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
});

test("assets are cached permanently under names that depend on their content", async () => {
	const page = await (await fetch(world.url, { headers: { accept: "text/html" } })).text();
	const [, path = ""] = /src="([^"]+)"/.exec(page) ?? [];
	const script = await fetch(`${world.url}${path}`);
	expect(script.headers.get("cache-control")).toContain("immutable");
	expect((await fetch(`${world.url}/web/assets/..%2fmanifest.json`)).status).toBe(404);
});

test.each([
	["/nothing-here", 404],
	["/projects/NOPE-1", 404],
	["/developers/nope", 404],
	["/projects/NOPE-1/history", 404],
	["/projects?per_page=x", 422],
	["/projects/NOPE-1?as_of=soon", 422],
	["/usage", 403],
])("%s returns a page to browsers and JSON to others, both with status %i", async (path, status) => {
	const asJson = await fetch(`${world.url}${path}`);
	const asPage = await fetch(`${world.url}${path}`, { headers: { accept: "text/html" } });
	expect([asJson.status, asJson.headers.get("content-type")]).toEqual([status, problemType]);
	expect([asPage.status, asPage.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
	expect(asPage.headers.get("vary")).toContain("Accept");
	const { detail } = (await asJson.json()) as { detail: string };
	const text = (await asPage.text()).replace(/&quot;/g, '"');
	expect(text).toContain(detail);
	expect(text.match(/<h1>/g)).toHaveLength(1);
	const sent = await fetch(`${world.url}${path}`, { method: "POST", headers: { accept: "text/html" } });
	expect(sent.headers.get("content-type")).toBe(problemType);
});

test("an error page shows the address as text, not as markup", async () => {
	const path = "/developers/%3Cimg%20src=x%20onerror=alert(1)%3E";
	const page = await (await fetch(`${world.url}${path}`, { headers: { accept: "text/html" } })).text();
	expect(page).toContain("&lt;img src=x");
	expect(page).not.toContain("<img");
});

test("the page of a request ignores unknown parameters, and is found by each of its numbers", async () => {
	const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`);
	const path = `/projects/${data[0]?.id}`;
	for (const query of ["", "?utm_source=news"]) {
		const page = await fetch(`${world.url}${path}${query}`, { headers: { accept: "text/html" } });
		expect([query, page.status]).toEqual([query, 200]);
	}
});

test("the navigation marks the present page", async () => {
	const current = async (path: string) => {
		const page = await (await fetch(`${world.url}${path}`, { headers: { accept: "text/html" } })).text();
		const [site = ""] = page.split("</header>");
		return [...site.matchAll(/<a href="([^"]+)" aria-current="([^"]+)">/g)].map(([, address, kind]) => [address, kind]);
	};
	expect(await current("/")).toEqual([["/", "page"]]);
	expect(await current("/changes")).toEqual([["/changes", "page"]]);
	expect(await current("/grid/plants")).toEqual([["/grid/plants", "page"]]);
	expect(await current("/datacenters/pipeline")).toEqual([["/datacenters", "true"]]);
	expect(await current("/docs/events")).toEqual([["/docs", "true"]]);
	expect(await current("/docs/guides/feed")).toEqual([["/docs", "true"]]);
	expect(await current("/nothing-here")).toEqual([]);
});

describe.skipIf(!hasBrowser)("in a browser", () => {
	let browser: Browser;
	test.beforeAll(({ browser: chromium }) => {
		browser = chromium;
	});

	test("its figures equal those of /stats", async () => {
		await using opened = await open(browser, world.url, desktop);
		const { data } = await read<Reply<"getStats">>(`${world.url}/stats`);
		const figures = {
			active: count(data.active_projects),
			active_capacity_gw: power(data.active_capacity_gw * 1_000),
			total_projects: count(data.total_projects),
		};
		for (const [name, figure] of Object.entries(figures)) {
			const shown = opened.page.locator(`[data-figure=${name}]`);
			await eventually(async () => (await shown.textContent()) === figure);
		}
		const years = await read<Reply<"groupProjects">>(`${world.url}/projects/groups?by=cod_year&active=true`);
		const titles = opened.page.locator("figure rect title");
		for (const { value, requests, capacity_mw } of years.data.slice(0, 5).filter((row) => row.value !== null))
			await eventually(async () =>
				expect(await titles.allTextContents()).toContain(
					`${value}: All, ${counted(requests, "request")}, ${power(capacity_mw)}`,
				),
			);
		expect(opened.complaints).toEqual([]);
	});

	test("the changes are the newest of /changes", async () => {
		await using opened = await open(browser, world.url, desktop);
		await opened.page.locator("[data-seq]").first().waitFor();
		const shown = await opened.page.locator("[data-seq]").evaluateAll((rows) => rows.map((row) => row.dataset.seq));
		const { data } = await read<Reply<"listChanges">>(`${world.url}/changes?since_days=90&per_page=10`);
		expect(shown).toEqual(data.map(({ seq }) => String(seq)));
	});

	test("the search corrects typing errors; arrow keys choose a result, Enter opens it and Escape closes the list", async () => {
		await using opened = await open(browser, world.url, desktop);
		const { page } = opened;
		const { results } = await read<Reply<"search">>(`${world.url}/search?q=solar&per_page=12`);
		const [project] = (await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`)).data;
		const box = page.getByRole("combobox");
		await box.focus();
		await page.keyboard.type("sollar");
		await page.getByText("Showing results for").waitFor();
		expect(await page.getByRole("option").count()).toBe(results.length);
		await page.keyboard.press("ArrowUp");
		const chosen = page.getByRole("option", { selected: true });
		expect(await box.getAttribute("aria-activedescendant")).toBe(await chosen.getAttribute("id"));
		expect(await chosen.textContent()).toBe(await page.getByRole("option").last().textContent());
		await page.keyboard.press("Escape");
		expect(await page.getByRole("option").count()).toBe(0);
		await box.fill(project?.id ?? "");
		// Results of the text before are shown until the new ones are read.
		const first = page.locator(`[role=option]:first-child[href="/projects/${project?.id}"]`);
		await first.waitFor();
		expect(await first.textContent()).toContain(`· ${project?.region} · ${project?.status_std}`);
		await page.keyboard.press("ArrowDown");
		await page.keyboard.press("Enter");
		await page.waitForURL(`${world.url}/projects/${project?.id}`);
	});

	test("the page for unknown addresses has a search", async () => {
		await using opened = await open(browser, `${world.url}/robots.txt`, desktop);
		const { page } = opened;
		await page.goto(`${world.url}/projects/NOPE-1`);
		expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("There is nothing at this address");
		await page.getByRole("combobox").fill("solar");
		await page.locator(".hits a").first().waitFor();
		await page.getByRole("navigation").getByRole("link", { name: "Changes" }).click();
		await page.locator(".changes > li").first().waitFor();
	});

	test("error pages give the reason: a key is needed, a file is not licensed, a part of the address is wrong", async () => {
		const shown = async (path: string) => {
			const page = await (await fetch(world.url + path, { headers: { accept: "text/html" } })).text();
			return [/<h1>([^<]*)</.exec(page)?.[1], /<p class="failure"[^>]*>([^<]*)</.exec(page)?.[1]];
		};
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`);
		const { files } = await read<Reply<"getProjectProvenance">>(`${world.url}/projects/${data[0]?.id}/provenance`);
		expect(await shown(`/files/${files[0]?.sha256}/bytes`)).toEqual([
			"This is refused",
			expect.stringContaining("the file is not passed on"),
		]);
		expect(await shown("/usage")).toEqual(["This needs a key", expect.stringContaining("X-API-Key")]);
		expect(await shown("/projects?region=NOWHERE")).toEqual([
			"A part of this address is wrong",
			expect.stringContaining("region"),
		]);
	});

	test("it shows that the service fails, and recovers by itself", async () => {
		await using opened = await openUnanswered(browser, world.url);
		const { page } = opened;
		await opened.answer();
		await page.locator("[data-seq]").first().waitFor();
		await eventually(async () => (await page.locator(".failure").count()) === 0);
	});
});
