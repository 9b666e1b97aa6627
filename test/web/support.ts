/** A browser for tests of the pages, and everything that it complains of. */
import axe from "axe-core";
import type { Browser, ConsoleMessage, Locator, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import { test as reading } from "../support/world.ts";
import { launch } from "./browser.ts";

export { hasBrowser } from "./browser.ts";

/** Tests that share the world that is only read and one Chromium, which is closed with the process. */
export const test = reading.extend(
	"browser",
	{ scope: "worker" },
	// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that this one needs.
	async ({}, { onCleanup }) => {
		const browser = await launch();
		onCleanup(() => browser.close());
		return browser;
	},
);

export interface Opened extends AsyncDisposable {
	page: Page;
	/** Console messages, errors, failed requests and requests to another origin. */
	complaints: string[];
}

export interface View {
	width: number;
	colorScheme: "light" | "dark";
}

export const desktop: View = { width: 1_280, colorScheme: "light" };
export const phone: View = { width: 360, colorScheme: "dark" };
/** Seldom seen; views.long.test.ts tries them. */
export const otherViews: View[] = [
	{ width: 360, colorScheme: "light" },
	{ width: 768, colorScheme: "light" },
	{ width: 1_920, colorScheme: "dark" },
];

/** However a page asks again for what it had no answer to, it waits no longer before it does. */
export const retriedWithinMs = 6_000;

/** The page that the last test of a browser left: its process is warm, and a page of the same site loads there in half the time. */
const idle = new WeakMap<Browser, Page>();

/** Runs in each page: few tests look at the map, and to draw it without a graphics card takes as long as to load the rest of the page. */
const drawNothing = `for (const name of ["drawArrays", "drawElements"]) WebGL2RenderingContext.prototype[name] = () => {};`;

/**
 * A page as of a new visitor. One that begins at `about:blank` is new, for tests that replace its clock. Maps are drawn only with `drawsMaps`:
 * otherwise they do everything else, and remain blank.
 */
export async function open(browser: Browser, url: string, view: View, { drawsMaps = false } = {}): Promise<Opened> {
	const isNew = url === "about:blank" || drawsMaps;
	const left = isNew ? undefined : idle.get(browser);
	const page = left ?? (await (await browser.newContext()).newPage());
	if (left !== undefined) idle.delete(browser);
	else if (!drawsMaps) await page.addInitScript(drawNothing);
	await show(page, view);
	const complaints: string[] = [];
	const { origin } = new URL(url);
	const console = (message: ConsoleMessage) => {
		// The browser warns when it renders the map without a graphics card.
		if (!message.text().includes("GPU stall due to ReadPixels")) complaints.push(message.text());
	};
	const pageerror = (error: Error) => void complaints.push(String(error));
	const requestfailed = (request: Request) => {
		// Requests that a page aborts itself, for a newer question, have not failed.
		if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(request.url());
	};
	const request = (request: Request) => {
		if (new URL(request.url()).origin !== origin) complaints.push(`another origin: ${request.url()}`);
	};
	page.on("console", console).on("pageerror", pageerror).on("requestfailed", requestfailed).on("request", request);
	await page.goto(url);
	const close = async () => {
		page
			.off("console", console)
			.off("pageerror", pageerror)
			.off("requestfailed", requestfailed)
			.off("request", request);
		if (isNew || idle.has(browser) || !(await clear(page, origin))) await page.context().close();
		else idle.set(browser, page);
	};
	return { page, complaints, [Symbol.asyncDispose]: close };
}

export async function show(page: Page, { width, colorScheme }: View): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	// Without a graphics card, each frame of a moving map takes long to draw.
	await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
}

/** Removes what a test left in the page; false if the page cannot be reused. */
async function clear(page: Page, origin: string): Promise<boolean> {
	try {
		await page.unrouteAll({ behavior: "ignoreErrors" });
		await page.goto(`${origin}/robots.txt`);
		await page.evaluate("localStorage.clear(); sessionStorage.clear()");
		await page.context().clearCookies();
		return true;
	} catch {
		return false;
	}
}

export interface Unanswered extends Opened {
	/** The service answers from now on, and the page's clock is past the seconds after which it asks again. */
	answer(): Promise<void>;
}

/** A page whose data is answered with 503. */
export async function openUnanswered(browser: Browser, url: string): Promise<Unanswered> {
	const opened = await open(browser, "about:blank", desktop);
	const { page } = opened;
	await page.clock.install();
	await page.route("**/web/data/**", (route) => route.fulfill({ status: 503, headers: { "retry-after": "1" } }));
	await page.goto(url);
	await page.getByText("The service responds with status 503.").first().waitFor();
	return {
		...opened,
		async answer() {
			await page.unroute("**/web/data/**");
			await page.clock.fastForward(retriedWithinMs);
		},
	};
}

export const hasFocus = async (target: Locator): Promise<boolean> =>
	(await target.and(target.page().locator(":focus")).count()) > 0;

/** Presses Tab until this has the focus. @throws Error where the keyboard does not lead to it */
export async function tabTo(target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
	for (let keys = 0; keys < 150; keys++) {
		await target.page().keyboard.press(key);
		if (await hasFocus(target)) return;
	}
	throw new Error(`the keyboard does not lead to ${target}`);
}

/** Limits of a check by axe, which checks every part of a page by every rule without them. */
export interface AxeLimits {
	/** Selector of parts that are not checked. */
	exclude?: string | undefined;
	rules?: readonly string[] | undefined;
}

/** Violations that axe finds, by rule and place. */
async function violations(page: Page, { exclude, rules }: AxeLimits): Promise<string[]> {
	// Half a megabyte, which is the same in every view of a page.
	if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
	const context = JSON.stringify({ include: "html", ...(exclude !== undefined && { exclude }) });
	// Passed checks are most of the results, and of no use here.
	const options = JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
	return page.evaluate(`axe.run(${context}, ${options}).then(({ violations }) =>
		violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ": " + target)))`);
}

/** The interface's response, which has to be a success. */
export async function read<T>(url: string, init?: RequestInit): Promise<T> {
	const response = await fetch(url, init);
	expect([url, response.status]).toEqual([url, 200]);
	return (await response.json()) as T;
}

/** Once what it shows is there: axe finds nothing, it is as wide as its view, and nothing was complained of. */
export async function expectSound(
	{ page, complaints }: Opened,
	{ width }: View,
	limits: AxeLimits = {},
): Promise<void> {
	await eventually(async () => expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width));
	expect(await violations(page, limits)).toEqual([]);
	expect(complaints).toEqual([]);
}
