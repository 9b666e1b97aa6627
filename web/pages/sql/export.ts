/** A result as a file, and the statement as programs would run it. */
import { textOf } from "./cells.ts";
import type { Cell, Column, Result } from "./run.ts";
import type { Statement } from "./statement.ts";

/** RFC 4180, as the interface writes it: NULL is empty, an empty text is `""`. */
export function csvOf({ columns, rows }: Pick<Result, "rows"> & { columns: Pick<Column, "name">[] }): string {
	const lines = [columns.map(({ name }) => quoted(name)), ...rows.map((row) => row.map(csvCell))];
	return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const csvCell = (cell: Cell): string => (cell === null ? "" : quoted(textOf(cell)));

const quoted = (text: string): string =>
	/[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;

/** The rows as objects. */
export const jsonOf = ({ columns, rows }: Pick<Result, "columns" | "rows">): string =>
	`[\n${rows
		.map((row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]))))
		.join(",\n")}\n]\n`;

export function save(name: string, mediaType: string, text: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
	const link = Object.assign(document.createElement("a"), { href: address, download: name });
	link.click();
	// The download has begun, but has not read it yet.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

interface Caller {
	origin: string;
	/** The key itself is not shown: the commands are to be passed on. */
	hasKey: boolean;
}

const bodyOf = ({ sql, database }: Statement): string => JSON.stringify({ sql, database });

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const curlOf = (statement: Statement, { origin, hasKey }: Caller): string =>
	[
		`curl ${inShell(`${origin}/query`)}`,
		...(hasKey ? ['  -H "X-API-Key: $KEY"'] : []),
		"  -H 'Content-Type: application/json'",
		`  --data-raw ${inShell(bodyOf(statement))}`,
	].join(" \\\n");

/** Text of JSON is text of Python, too. */
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
