import { quoted } from "#libs/contract/documents/programs.ts";
import type { Result } from "./run.ts";
import type { Statement } from "./statement.ts";

interface Caller {
	origin: string;
	/** Whether the reader uses a key. Commands take it from $KEY instead of containing it, because readers pass them on. */
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

export const jsonOf = ({ columns, rows }: Pick<Result, "columns" | "rows">): string =>
	`[\n${rows
		.map((row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]))))
		.join(",\n")}\n]\n`;
