/**
 * Takes a picture of every page of a running system, light and dark, on a desktop and on a phone, and the picture that is shown where
 * a page is linked.
 *
 *     npm run screens -- http://127.0.0.1:8080 [docs/screens [explore]]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import type { Reply } from "../../libs/contract/index.ts";
import { launch } from "./browser.ts";

const [url = "http://127.0.0.1:8080", folder = "docs/screens", only] = process.argv.slice(2);

const devices = {
	desktop: { width: 1_280, height: 900, scale: 0.75 },
	phone: { width: 390, height: 844, scale: 1 },
};
/** The size of a link's preview (Open Graph). */
const card = { width: 1_200, height: 630 };
/** Time to draw charts and the map, whose graphics may be software (ms); people look at the pictures. */
const drawnMs = (path: string) => (path === "/explore" ? 15_000 : 2_500);

interface PageAddresses {
	[name: string]: string;
}

/** Steps on a page before its picture is taken. */
const before: Record<string, (page: Page) => Promise<void>> = {
	/** The loaded lists may be older than the days that are shown at first. */
	async changes(page) {
		const until = page.getByRole("button", { name: "Show what changed until then" });
		if ((await until.count()) === 0) return;
		await until.click();
		await page.waitForTimeout(drawnMs("/changes"));
		await page.evaluate("scrollTo(0, 0)");
	},
	"project-source": async (page) => {
		await page.getByRole("button", { name: "source of Capacity" }).click();
		const panel = page.locator(".origin");
		await panel.getByText("SHA-256 of the file").waitFor();
	},
};

async function pages(): Promise<PageAddresses> {
	const read = async (path: string) => (await fetch(`${url}${path}`)).json();
	const projects = (await read(
		"/projects?sort=investability_score&order=desc&per_page=1&status=Active",
	)) as Reply<"listProjects">;
	const developers = (await read("/developers?per_page=1")) as Reply<"listDevelopers">;
	return {
		home: "/",
		explore: "/explore",
		project: `/projects/${projects.data[0]?.id}`,
		developer: `/developers/${developers.data[0]?.developer_id}`,
		"project-source": `/projects/${projects.data[0]?.id}`,
		changes: "/changes",
		scores: "/scores",
		sql: "/sql",
		status: "/status",
		reconciliation: "/reconciliation",
		dispute: `/dispute?about=project_field&project_id=${projects.data[0]?.id}&field=capacity_mw`,
		docs: "/docs",
		events: "/docs/events",
		account: "/account",
	};
}

interface View {
	width: number;
	height: number;
	scale: number;
	scheme: "light" | "dark";
}

async function picture(browser: Browser, [name, path]: [name: string, path: string], view: View) {
	const { width, height, scale, scheme: colorScheme } = view;
	const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme });
	const page = await context.newPage();
	await page.goto(`${url}${path}`);
	await page.waitForTimeout(drawnMs(path));
	await before[name]?.(page);
	const bytes = await page.screenshot({ type: "jpeg", quality: 72 });
	await context.close();
	return bytes;
}

const browser = await launch();
mkdirSync(folder, { recursive: true });
for (const [name, path] of Object.entries(await pages()))
	if (only === undefined || only === name)
		for (const [device, view] of Object.entries(devices))
			for (const scheme of ["light", "dark"] as const)
				writeFileSync(
					`${folder}/${name}-${device}-${scheme}.jpg`,
					await picture(browser, [name, path], { ...view, scheme }),
				);
if (only === undefined)
	writeFileSync(
		"services/gateway/pages/card.jpg",
		await picture(browser, ["card", "/"], { ...card, scale: 1, scheme: "light" }),
	);
await browser.close();
