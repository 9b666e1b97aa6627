/** Statements in the page's URL, in the history stored in this browser, and as commands for other programs. */
import { quoted } from "#libs/contract/documents/programs.ts";
import type { DatabaseName } from "./schema.ts";

export type ResultView = "table" | "chart" | "map";

export interface Statement {
	sql: string;
	/** The database whose views need no prefix. */
	database: DatabaseName;
	view: ResultView;
}

/** Maximum length of a statement that the API accepts (characters). */
export const maxStatementLength = 10_000;

const views: readonly string[] = ["table", "chart", "map"] satisfies ResultView[];

/** The URL fragment of a statement. Fragments are not sent to the server, so they may be longer than the rest of a URL. */
export function fragmentOf({ sql, database, view }: Statement): string {
	return `#${new URLSearchParams({ sql, database, view })}`;
}

/** The statement in a fragment; undefined if there is none. The database is not validated here, but by the API. */
export function statementOf(fragment: string): Statement | undefined {
	const held = new URLSearchParams(fragment.slice(1));
	const sql = held.get("sql") ?? "";
	if (sql.trim() === "" || sql.length > maxStatementLength) return undefined;
	const view = held.get("view") ?? "";
	return {
		sql,
		database: (held.get("database") ?? "master") as DatabaseName,
		view: views.includes(view) ? (view as ResultView) : "table",
	};
}

export interface Ran extends Statement {
	/** When it last ran (ISO 8601). */
	at: string;
}

const name = "sql-history";
const maxStatements = 50;

export function readHistory(): Ran[] {
	try {
		const stored: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
		return Array.isArray(stored) ? stored.flatMap(ranOf).slice(0, maxStatements) : [];
	} catch {
		return [];
	}
}

/** Reads a stored entry, which a different version of this page may have written. */
function ranOf(stored: unknown): Ran[] {
	if (typeof stored !== "object" || stored === null) return [];
	const { at, ...rest } = stored as Record<string, unknown>;
	if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return [];
	const texts = Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === "string");
	const statement = statementOf(`#${new URLSearchParams(texts)}`);
	return statement === undefined ? [] : [{ ...statement, at }];
}

/** Adds a statement at the front of the history, or moves it there. */
export function addToHistory(statement: Statement, now = new Date()): Ran[] {
	if (statement.sql.length > maxStatementLength) return readHistory();
	const others = readHistory().filter(({ sql, database }) => sql !== statement.sql || database !== statement.database);
	return storeHistory([{ ...statement, at: now.toISOString() }, ...others].slice(0, maxStatements));
}

export const clearHistory = (): Ran[] => storeHistory([]);

function storeHistory(history: Ran[]): Ran[] {
	try {
		localStorage.setItem(name, JSON.stringify(history));
	} catch {
		// Browsers may deny access to the storage.
	}
	return history;
}

interface Caller {
	origin: string;
	/** Whether the visitor uses a key. Commands read the key from $KEY and do not contain it, because commands are often shared. */
	hasKey: boolean;
}

const bodyOf = ({ sql, database }: Statement): string => JSON.stringify({ sql, database });

export const curlOf = (statement: Statement, { origin, hasKey }: Caller): string =>
	[
		`curl ${quoted(`${origin}/query`)}`,
		...(hasKey ? ['  -H "X-API-Key: $KEY"'] : []),
		"  -H 'Content-Type: application/json'",
		`  --data-raw ${quoted(bodyOf(statement))}`,
	].join(" \\\n");

/** A JSON string is also a Python string. */
export const pythonOf = (statement: Statement, { origin, hasKey }: Caller): string => `import json
${hasKey ? "import os\n" : ""}from urllib.request import Request, urlopen

statement = ${JSON.stringify(statement.sql)}
request = Request(
    ${JSON.stringify(`${origin}/query`)},
    data=json.dumps({"sql": statement, "database": ${JSON.stringify(statement.database)}}).encode(),
    headers={"Content-Type": "application/json"${hasKey ? ', "X-API-Key": os.environ["KEY"]' : ""}},
)
with urlopen(request) as answer:
    result = json.load(answer)
print(result["meta"]["rows"], "rows")
for row in result["data"]:
    print(row)
`;
