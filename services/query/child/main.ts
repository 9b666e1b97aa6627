/** A process of the pool: reads the set-up and then statements from standard input, one at a time, and answers on standard output. */
import { FrameReader, type Outcome, type Setup, type Statement, writeFrame } from "../pool/frames.ts";
import { answer } from "./answer.ts";
import { checkStatement } from "./check-statement.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { explain, Failed } from "./failure.ts";
import { Refused } from "./refused.ts";

const longestFrame = 1024 * 1024;

let database: OpenDatabase | undefined;
const reader = new FrameReader(longestFrame);
for await (const chunk of process.stdin) {
	const frame = reader.add(chunk as Buffer);
	if (frame === undefined) continue;
	if (database === undefined) {
		database = await openDatabase((frame.head as Setup).files);
		reply({ kind: "ready" });
	} else await run(database, frame.head as Statement);
}

async function run(from: OpenDatabase, statement: Statement): Promise<void> {
	try {
		const connection = from.connections.get(statement.database);
		if (connection === undefined) throw new Error(`no database ${statement.database}`);
		const parsed = await connection.runAndReadAll("select json_serialize_sql($1::varchar)", [statement.sql]);
		const views = checkStatement(statement.sql, String(parsed.value(0, 0)), statement.database, from.views);
		const { columns, rows, truncatedBy, body } = await answer(connection, statement.sql, statement.format);
		reply({ kind: "answer", columns, rows, truncatedBy, views }, body);
	} catch (error) {
		const said = explain(error, statement.sql);
		if (said instanceof Refused) reply({ kind: "refused", detail: said.message });
		else if (said instanceof Failed) reply({ kind: "failed", detail: said.message });
		else reply({ kind: "broken", detail: String(error) });
	}
}

function reply(outcome: Outcome, body?: Uint8Array): void {
	process.stdout.write(writeFrame(outcome, body));
}
