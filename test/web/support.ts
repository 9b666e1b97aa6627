/** A browser for tests of the pages, and everything that it complains of. */
import axe from "axe-core";
import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";

export { hasBrowser, launch } from "./browser.ts";

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

/** However a page asks again for what it had no answer to, it waits no longer before it does. */
export const retriedWithinMs = 6_000;

/** Layout depends on the width and contrast on the colours: not every pair has to be tried. The narrowest is seen in both. */
export const views: View[] = [
	{ width: 360, colorScheme: "light" },
	{ width: 768, colorScheme: "light" },
	{ width: 1_920, colorScheme: "dark" },
];

export async function open(browser: Browser, url: string, { width, colorScheme }: View): Promise<Opened> {
	const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
	const page = await context.newPage();
	const complaints: string[] = [];
	const { origin } = new URL(url);
	page.on("console", (message) => void complaints.push(message.text()));
	page.on("pageerror", (error) => void complaints.push(String(error)));
	page.on("requestfailed", (request) => {
		// What a page gives up by itself, for a newer question, has not failed.
		if (request.failure()?.errorText !== "net::ERR_ABORTED") complaints.push(request.url());
	});
	page.on("request", (request) => {
		if (new URL(request.url()).origin !== origin) complaints.push(`another origin: ${request.url()}`);
	});
	await page.goto(url);
	return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
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
	await page.getByText("The service answers with status 503.").first().waitFor();
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

/** Violations that axe finds, by rule and place. */
async function violations(page: Page): Promise<string[]> {
	await page.evaluate(axe.source);
	const found = await page.evaluate("axe.run()");
	return (found as axe.AxeResults).violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}

/** What the interface answers, which has to be an answer. */
export async function read<T>(url: string, init?: RequestInit): Promise<T> {
	const response = await fetch(url, init);
	expect([url, response.status]).toEqual([url, 200]);
	return (await response.json()) as T;
}

/** Once what it shows is there: axe finds nothing, it is as wide as its view, and nothing was complained of. */
export async function expectSound({ page, complaints }: Opened, { width }: View): Promise<void> {
	expect(await violations(page)).toEqual([]);
	if (width === 360) {
		await page.emulateMedia({ colorScheme: "dark" });
		expect(await violations(page)).toEqual([]);
	}
	expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
	expect(complaints).toEqual([]);
}
