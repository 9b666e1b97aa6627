/** Views as their readers see them, and the comparison of their rows with what HTTP answers. */
import { expect } from "vitest";
import type { Database } from "#libs/contract/databases.ts";
import { ask } from "./statements.ts";

export type Row = Record<string, unknown>;

/** The rows of a statement, by POST /query. */
export async function rowsOf(url: string, database: Database, sql: string): Promise<Row[]> {
	const { detail, data, meta } = await ask(url, sql, { database });
	expect([sql, detail, meta.truncated]).toEqual([sql, "", false]);
	return data;
}

/** The rows of a view by `key`, names parted by commas. */
export async function viewRows(url: string, database: Database, view: string, key: string): Promise<Map<string, Row>> {
	const rows = await rowsOf(url, database, `from ${view}`);
	expect(rows.length).toBeGreaterThan(0);
	return new Map(rows.map((row) => [keyOf(row, key), row]));
}

const keyOf = (row: Row, key: string) => JSON.stringify(key.split(",").map((name) => plain(row[name])));

/** `…+00:00` and `…Z` are one moment; the answers are cut to the second. */
function plain(value: unknown): unknown {
	const moment = typeof value === "string" && /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|\+00:00)$/.exec(value);
	return moment ? `${moment[1]}Z` : value;
}

/** Each field of each answer stands in the view's row of the same key, under its name or the one given. */
export function expectSame(
	answers: Row[],
	view: Map<string, Row>,
	key: string,
	{ renamed = {}, except = [] }: { renamed?: Record<string, string>; except?: string[] } = {},
): void {
	expect(answers.length).toBeGreaterThan(0);
	for (const answer of answers) {
		const fields = Object.entries(answer).filter(([field]) => !except.includes(field));
		const named = Object.fromEntries(fields.map(([field, value]) => [renamed[field] ?? field, plain(value)]));
		const row = view.get(keyOf(named, key));
		expect([named, row]).toEqual([named, expect.anything()]);
		const seen = Object.fromEntries(Object.keys(named).map((field) => [field, plain(row?.[field])]));
		expect(seen).toEqual(named);
	}
}

export async function getFrom(base: string, path: string): Promise<Row> {
	const response = await fetch(`${base}${path}`);
	expect([path, response.status]).toEqual([path, 200]);
	return (await response.json()) as Row;
}

/** All pages of a list. */
export async function listFrom(base: string, path: string): Promise<Row[]> {
	const all: Row[] = [];
	for (let page = 1; ; page++) {
		const body = await getFrom(base, `${path}${path.includes("?") ? "&" : "?"}page=${page}`);
		const rows = body.data as Row[];
		all.push(...rows);
		if (rows.length === 0 || body.meta === undefined || page >= Number((body.meta as Row).pages)) return all;
	}
}
