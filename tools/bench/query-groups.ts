/** Groupings over a hundred times the rows, 3.6 million: a process for statements over one Parquet file against psql over the same rows as a plain table. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { queryLimits } from "#libs/contract/databases.ts";
import { Pool, poolDefaults } from "../../services/query/pool/pool.ts";
import { takeTurns, timed } from "./measure.ts";
import type { Row } from "./report.ts";
import type { Bench } from "./system.ts";

const run = promisify(execFile);
const columns = "id, region, state, status, capacity_mw, queue_date";

const grouped = [
	"select region, status, count(*) as n, sum(capacity_mw) as mw from rows group by region, status",
	"select state, count(*) as n, avg(capacity_mw) as mw from rows where status = 'Active' group by state",
	"select extract(year from queue_date) as year, sum(capacity_mw) as mw from rows group by 1",
];

/** `viewSql`: of the view whose rows are taken, a hundred times each. */
export async function measureGroups(bench: Bench, psql: string, viewSql: string): Promise<Row> {
	const copies = bench.size.count(100);
	const csv = join(bench.directory, "rows.csv");
	const parquet = join(bench.directory, "rows.parquet");
	const inPsql = (...lines: string[]) =>
		run(psql, [bench.databaseUrl, "-qXAt", ...lines.flatMap((line) => ["-c", line])], {
			env: { ...process.env, PGOPTIONS: "-c search_path=queue_ingest -c jit=off -c statement_timeout=0" },
		});
	await inPsql(
		`create table queue_ingest.rows as select ${columns} from (${viewSql}) v, generate_series(1, ${copies})`,
		"analyze queue_ingest.rows",
		`\\copy (select ${columns} from (${viewSql}) v) to '${csv}' csv header`,
	);
	try {
		const writer = await (await DuckDBInstance.create(":memory:")).connect();
		await writer.run(
			`copy (select c.* from read_csv('${csv}') c, range(${copies}) order by region, state) to '${parquet}' (format parquet, compression zstd)`,
		);
		writer.closeSync();
		await using pool = new Pool({ ...poolDefaults, dataKb: 920_000, timeoutMs: queryLimits.timeoutMs });
		pool.use([{ database: "master", name: "rows", path: parquet }]);
		const took = await takeTurns(bench.size.turns(5), {
			ours: () =>
				timed(async () => {
					for (const sql of grouped) {
						const { outcome } = await pool.run({ sql, database: "master", format: "json" });
						if (outcome.kind !== "result") throw new Error(JSON.stringify(outcome));
					}
				}),
			psql: () => timed(() => inPsql(...grouped)),
		});
		const each = (all: number[]) => all.map((ms) => ms / grouped.length);
		return {
			measure: `a grouping of ${(bench.size.requests * copies).toLocaleString("en")} rows`,
			unit: "ms",
			than: "psql",
			ours: each(took.ours),
			baseline: each(took.psql),
			aim: { atMost: 0.2 },
			note: "ms a statement, in a process for statements",
		};
	} finally {
		await inPsql("drop table queue_ingest.rows");
	}
}
