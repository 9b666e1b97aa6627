/** A person and a browser: the form is filled in, the key is read off the page. Needs a Chromium; without one it is left out. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorld, type World } from "../support/world.ts";
import { hasBrowser, launch } from "../web/browser.ts";

describe.skipIf(!hasBrowser)("in a browser", () => {
	let world: World;
	let browser: Browser;
	beforeAll(async () => {
		world = await startWorld({ data: "none" });
		browser = await launch();
	});
	afterAll(async () => {
		await browser?.close();
		await world?.[Symbol.asyncDispose]();
	});

	/** A page of the width of a small telephone, and everything that the browser complains of. */
	async function open(javaScriptEnabled: boolean): Promise<{ page: Page; complaints: string[] }> {
		const page = await browser.newPage({ viewport: { width: 320, height: 640 }, javaScriptEnabled });
		const complaints: string[] = [];
		page.on("console", (message) => void complaints.push(message.text()));
		page.on("pageerror", (error) => void complaints.push(String(error)));
		page.on("requestfailed", (request) => void complaints.push(request.url()));
		await page.goto(`${world.url}/register`);
		return { page, complaints };
	}

	test("a key is had within one form, without scripts, and nothing is complained of", async () => {
		const { page, complaints } = await open(false);
		await page.getByLabel("E-mail address").fill("ann@example.com");
		await page.getByLabel("Name").fill("Ann");
		await page.getByRole("button", { name: "Get the key" }).click();
		const key = (await page.locator(".key").textContent()) ?? "";
		expect(key).toMatch(/^pk_[0-9A-Za-z]{38}$/);
		const usage = await fetch(`${world.url}/usage`, { headers: { "x-api-key": key } });
		expect(usage.status).toBe(200);
		expect(complaints).toEqual([]);
	});

	test("what is wrong is shown at the field, which has the focus and what was typed", async () => {
		const { page } = await open(true);
		await page.getByLabel("E-mail address").fill("ann@");
		await page.getByRole("button", { name: "Get the key" }).click();
		const field = page.getByLabel("E-mail address");
		await page.locator("#email-error").waitFor();
		expect(await page.locator("#email-error").textContent()).toContain("must be an e-mail address");
		expect(await field.inputValue()).toBe("ann@");
		expect(await field.getAttribute("aria-invalid")).toBe("true");
		expect(await page.evaluate("document.activeElement.id")).toBe("email");
	});

	test("nothing has to be scrolled sideways on 320 pixels", async () => {
		const { page } = await open(true);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
	});
});
