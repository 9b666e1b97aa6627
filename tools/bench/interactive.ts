/**
 * How long after it is asked for a page can be used, in a browser that has kept nothing: its first control is there, and the last task that
 * would have kept a click waiting (over 50 ms) is over. The usual measure, without its quiet window of five seconds, which is of networks.
 */
import type { Browser } from "playwright-core";
import { median, quantile } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const viewport = { width: 1_280, height: 900 };
/** Without a long task for so long, none is to come (ms). */
const quietMs = 500;
const maxMs = 30_000;

const pages = [
	{ path: "/", control: "input[type=search]" },
	{ path: "/explore", control: ".explore-filters input" },
];

export async function measureInteractive(
	browser: Browser,
	{ url, size }: Pick<Bench, "url" | "size">,
	say: (line: string) => void,
): Promise<Row[]> {
	const { rounds } = size.turns(7);
	const rows: Row[] = [];
	for (const { path, control } of pages) {
		const ours: number[] = [];
		for (let round = 0; round < rounds; round++) ours.push(await interactiveAfter(browser, `${url}${path}`, control));
		const measure = `Page ${path}, until it can be used`;
		const p95 = Math.round(quantile(ours, 0.95));
		say(`${measure}: median ${Math.round(median(ours))} ms, p95 ${p95} ms`);
		rows.push({ measure, unit: "ms", ours, baseline: [], note: `p95 ${p95} ms; aim 2,000 ms` });
	}
	return rows;
}

async function interactiveAfter(browser: Browser, address: string, control: string): Promise<number> {
	const context = await browser.newContext({ viewport });
	const page = await context.newPage();
	await page.addInitScript(`(() => {
		globalThis.tasks_ = [];
		new PerformanceObserver((list) => {
			for (const { startTime, duration } of list.getEntries()) tasks_.push(startTime + duration);
		}).observe({ type: "longtask", buffered: true });
	})()`);
	await page.goto(address, { waitUntil: "commit" });
	// One script: a request over the protocol would wait behind the very tasks that are measured.
	const interactive = await page.evaluate<number | null>(`new Promise((then) => {
		let shown;
		const look = () => {
			const now = performance.now();
			if (shown === undefined && document.querySelector(${JSON.stringify(control)}) !== null) shown = now;
			const last = Math.max(shown ?? 0, ...tasks_);
			if (shown !== undefined && now - last > ${quietMs}) then(last);
			else if (now > ${maxMs}) then(null);
			else setTimeout(look, 10);
		};
		look();
	})`);
	await context.close();
	if (interactive === null) throw new Error(`${address} cannot be used within ${maxMs} ms`);
	return interactive;
}
