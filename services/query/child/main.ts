/** A process of the pool: reads the setup and then statements from standard input, one at a time, and writes results to standard output. */

import { executeStatement } from "./answer.ts";
import { checkStatement } from "./check-statement.ts";
import { type OpenDatabase, openDatabase } from "./database.ts";
import { explain, Failed, NotLoaded, Refused } from "./failure.ts";
import { FrameReader, type Outcome, type Report, type Setup, type Statement, writeFrame } from "./frames.ts";

const maxFrameBytes = 1024 * 1024;

/** CPU time of this process when the current message arrived. */
let cpuAtStart = process.cpuUsage();
let database: OpenDatabase | undefined;
const reader = new FrameReader(maxFrameBytes);
for await (const chunk of process.stdin) {
	const frame = reader.add(chunk as Buffer);
	if (frame === undefined) continue;
	cpuAtStart = process.cpuUsage();
	if (database === undefined) {
		database = await openDatabase((frame.head as Setup).files);
		await warmUp(database);
		reply({ kind: "ready" });
	} else await runAndReply(database, frame.head as Statement);
}

/** Runs a statement before the first one of a caller, because the first statement of a process takes ten times as long as later ones. */
async function warmUp(opened: OpenDatabase): Promise<void> {
	const [first] = [...opened.views].flatMap(([database, names]) => [...names].map((name) => ({ database, name })));
	if (first === undefined) return;
	await execute(opened, { sql: `select * from ${first.name} limit 1`, database: first.database, format: "json" });
}

/** Checks a statement and runs it. With `checkOnly`, it is not run, and the result is undefined. */
async function execute(
	opened: OpenDatabase,
	{ sql, database, format, safe = false, values = [], checkOnly }: Statement,
) {
	const connection = opened.connectionOf(database);
	const parsed = await connection.runAndReadAll("select json_serialize_sql($1::varchar)", [sql]);
	const serialized = String(parsed.value(0, 0));
	const parameters = values.map(({ name }) => name);
	const views = checkStatement(sql, serialized, { database, views: opened.views, parameters });
	await opened.createViews(views);
	if (checkOnly === true) {
		(await connection.prepare(sql)).destroySync();
		return undefined;
	}
	return { views, ...(await executeStatement(connection, { sql, values }, { format, safe })) };
}

async function runAndReply(opened: OpenDatabase, statement: Statement): Promise<void> {
	try {
		const result = await execute(opened, statement);
		if (result === undefined) {
			reply({ kind: "checked" });
			return;
		}
		const { columns, rows, truncatedBy, views, body } = result;
		reply({ kind: "result", columns, rows, truncatedBy, views }, body);
	} catch (error) {
		const reason = error instanceof NotLoaded ? error : explain(error, statement.sql);
		if (reason instanceof NotLoaded) reply({ kind: "not loaded", database: reason.database });
		else if (reason instanceof Refused) reply({ kind: "refused", detail: reason.message });
		else if (reason instanceof Failed) reply({ kind: "failed", detail: reason.message });
		else reply({ kind: "broken", detail: String(error) });
	}
}

function reply(outcome: Outcome, body?: Uint8Array): void {
	const { user, system } = process.cpuUsage(cpuAtStart);
	const report: Report = { outcome, cpuMs: (user + system) / 1_000 };
	process.stdout.write(writeFrame(report, body));
}
