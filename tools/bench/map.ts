/**
 * Until when `/` and `/explore` can be used, and frames of the map of `/explore` while it is dragged and zoomed, with every request of the lists as a dot of its own and with none, in turn. A
 * browser without a graphics card draws in software, which is what this measures then; the note says so.
 */
import type { Page } from "playwright-core";
import { hasBrowser, launch } from "../../test/web/browser.ts";
import { fill } from "./fill.ts";
import { measureInteractive } from "./interactive.ts";
import { median, quantile, takeTurns } from "./measure.ts";
import { type Row, short } from "./report.ts";
import type { Bench } from "./system.ts";

type Say = (line: string) => void;

const viewport = { width: 1_280, height: 900 };
/** A name that no request has. */
const nothing = "no-request-is-called-so";

export async function measureMap(bench: Bench, say: Say): Promise<Row[]> {
	if (!hasBrowser) {
		say("no Chromium: the map is not measured");
		return [];
	}
	await fill(bench, say);
	return measureFrames(bench, say);
}

async function measureFrames({ url, size }: Bench, say: Say): Promise<Row[]> {
	const { meta } = (await (await fetch(`${url}/projects?per_page=1`)).json()) as { meta: { total: number } };
	await using browser = await launch();
	const page = await browser.newPage({ viewport });
	const renderer = await rendererOf(page);
	const rows: Row[] = [];
	for (const gesture of gestures) {
		const { name, zoom } = gesture;
		const turn = (query: string) => async () => {
			await page.goto(`${url}/explore?map=${zoom}/37.5/-92&${query}`);
			await untilStill(page);
			return framesOf(page, gesture, 1_000 * size.seconds(4));
		};
		const { requests, none } = await takeTurns(size.turns(3), { requests: turn(""), none: turn(`q=${nothing}`) });
		const middle = (turns: number[][]) => short(median(turns.map(median)));
		const p95 = (turns: number[][]) => short(median(turns.map((frames) => quantile(frames, 0.95))));
		const measure = `Map of ${meta.total.toLocaleString("en")} requests, a frame while ${name}`;
		say(
			`${measure}: median ${middle(requests)} ms, p95 ${p95(requests)} ms; of boundaries alone ${middle(none)} and ${p95(none)} ms`,
		);
		rows.push({
			...{ measure, unit: "ms", than: "boundaries alone" },
			...{ ours: requests.map(median), baseline: none.map(median) },
			note: `p95 ${p95(requests)} ms, of boundaries alone ${p95(none)} ms; ${renderer}`,
		});
	}
	return [...rows, ...(await measureInteractive(browser, { url, size }, say))];
}

interface Gesture {
	name: string;
	zoom: number;
	begin(page: Page, at: { x: number; y: number }): Promise<void>;
	/** At this part of the turn, 0 to 1. */
	go(page: Page, at: { x: number; y: number }, part: number): Promise<void>;
	end(page: Page): Promise<void>;
}

const gestures: Gesture[] = [
	{
		name: "dragged over dots",
		zoom: 5.2,
		async begin({ mouse }, { x, y }) {
			await mouse.move(x, y);
			await mouse.down();
		},
		go: ({ mouse }, { x, y }, part) =>
			mouse.move(x + 200 * Math.sin(2 * Math.PI * part), y + 60 * Math.sin(4 * Math.PI * part)),
		end: ({ mouse }) => mouse.up(),
	},
	{
		name: "zoomed from clusters to counties and back",
		zoom: 4,
		begin: ({ mouse }, { x, y }) => mouse.move(x, y),
		go: ({ mouse }, _, part) => mouse.wheel(0, part < 0.5 ? -60 : 60),
		end: async () => {},
	},
];

/** Time between frames (ms). */
async function framesOf(page: Page, gesture: Gesture, gestureMs: number): Promise<number[]> {
	const box = await page.locator(".map canvas").boundingBox();
	if (box === null) throw new Error("the map is not on the page");
	await page.evaluate(`(() => {
		globalThis.frames_ = [];
		let last;
		const next = (now) => {
			if (last !== undefined) frames_.push(now - last);
			last = now;
			if (globalThis.frames_ !== undefined) requestAnimationFrame(next);
		};
		requestAnimationFrame(next);
	})()`);
	const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
	await gesture.begin(page, middle);
	const started = performance.now();
	for (let part = 0; part < 1; part = (performance.now() - started) / gestureMs) await gesture.go(page, middle, part);
	await gesture.end(page);
	return page.evaluate<number[]>("(() => { const all = frames_; frames_ = []; return all; })()");
}

/** The map has loaded and is drawn. */
async function untilStill(page: Page): Promise<void> {
	await page.getByText("Loading the map").waitFor({ state: "detached" });
	await page.waitForLoadState("networkidle");
	await page.evaluate("new Promise((then) => requestIdleCallback(then, { timeout: 10_000 }))");
}

const rendererOf = (page: Page): Promise<string> =>
	page.evaluate<string>(`(() => {
		const gl = document.createElement("canvas").getContext("webgl2");
		const named = gl?.getExtension("WEBGL_debug_renderer_info");
		return named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : "WebGL";
	})()`);
