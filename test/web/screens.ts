/**
 * Takes the pictures of docs/screens of a running system, and the picture that is shown where a page is linked.
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

/** Steps on a page before its picture is taken. */
const before: Record<string, (page: Page) => Promise<void>> = {
	/** The loaded lists may be older than the days that are shown at first. */
	async "/changes"(page) {
		const until = page.getByRole("button", { name: "Show what changed until then" });
		if ((await until.count()) === 0) return;
		await until.click();
		await page.waitForTimeout(drawnMs("/changes"));
		await page.evaluate("scrollTo(0, 0)");
	},
};

interface Picture {
	name: string;
	path: string;
	device?: keyof typeof devices;
	scheme?: View["scheme"];
}

async function pictures(): Promise<Picture[]> {
	const read = async (path: string) => (await fetch(`${url}${path}`)).json();
	const projects = (await read(
		"/projects?sort=investability_score&order=desc&per_page=1&status=Active",
	)) as Reply<"listProjects">;
	const developers = (await read("/developers?per_page=1")) as Reply<"listDevelopers">;
	const project = `/projects/${projects.data[0]?.id}`;
	return [
		{ name: "home", path: "/" },
		{ name: "explore", path: "/explore" },
		{ name: "explore", path: "/explore", scheme: "dark" },
		{ name: "project", path: project },
		{ name: "project", path: project, device: "phone" },
		{ name: "changes", path: "/changes" },
		{ name: "developer", path: `/developers/${developers.data[0]?.developer_id}` },
		{ name: "scores", path: "/scores" },
	];
}

interface View {
	width: number;
	height: number;
	scale: number;
	scheme: "light" | "dark";
}

async function picture(browser: Browser, path: string, { width, height, scale, scheme: colorScheme }: View) {
	const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme });
	const page = await context.newPage();
	await page.goto(`${url}${path}`);
	await page.waitForTimeout(drawnMs(path));
	await before[path]?.(page);
	const bytes = await page.screenshot({ type: "jpeg", quality: 72 });
	await context.close();
	return bytes;
}

const browser = await launch();
mkdirSync(folder, { recursive: true });
for (const { name, path, device = "desktop", scheme = "light" } of await pictures())
	if (only === undefined || only === name)
		writeFileSync(
			`${folder}/${name}-${device}-${scheme}.jpg`,
			await picture(browser, path, { ...devices[device], scheme }),
		);
if (only === undefined)
	writeFileSync("services/gateway/pages/card.jpg", await picture(browser, "/", { ...card, scale: 1, scheme: "light" }));
await browser.close();
