/** What a day changed of the day before: rows that are new or differ, and ids that are gone. */
import { copyTo, literal } from "#libs/parquet/encode.ts";

interface Difference {
	/** Files: every row now; the full one of the month before this day and what was archived since; the one to write. */
	state: string;
	before: string[];
	delta: string;
	/** All of a row but `deleted` and `day`. */
	columns: string[];
	day: string;
}

/** A statement of DuckDB. */
export function differenceStatement({ state, before, delta, columns, day }: Difference): string {
	const row = (relation: string) => `row(${columns.map((name) => `${relation}."${name}"`).join(", ")})`;
	return copyTo(
		delta,
		`with now as (select * from read_parquet(${literal(state)})),
			past as (
				-- A column that has come since is null in files that do not know it.
				select * from (
					select * from read_parquet([${before.map(literal).join(", ")}], union_by_name = true)
					union all by name select * from now where false)
				qualify row_number() over (partition by id order by day desc) = 1 and not deleted)
			select now.* from now left join past using (id) where past.id is null or ${row("now")} is distinct from ${row("past")}
			union all by name
			select id, true as deleted, date '${day}' as day from past where id not in (select id from now)
			order by id`,
	);
}
