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
