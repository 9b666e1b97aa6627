/** The page of an account in a browser: a key, and what can be done with it, against what the interface answers. */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import { begin } from "../mcp/support/oauth.ts";
import { eventually } from "../support/eventually.ts";
import { aLink } from "../support/mailed-link.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, read, retriedWithinMs, test, type View } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of an account", () => {
	let world: World;
	let browser: Browser;
	test.beforeAll(({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
	});

	const newAddress = () => `${randomBytes(6).toString("hex")}@example.com`;
	const newKey = async () => {
		const init = { method: "POST", headers: { "content-type": "application/json" } };
		const body = JSON.stringify({ email: newAddress() });
		return (await read<Reply<"register">>(`${world.url}/register`, { ...init, body })).key;
	};
	const readOf = <T>(path: string, key: string) => read<T>(`${world.url}${path}`, { headers: { "x-api-key": key } });
	/** Reads as the page does: an account's own reads are ten a minute. */
	const readOfPage = <T>(path: string, key: string) => readOf<T>(`/web/data${path}`, key);
	const stored = (page: Page) =>
		page.evaluate("[sessionStorage.getItem('api-key'), localStorage.getItem('api-key')]") as Promise<(string | null)[]>;

	/** The page with a key that the tab keeps. */
	async function openWith(key: string, view: View = desktop) {
		const opened = await open(browser, `${world.url}/account`, view);
		await opened.page.getByLabel("Key", { exact: true }).fill(key);
		await opened.page.getByRole("button", { name: "Use this key" }).click();
		await opened.page.getByRole("heading", { name: "Webhooks" }).waitFor();
		return opened;
	}

	test("a key is issued by keyboard, shown once, and stored where the visitor chooses", async () => {
		await using opened = await open(browser, `${world.url}/register`, desktop);
		const { page } = opened;
		await page.getByLabel("E-mail address").focus();
		await page.keyboard.type(newAddress());
		await page.keyboard.press("Enter");
		const shown = (await page.locator(".secret").textContent()) ?? "";
		expect(shown).toMatch(/^pk_[0-9A-Za-z]{38}$/);
		expect(await stored(page)).toEqual([null, null]);
		await page.getByRole("button", { name: "Use it in this tab" }).click();
		await page.getByRole("heading", { name: "Plan and usage" }).waitFor();
		expect(await stored(page)).toEqual([shown, null]);
		expect(await page.locator("main").textContent()).not.toContain(shown);
		await page.getByRole("button", { name: "Keep it in this browser" }).click();
		expect(await stored(page)).toEqual([null, shown]);
		await page.goto(`${world.url}/`);
		await page.locator("pre", { hasText: `-H 'X-API-Key: ${shown}'` }).waitFor();
		// Navigating would abort requests under way.
		await page.waitForLoadState("networkidle");
		await page.goto(`${world.url}/account`);
		await page.getByRole("button", { name: "Remove it from here" }).click();
		await page.getByRole("heading", { name: "Use a key you have" }).waitFor();
		expect(await stored(page)).toEqual([null, null]);
		expect(opened.complaints).toEqual([]);
	});

	test("an assistant is connected with the key, and the browser returns to it", async () => {
		await using assistant = createServer((_request, response) => void response.end("connected"));
		await new Promise<void>((listening) => assistant.listen(0, "127.0.0.1", listening));
		const back = `http://127.0.0.1:${(assistant.address() as AddressInfo).port}`;
		const { url } = await begin(world.url, { redirect_uri: `${back}/callback` });
		await using opened = await open(browser, url.href, desktop);
		const { page } = opened;
		await page.getByLabel("API key").fill("pk_nonsense");
		await page.getByRole("button", { name: "Connect" }).click();
		await page.getByRole("alert").filter({ hasText: "the API key is not valid" }).waitFor();
		await page.getByLabel("API key").fill(await newKey());
		await page.getByRole("button", { name: "Connect" }).click();
		await page.getByText("connected", { exact: true }).waitFor();
		expect(new URL(page.url()).searchParams.get("code")).toMatch(/./);
		expect(opened.complaints.filter((text) => !text.includes(back) && !text.includes("403"))).toEqual([]);
	});

	test("an invalid e-mail address and an invalid key give errors", async () => {
		await using opened = await open(browser, `${world.url}/account`, desktop);
		const { page } = opened;
		await page.getByLabel("E-mail address").fill("ann@");
		await page.getByRole("button", { name: "Get the key" }).click();
		await page.getByRole("alert").filter({ hasText: "email: must be an e-mail address" }).waitFor();
		await page.getByLabel("Key", { exact: true }).fill("secret");
		await page.getByRole("button", { name: "Use this key" }).click();
		await page.getByText("A key is pk_ and 38 letters and digits.").waitFor();
		await page.getByLabel("Key", { exact: true }).fill(`pk_${"x".repeat(38)}`);
		await page.getByRole("button", { name: "Use this key" }).click();
		await page.locator("main > #page > .failure").waitFor();
		expect(await page.locator("main > #page > .failure").textContent()).not.toContain("Trying again");
	});

	test("its usage equals that of /usage, by day and by operation", async () => {
		const key = await newKey();
		for (const path of ["/projects", "/projects?state=TX", "/changes", "/plans"]) await readOf(path, key);
		const usage = await eventually(async () => {
			const now = await readOfPage<Reply<"getUsage">>("/usage", key);
			return now.by_operation.some(({ operation }) => operation === "listPlans") && now;
		});
		expect(usage).toMatchObject({ used: 3, remaining: 47 });
		await using opened = await openWith(key);
		const { page } = opened;
		expect(await page.locator("[data-figure=used]").textContent()).toBe("3 of 50");
		expect(await page.locator("[data-figure=remaining]").textContent()).toBe("47");
		const rows = (name: string) =>
			page
				.locator(`[data-${name}]`)
				.evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
		const counted = (await rows("operation")).filter(([operation]) => operation !== "getUsage");
		expect(counted).toEqual(
			expect.arrayContaining([
				["listProjects", "2", "2"],
				["listChanges", "1", "1"],
				["listPlans", "1", "0"],
			]),
		);
		const [today] = await rows("day");
		expect([today?.[0], today?.[2]]).toEqual([usage.by_day[0]?.day, "3"]);
		expect(opened.complaints).toEqual([]);
	});

	test("a watchlist is created, shows its changes, and is deleted after confirmation; its name remains text", async () => {
		const key = await newKey();
		const name = "<img src=x onerror=window.stolen=1>\u202e";
		await using opened = await openWith(key);
		const { page } = opened;
		await page.getByText("New watchlist").click();
		await page.getByLabel("Name").fill(name);
		await page.getByLabel("States, two letters each").fill("TX, CA");
		await page.getByLabel("At least (MW)").fill("50");
		await page.getByRole("button", { name: "Create the watchlist" }).click();
		const item = page.locator("[data-watchlist]");
		await item.waitFor();
		const lists = () => readOfPage<Reply<"listWatchlists">>("/watchlists", key);
		const { data } = await lists();
		expect(data.map(({ filters }) => filters)).toMatchObject([{ state: ["TX", "CA"], capacity_min: 50 }]);
		expect(await item.locator("b").textContent()).toBe("<img src=x onerror=window.stolen=1>");
		const { requests } = await eventually(async () => {
			const [list] = (await lists()).data;
			return typeof list?.requests === "number" && list;
		});
		await item.getByText(`${requests} requests`).waitFor();
		await item.getByRole("button", { name: "What changed" }).click();
		await item.getByText("Nothing yet.").waitFor();
		await item.getByRole("button", { name: "Delete" }).click();
		expect((await lists()).data).toHaveLength(1);
		await item.getByRole("button", { name: "Yes: delete" }).click();
		await item.waitFor({ state: "detached" });
		expect((await lists()).data).toEqual([]);
		const [id = ""] = (await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`)).data.map(({ id }) => id);
		// A refused webhook leaves no watchlist behind.
		const form = page.locator("form", { has: page.getByLabel("Name") });
		await page.getByLabel("Name").fill("mailed");
		await form.getByLabel("E-mail for its changes").fill("ann");
		await page.getByRole("button", { name: "Create the watchlist" }).click();
		await page.getByRole("alert").filter({ hasText: "url: must be mailto: followed by an e-mail address" }).waitFor();
		expect((await lists()).data).toEqual([]);
		const watch = page.getByLabel("Watch one request");
		await watch.fill("NONE-1");
		await watch.press("Enter");
		await page.getByRole("alert").filter({ hasText: "NONE-1" }).waitFor();
		await watch.fill(id);
		await page.locator("form", { has: watch }).getByLabel("E-mail for its changes").fill("ann@example.org");
		await watch.press("Enter");
		await item.getByText("Watched requests").waitFor();
		await page.getByRole("status").filter({ hasText: "Open the link that is mailed to ann@example.org." }).waitFor();
		const [alert] = (await readOfPage<Reply<"listWebhooks">>("/webhooks", key)).data;
		expect(alert).toMatchObject({ url: "mailto:ann@example.org", digest: "daily", proven: false });
		const [row] = await world.subscriptionsSql<{ token: string }[]>`
			select mail_token as token from webhooks where id = ${alert?.webhook_id ?? 0}`;
		await using mailed = await open(browser, `${world.url}/account#alerts=${row?.token}`, desktop);
		await mailed.page.getByRole("button", { name: "Confirm the address" }).click();
		await mailed.page.getByText("Changes are mailed to ann@example.org once a day.").waitFor();
		await mailed.page.goto(`${world.url}/unsubscribe/${row?.token}`);
		await mailed.page.getByRole("button", { name: "End these mails" }).click();
		await mailed.page.getByText("No more of these mails are sent to ann@example.org.").waitFor();
		expect((await lists()).data.map(({ filters }) => filters.id)).toEqual([[id]]);
		expect(opened.complaints).toEqual([expect.stringContaining("422"), expect.stringContaining("404")]);
	});

	test("the page itself is not counted by the plan", async () => {
		const key = await newKey();
		for (let times = 0; times < 15; times++) await readOfPage("/usage", key);
		const { headers } = await fetch(`${world.url}/projects?per_page=1`, { headers: { "x-api-key": key } });
		expect(headers.get("ratelimit")).toContain('"minute";r=9;');
		expect((await fetch(`${world.url}/web/data/usage`)).status).toBe(403);
	});

	test("a webhook is created, tested, disabled and deleted", async () => {
		const received: IncomingHttpHeaders[] = [];
		await using receiver = createServer(async (request, response) => {
			received.push(request.headers);
			const { data } = (await json(request)) as { data: { challenge?: string } };
			response.end(data.challenge);
		});
		await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
		const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/changes`;
		const key = await newKey();
		await using opened = await openWith(key);
		const { page } = opened;
		await page.getByText("New alert or webhook").click();
		await page.getByLabel("Address", { exact: true }).fill(url);
		await page.getByLabel("Changes", { exact: true }).selectOption("Of MISO");
		await page.getByRole("button", { name: "Create it" }).click();
		expect(await page.locator(".secret").textContent()).toMatch(/^whsec_/);
		const hooks = () => readOf<Reply<"listWebhooks">>("/webhooks", key);
		expect((await hooks()).data).toMatchObject([
			{ url, filters: { region: ["MISO"] }, include_row: true, enabled: true },
		]);
		const item = page.locator("[data-webhook]");
		await item.getByRole("button", { name: "Send a test" }).click();
		await item.getByText("The test: delivered, answer 200").waitFor();
		expect(received[0]?.["webhook-signature"]).toMatch(/^v1,/);
		await item.getByRole("button", { name: "Deliveries" }).click();
		await item.locator("[data-delivery]").first().waitFor();
		await item.getByRole("button", { name: "Disable" }).click();
		await item.getByRole("button", { name: "Enable" }).waitFor();
		expect((await hooks()).data).toMatchObject([{ enabled: false }]);
		await item.getByRole("button", { name: "Delete" }).click();
		await item.getByRole("button", { name: "Yes: delete" }).click();
		await item.waitFor({ state: "detached" });
		expect((await hooks()).data).toEqual([]);
		expect(opened.complaints).toEqual([]);
	});

	test("a key is replaced by another, and revoked after confirmation", async () => {
		const old = await newKey();
		await using opened = await openWith(old);
		const { page } = opened;
		const statusOf = async (key: string) =>
			(await fetch(`${world.url}/usage`, { headers: { "x-api-key": key } })).status;
		await page.getByText("Replace or end it").click();
		await page.getByRole("button", { name: "Replace it" }).click();
		const next = (await page.locator(".secret").textContent()) ?? "";
		await page.getByRole("button", { name: "Use it here" }).click();
		await eventually(async () => expect(await stored(page)).toEqual([next, null]));
		expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);
		await page.getByText("Replace or end it").click();
		await page.getByRole("button", { name: "Revoke" }).click();
		await page.getByRole("button", { name: "Yes: revoke" }).click();
		await page.getByRole("heading", { name: "Use a key you have" }).waitFor();
		await eventually(async () => (await statusOf(next)) === 403);
		expect(await stored(page)).toEqual([null, null]);
		expect(opened.complaints).toEqual([]);
	});

	test("a mailed link gives a new key by its button; the account is exported, and deleted after confirmation", async () => {
		const token = await aLink(world.billingSql, "recover");
		await using opened = await open(browser, `${world.url}/account#recover=${token}`, desktop);
		const { page } = opened;
		await page.getByRole("button", { name: "Get a new key" }).click();
		const key = (await page.locator(".secret").textContent()) ?? "";
		expect(key).toMatch(/^pk_/);
		expect(page.url()).toBe(`${world.url}/account`);
		await page.getByRole("button", { name: "Use it in this tab" }).click();
		const { account } = await readOf<Reply<"exportAccount">>("/account/export", key);
		const email = account.email ?? "";
		await page.getByText(`${email}: not confirmed.`).waitFor();
		await page.getByRole("button", { name: "Mail a link to confirm it" }).click();
		await page.getByText(`A link is mailed to ${email}`).waitFor();
		const downloading = page.waitForEvent("download");
		await page.getByRole("button", { name: "Export my data (JSON)" }).click();
		expect((await downloading).suggestedFilename()).toBe("account.json");
		await page.getByText("Delete the account", { exact: true }).first().click();
		await page.getByLabel("Its e-mail address").fill(email);
		await page.getByRole("button", { name: "Delete the account" }).click();
		await page.getByRole("button", { name: "Yes: delete the account" }).click();
		await page.getByRole("heading", { name: "Use a key you have" }).waitFor();
		await eventually(async () => (await fetch(`${world.url}/usage`, { headers: { "x-api-key": key } })).status === 403);
		expect(opened.complaints).toEqual([]);
	});

	test("it shows that the service fails, and recovers when it is back", { tags: ["campaign"] }, async () => {
		const key = await newKey();
		await using opened = await open(browser, "about:blank", desktop);
		const { page } = opened;
		await page.clock.install();
		await page.route("**/usage", (route) => route.abort());
		await page.goto(`${world.url}/account`);
		await page.evaluate(`sessionStorage.setItem("api-key", ${JSON.stringify(key)})`);
		await page.reload();
		await page.getByText("The service does not respond. Trying again.").waitFor();
		await page.unroute("**/usage");
		await page.clock.fastForward(retriedWithinMs);
		await page.getByRole("heading", { name: "Plan and usage" }).waitFor();
	});
});
