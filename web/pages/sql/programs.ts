/** A statement as a command and as a program. */
import { quoted } from "#libs/documents/programs.ts";
import type { Statement } from "./statement.ts";

interface Caller {
	origin: string;
	/** The key itself is not shown: the commands are to be passed on. */
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
