/**
 * Small but realistic lists of every operator, in the layouts and words in which it publishes them, from simple rows:
 *
 *   const rows = queueRows("caiso");                     // 120 requests, always the same ones
 *   const file = await queueFile("caiso", rows);         // publicqueuereport.xlsx
 *   await ingestSnapshot(sql, { region: "CAISO", files: [file], asOf: "2026-07-20T00:00:00Z" });
 *
 * A feed with several layouts takes the name of one: `queueFile("miso", rows, { layout: "csv" })`. To test a change, change
 * a row and make the file again; `queueRows(feed, { count: 121 })` begins with the same 120.
 */

import type { IncomingFile } from "../../services/queue-ingest/sources/archive.ts";
import { random } from "./file-formats.ts";
import { layouts, type QueueFeed } from "./queue-layouts/index.ts";

export type { QueueFeed };
/** The state of a request; each operator has its own words for it. */
export type QueueStatus = "active" | "suspended" | "operational" | "withdrawn";

export interface QueueRow {
	/** The number in the operator's notation: see `queueNumber`. */
	number: string;
	/** Operators without names (MISO, SPP) leave it out. */
	name: string;
	developer: string;
	/** One of its layout's `statuses`. */
	status: QueueStatus;
	mw: number;
	fuel: "Solar" | "Wind" | "Storage" | "Gas";
	county: string;
	/** Two letters. */
	state: string;
	poi: string;
	/** `YYYY-MM-DD`. */
	queueDate: string;
	cod: string;
	/** Day of the withdrawal or of the operation; null for an open request. */
	ended: string | null;
	/** MW of a battery beside it, in the list of CAISO. */
	battery?: number;
	/** Day of its interconnection agreement, in the list of ERCOT. */
	agreement?: string;
}

export const queueFeeds = Object.keys(layouts) as QueueFeed[];

/** The layouts of a feed, the one it is downloaded in first. */
export const queueLayouts = (feed: QueueFeed): string[] => Object.keys(layouts[feed].files);

/** The nth request's number in the operator's form ("J1001", "24INR0001"); `n` from 1 to 999. */
export const queueNumber = (feed: QueueFeed, n: number): string => layouts[feed].number(n);

/** Invented requests with places, sizes and dates that pass for real. No two look like one request renumbered. */
export function queueRows(feed: QueueFeed, { count = 120, seed = 1 } = {}): QueueRow[] {
	const next = random(seed);
	return Array.from({ length: count }, (_, at) => queueRow(feed, at + 1, next));
}

/** An active request of a feed with something else in it. */
export function row(feed: QueueFeed, change: Partial<QueueRow>): QueueRow {
	const [first] = queueRows(feed, { count: 1, seed: 7 });
	if (first === undefined) throw new Error("no row");
	return { ...first, status: "active", ended: null, ...change };
}

const names = ["Heron", "Tidwell", "Cañada", "Bear Kat", "Granada", "Blue Mesa", "O'Neill & Sons", "Saint-Éloi"];
const lines = ["69 kV", "115 kV", "138 kV", "230 kV", "345 kV"];
const fuels = ["Solar", "Wind", "Storage", "Gas"] as const;

function queueRow(feed: QueueFeed, n: number, next: () => number): QueueRow {
	const { places, statuses, number } = layouts[feed];
	const pick = <T>(values: readonly T[], fallback: T): T => values[Math.floor(next() * values.length)] ?? fallback;
	const day = (from: number, years: number) =>
		new Date(Date.UTC(from, 0, 1) + Math.floor(next() * years * 365) * 86_400_000).toISOString().slice(0, 10);
	const fuel = pick(fuels, "Solar");
	const [county, state] = pick(places, places[0]);
	const share = next();
	const wanted: QueueStatus =
		share < 0.7 ? "active" : share < 0.85 ? "withdrawn" : share < 0.95 ? "operational" : "suspended";
	const status = statuses.includes(wanted) ? wanted : "active";
	return {
		number: number(n),
		name: `${pick(names, "Heron")} ${fuel} ${n}`,
		developer: `${pick(names, "Heron")} Energy, LLC`,
		status,
		mw: Math.round(10 + next() * 390),
		fuel,
		county,
		state,
		poi: `${pick(names, "Heron")} Creek ${n} ${pick(lines, "138 kV")}`,
		queueDate: day(2018, 5),
		// Far ahead, so that a list's later time alone changes nothing that is derived from a date.
		cod: day(2029, 5),
		ended: status === "withdrawn" || status === "operational" ? day(2024, 1) : null,
	};
}

export interface QueueFileOptions {
	/** One of `queueLayouts(feed)`; the first by default. */
	layout?: string;
	/** Publication date (`YYYY-MM-DD`) that the file states, where its layout states one. */
	publishedOn?: string;
	/** Instead of the operator's own file name, which can be what its workbooks are recognised by. */
	name?: string;
}

/** The operator's list of these rows. */
export async function queueFile(
	feed: QueueFeed,
	rows: readonly QueueRow[],
	{ layout, publishedOn = "2026-07-20", name }: QueueFileOptions = {},
): Promise<IncomingFile> {
	const { files } = layouts[feed];
	const write = files[layout ?? queueLayouts(feed)[0] ?? ""];
	if (write === undefined) throw new Error(`${feed} has no layout "${layout}"`);
	const made = await write(rows, publishedOn);
	const called = name ?? made.name;
	return { name: called, path: called, bytes: made.bytes };
}
