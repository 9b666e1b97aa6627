/**
 * What a day changed of the day before, as Parquet: rows that are new or differ, and ids that are gone. In a process of its own, which
 * reads the tasks as JSON from standard input and says how many rows each file has.
 */
import { text } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";

export interface DifferenceTask {
	/** Files: every row now; the full one of the month before this day and what was archived since; the one to write. */
	state: string;
	before: string[];
	delta: string;
	/** All of a row but `deleted` and `day`. */
	columns: string[];
	day: string;
	/** Where more is needed than memory has. */
	scratch: string;
}

const literal = (value: string): string => `'${value.replaceAll("'", "''")}'`;

function copyStatement({ state, before, delta, columns, day }: DifferenceTask): string {
	const row = (relation: string) => `row(${columns.map((name) => `${relation}."${name}"`).join(", ")})`;
	return `copy (
			with now as (select * from read_parquet(${literal(state)})),
			past as (
				-- A column that has come since is null in files that do not know it.
				select * from (
					select * from read_parquet([${before.map(literal).join(", ")}], union_by_name = true)
					union all by name select * from now where false)
				qualify row_number() over (partition by id order by day desc) = 1 and not deleted)
			select now.* from now left join past using (id) where past.id is null or ${row("now")} is distinct from ${row("past")}
			union all by name
			select id, true as deleted, date '${day}' as day from past where id not in (select id from now)
			order by id)
		to ${literal(delta)} (format parquet, compression zstd, row_group_size 20000)`;
}

if (import.meta.main) {
	const tasks = JSON.parse(await text(process.stdin)) as DifferenceTask[];
	const rows: number[] = [];
	for (const task of tasks) {
		const settings = { threads: "1", memory_limit: "1GB", temp_directory: task.scratch };
		const instance = await DuckDBInstance.create(":memory:", settings);
		const connection = await instance.connect();
		await connection.run("set TimeZone = 'UTC'");
		rows.push(Number((await connection.runAndReadAll(copyStatement(task))).value(0, 0)));
	}
	// Threads of the library may keep a process from ending.
	process.stdout.write(JSON.stringify(rows), () => process.exit(0));
}
