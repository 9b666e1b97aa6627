/** The statements that this browser ran, newest first: kept in it alone, and not without end. */
import { longest, type Statement, statementOf } from "./statement.ts";

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
