/** A visitor without a key, from an address that is not this machine's, looks at every page under the limits as they are by default. */
import type { Browser, Request } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import type { World } from "../support/world.ts";
import { hasBrowser, read, test } from "./support.ts";
import { namesOfLists } from "./views.ts";

describe.skipIf(!hasBrowser)("a walk through the pages", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	/** Guides are alike, and lists: unless `isEvery`, there is one of each. */
	async function addresses(isEvery: boolean): Promise<string[]> {
		const robots = await (await fetch(`${world.url}/robots.txt`)).text();
		const [, address = ""] = /^Sitemap: (.+)$/m.exec(robots) ?? [];
		expect(new URL(address).origin).toBe(world.url);
		const siteMap = await (await fetch(address)).text();
		const pages = [...siteMap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = ""]) => new URL(address).pathname);
		const most = `per_page=${isEvery ? 2 : 1}`;
		const projects = await read<Reply<"listProjects">>(`${world.url}/projects?${most}`);
		const developers = await read<Reply<"listDevelopers">>(`${world.url}/developers?${most}`);
		const guides = pages.filter((page) => page.startsWith("/docs/guides/"));
		const lists = pages.filter((page) => page in namesOfLists);
		expect(Math.min(guides.length, lists.length)).toBeGreaterThan(1);
		const alike = isEvery ? [] : [...guides.slice(1), ...lists.slice(1)];
		return [
			...pages.filter((page) => !alike.includes(page)),
			...projects.data.map(({ id }) => `/projects/${id}`),
			...developers.data.map(({ developer_id }) => `/developers/${developer_id}`),
		];
	}

	const expectUndisturbed = (visitor: string, isEvery: boolean) => async () => {
		const context = await browser.newContext({ extraHTTPHeaders: { "x-forwarded-for": visitor } });
		const page = await context.newPage();
		const refused: string[] = [];
		let answers = 0;
		page.on("response", (response) => {
			answers++;
			if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
		});
		await page.addInitScript(observeShifts);
		const shifts: Record<string, number> = {};
		const pending = new Set<Request>();
		page.on("request", (request) => void (request.resourceType() === "eventsource" || pending.add(request)));
		for (const end of ["requestfinished", "requestfailed"] as const)
			page.on(end as "requestfinished", (request) => void pending.delete(request));
		const walked = await addresses(isEvery);
		expect(walked.length).toBeGreaterThan(8);
		for (const address of walked) {
			await page.goto(`${world.url}${address}`);
			// Everything that it reads at first has been asked for once it shows the first of it.
			await page.locator("main :is(table, ol, ul, form, pre, canvas, [role=status]):visible").first().waitFor();
			await eventually(async () => pending.size === 0 && (await page.locator("[aria-busy=true]").count()) === 0);
			const shift = Number(await page.evaluate("shift"));
			if (shift >= 0.1) shifts[address] = shift;
			await page.mouse.wheel(0, 4_000);
		}
		expect(refused).toEqual([]);
		expect(shifts).toEqual({});
		expect(answers).toBeGreaterThan(walked.length * 3);
		// The address is limited: the walk was not of one that is let off.
		const responses = await Promise.all(
			Array.from({ length: 8 }, () =>
				fetch(`${world.url}/projects?per_page=1`, { headers: { "x-forwarded-for": visitor } }),
			),
		);
		expect(responses.map(({ status }) => status)).toContain(429);
		await context.close();
	};

	const title = "is refused, has a read that is refused, or moves while it is read";
	test(`no page of any kind ${title}`, expectUndisturbed("203.0.113.7", false));
	test(`no page ${title}`, { tags: ["campaign"] }, expectUndisturbed("203.0.113.8", true));
});

/** Runs in each page: sums the layout shifts that no input of the reader explains. */
const observeShifts = `
	globalThis.shift = 0;
	new PerformanceObserver((list) => {
		for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value;
	}).observe({ type: "layout-shift", buffered: true });
`;
