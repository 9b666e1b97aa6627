/**
 * `POST /query` against the same statement over the same view in PostgreSQL, through one session of psql, statement after statement. A
 * literal differs in each, so that nothing is answered from a cache.
 */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../../deploy/local/server-programs.ts";
import { databases } from "../../services/queue-ingest/extracts/index.ts";
import { eventually } from "../../test/support/eventually.ts";
import { fill } from "./fill.ts";
import { takeTurns, timed } from "./measure.ts";
import { measureGroups } from "./query-groups.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const run = promisify(execFile);

const measured: Record<string, (at: number) => string> = {
	"one request by its id": (at) => `select id, name, capacity_mw from projects where id = 'PJM-${at}'`,
	"500 rows of 6 columns": (at) =>
		`select id, name, region, state, capacity_mw, queue_date from projects where capacity_mw > ${at / 100} limit 500`,
	"totals by region": (at) =>
		`select region, count(*) as n, sum(capacity_mw) as mw from projects where capacity_mw > ${at / 100} group by region`,
};

export async function measureQuery(bench: Bench, say: (line: string) => void): Promise<Row[]> {
	const psql = findProgram("psql");
	if (psql === undefined) {
		say("psql is not on this machine: the queries are not measured.");
		return [];
	}
	await fill(bench, say);
	say("/query: waiting for the extracts");
	await eventually(async () => (await countRows(bench.url)) >= bench.size.requests, { withinMs: 180_000 });
	// Timing inside the session: starting psql is not what is compared.
	const env = { ...process.env, PGOPTIONS: "-c search_path=queue_ingest -c jit=off" };
	const statements = bench.size.count(100);
	let turn = 0;
	const texts = (statement: (at: number) => string): string[] => {
		const first = statements * turn++;
		return Array.from({ length: statements }, (_, at) => statement(first + at));
	};
	const rows: Row[] = [];
	for (const [name, statement] of Object.entries(measured)) {
		say(`/query: ${name}`);
		const took = await takeTurns(bench.size.turns(5), {
			ours: () => askAll(bench.url, texts(statement)),
			psql: () => inPsql(psql, env, bench, texts(statement)),
		});
		const note = "ms a statement, one after the other; the baseline is psql";
		rows.push({ measure: `/query, ${name}`, unit: "ms", ours: took.ours, baseline: took.psql, note });
	}
	say("/query: groupings");
	rows.push(await measureGroups(bench, psql, view?.sql ?? ""));
	return rows;
}

/** The view that the statements name. */
const view = databases.master?.find(({ name }) => name === "projects");

async function countRows(url: string): Promise<number> {
	const response = await fetch(`${url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ sql: "select count(*) as n from projects" }),
	});
	const { data } = (await response.json()) as { data?: [{ n: number }] };
	return data?.[0].n ?? 0;
}

async function askAll(url: string, sqls: string[]): Promise<number> {
	const took = await timed(async () => {
		for (const sql of sqls) {
			const response = await fetch(`${url}/query`, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ sql, database: "master" }),
			});
			const text = await response.text();
			if (response.status !== 200) throw new Error(`/query: ${response.status} ${text}`);
		}
	});
	return took / sqls.length;
}

/** Milliseconds a statement, the answers written to a file as JSON: the same work for PostgreSQL. */
async function inPsql(psql: string, env: NodeJS.ProcessEnv, bench: Bench, sqls: string[]): Promise<number> {
	const file = join(bench.directory, "statements.sql");
	const wrapped = sqls.map((sql) => `select row_to_json(q)::text from (with projects as (${view?.sql}) ${sql}) q;`);
	writeFileSync(file, ["\\timing on", `\\o ${join(bench.directory, "answers.json")}`, ...wrapped].join("\n"));
	const { stdout } = await run(psql, [bench.databaseUrl, "-qXAtf", file], { env });
	const times = [...stdout.matchAll(/([\d.]+) ms/g)].map(([, ms]) => Number(ms));
	if (times.length !== sqls.length) throw new Error(`psql timed ${times.length} of ${sqls.length} statements`);
	return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}
