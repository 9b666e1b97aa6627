/** A statement, as the page's address and the browser's history hold it. */
import type { DatabaseName } from "./schema.ts";

export type ResultView = "table" | "chart" | "map";

export interface Statement {
	sql: string;
	/** Where views without a database are looked for. */
	database: DatabaseName;
	view: ResultView;
}

/** The interface's own limit (characters). */
export const longest = 10_000;

const views: readonly string[] = ["table", "chart", "map"] satisfies ResultView[];

/** Behind the `#`, which is not sent: it may be longer than an address. */
export function fragmentOf({ sql, database, view }: Statement): string {
	return `#${new URLSearchParams({ sql, database, view })}`;
}

/** Undefined where it holds no statement. The database is checked by the interface. */
export function statementOf(fragment: string): Statement | undefined {
	const held = new URLSearchParams(fragment.slice(1));
	const sql = held.get("sql") ?? "";
	if (sql.trim() === "" || sql.length > longest) return undefined;
	const view = held.get("view") ?? "";
	return {
		sql,
		database: (held.get("database") ?? "master") as DatabaseName,
		view: views.includes(view) ? (view as ResultView) : "table",
	};
}

export interface Ran extends Statement {
	/** When it ran last, ISO 8601. */
	at: string;
}

const name = "sql-history";
const most = 50;

export function readHistory(): Ran[] {
	try {
		const kept: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
		return Array.isArray(kept) ? kept.flatMap(ranOf).slice(0, most) : [];
	} catch {
		return [];
	}
}

/** What is kept may be of another version of this page, or of anything. */
function ranOf(kept: unknown): Ran[] {
	if (typeof kept !== "object" || kept === null) return [];
	const { at, ...rest } = kept as Record<string, unknown>;
	if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return [];
	const texts = Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === "string");
	const statement = statementOf(`#${new URLSearchParams(texts)}`);
	return statement === undefined ? [] : [{ ...statement, at }];
}

/** A statement that was there before moves to the front. */
export function addToHistory(statement: Statement, now = new Date()): Ran[] {
	if (statement.sql.length > longest) return readHistory();
	const others = readHistory().filter(({ sql, database }) => sql !== statement.sql || database !== statement.database);
	return write([{ ...statement, at: now.toISOString() }, ...others].slice(0, most));
}

export const clearHistory = (): Ran[] => write([]);

function write(history: Ran[]): Ran[] {
	try {
		localStorage.setItem(name, JSON.stringify(history));
	} catch {
		// A browser that keeps nothing has no history.
	}
	return history;
}
