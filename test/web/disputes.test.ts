/** The page on which something is objected to, against what the interface keeps of it. */
import type { Browser } from "playwright-core";
import { describe, expect } from "vitest";
import type { Reply } from "../../libs/contract/index.ts";
import type { World } from "../support/world.ts";
import { desktop, hasBrowser, open, read, test } from "./support.ts";

describe.skipIf(!hasBrowser)("the page of disputes", () => {
	let world: World;
	let browser: Browser;
	let id: string;
	test.beforeAll(async ({ browser: chromium, readOnlyWorld }) => {
		world = readOnlyWorld;
		browser = chromium;
		const { data } = await read<Reply<"listProjects">>(`${world.url}/projects?per_page=1`);
		id = data[0]?.id ?? "";
	});

	test("a dispute is filed by keyboard, and its state is shown without the author's text", async () => {
		await using opened = await open(browser, `${world.url}/dispute?about=project_field&project_id=${id}`, desktop);
		const { page } = opened;
		await page.getByLabel("Field").focus();
		const hostile = "<img src=x onerror=alert(1)> says another county\u202e";
		for (const text of ["county", "Kern", hostile, "https://example.org/permit"]) {
			await page.keyboard.insertText(text);
			await page.keyboard.press("Tab");
		}
		await page.keyboard.press("Enter");
		await page.getByRole("heading", { name: /Dispute \d+ is filed/ }).waitFor();
		await page.getByRole("link", { name: "What became of it" }).click();
		await page.locator(".facts").waitFor();
		const number = new URL(page.url()).searchParams.get("id");
		const kept = await read<Reply<"getDispute">>(`${world.url}/disputes/${number}`);
		expect(kept).toMatchObject({ state: "open", about: "project_field", project_id: id, field: "county" });
		const facts = await page.locator(".facts div").allTextContents();
		expect(facts).toContain(`Request${id}`);
		expect(facts).toContain("Fieldcounty");
		expect(await page.locator("body").textContent()).not.toContain("onerror");
		expect(opened.complaints).toEqual([]);
	});

	test("a dispute from the page of a past day is about that day's value", async () => {
		const { data } = await read<Reply<"getProjectHistory">>(`${world.url}/projects/${id}/history`);
		const day = data[0]?.valid_from.slice(0, 10) ?? "";
		const then = await read<Reply<"getProject">>(`${world.url}/projects/${id}?as_of=${day}`);
		await using opened = await open(browser, `${world.url}/projects/${id}?as_of=${day}`, desktop);
		const { page } = opened;
		await page.getByRole("button", { name: "source of Capacity" }).click();
		await page.getByRole("link", { name: "Dispute this value" }).click();
		await page.getByText(`Stated of ${day}: ${then.capacity_mw}`).waitFor();
		await page.getByLabel("Why").fill("The permit of that year states another one.");
		await page.getByLabel("Where it can be read").fill("https://example.org/permit");
		await page.getByRole("button", { name: "File the dispute" }).click();
		await page.getByRole("link", { name: "What became of it" }).click();
		await page.locator(".facts").waitFor();
		expect(await page.locator(".facts div").allTextContents()).toContain(
			`Stated then${then.capacity_mw} (as of ${day})`,
		);
	});

	test("it shows why a dispute is refused", async () => {
		await using opened = await open(browser, `${world.url}/dispute?project_id=${id}`, desktop);
		await opened.page.getByRole("button", { name: "File the dispute" }).click();
		const alert = opened.page.getByRole("alert");
		await alert.waitFor();
		expect(await alert.textContent()).toContain("reason");
	});

	test("it shows that the service fails", async () => {
		await using opened = await open(browser, `${world.url}/dispute?project_id=${id}`, desktop);
		const { page } = opened;
		await page.route("**/disputes", (route) => route.abort());
		await page.getByLabel("Why").fill("The permit names another company.");
		await page.getByLabel("Where it can be read").fill("https://example.org/");
		await page.getByRole("button", { name: "File the dispute" }).click();
		await page.getByText("The service does not respond.").waitFor();
	});
});
