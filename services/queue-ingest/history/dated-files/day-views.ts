/** Views for the files of a day, over this service's tables. */
import type { ExportTable } from "#libs/contract/exports/columns.ts";
import { changeTable } from "#libs/contract/operations/history/change.ts";
import { projectTable } from "#libs/contract/operations/projects/project-columns.ts";
import { buildCopyStatement } from "#libs/parquet/encode.ts";
import { literal } from "#libs/parquet/quote.ts";
import { boolean, date, duckTypes, type View, type ViewColumn } from "#libs/parquet/view.ts";

const columnsOf = ({ columns }: ExportTable): Record<string, ViewColumn> =>
	Object.fromEntries(
		columns().map(({ name, type, unit, description }) => [
			name,
			{ type: duckTypes[type], unit, description: description ?? name },
		]),
	);

const deltaColumns = {
	deleted: boolean("Removed since the day before; the row states only the id"),
	day: date("The day at whose end the row was valid"),
};

const projectColumnsOf = (relation: string) =>
	projectTable
		.columns()
		.map(({ name }) => `${relation}.${name}`)
		.join(", ");

/** Condition on snapshots `s` that were loaded after the day. `finished_at` is the start of their transaction. */
const loadedAfter = (day: string) =>
	`coalesce(s.finished_at, s.started_at) >= (date '${day}' + 1)::timestamp at time zone 'UTC'`;

/**
 * View of every request at the end of the day. If lists were loaded since, because the service was down at midnight, their requests have the
 * state of the earlier lists.
 */
export const stateView = (day: string): View => ({
	name: "state",
	description: `Every request at the end of ${day}`,
	columns: { ...columnsOf(projectTable), ...deltaColumns },
	sql: `
		with late as materialized (
			select distinct v.project_id from snapshots s join project_versions v on v.snapshot_id = s.id
			where ${loadedAfter(day)})
		select ${projectColumnsOf("p")}, false as deleted, date '${day}' as day from projects p
		where not exists (select from late where late.project_id = p.id)
		union all
		select ${projectColumnsOf("r")}, false, date '${day}' from (
			select distinct on (h.id) h.* from late join project_history h on h.id = late.project_id
			join snapshots s on s.id = h.snapshot_id where not ${loadedAfter(day)}
			order by h.id, h.valid_from desc, h.version desc, h.entry desc) r`,
	order: ["id"],
});

const newestSeqOf = (day: string) => `
	select coalesce(max(c.seq), 0) as seq from changes c join snapshots s on s.id = c.snapshot_id where not ${loadedAfter(day)}`;

/** View of the changes after `afterSeq`, the last archived one, until the end of the day. */
export const changesView = (day: string, afterSeq: number): View => ({
	name: "changes",
	description: `What changed by the end of ${day}`,
	columns: columnsOf(changeTable),
	sql: `
		select ${changeTable
			.columns()
			.map(({ name }) => `c.${name}`)
			.join(", ")}
		from changes c where c.seq > ${afterSeq} and c.seq <= (${newestSeqOf(day)}) and c.change_type <> 'raw_update'`,
	order: ["seq"],
});

/** View with one row: the newest change by the end of the day. */
export const newestChangeView = (day: string): View => ({
	name: "reached",
	description: `The newest change by the end of ${day}`,
	columns: {
		seq: { type: "BIGINT", description: "The newest change", unit: null },
	},
	sql: newestSeqOf(day),
	order: ["seq"],
});

interface Difference {
	/** File with the state of every request. */
	state: string;
	/** Files with the last archived requests: the newest full file and the deltas after it. */
	before: string[];
	/** File to write. */
	delta: string;
	/** All columns but `deleted` and `day`. */
	columns: string[];
	day: string;
}

/** Returns a DuckDB statement that writes the rows that differ from the last archived ones. */
export function differenceStatement({ state, before, delta, columns, day }: Difference): string {
	const row = (relation: string) => `row(${columns.map((name) => `${relation}."${name}"`).join(", ")})`;
	return buildCopyStatement(
		delta,
		`with now as (select * from read_parquet(${literal(state)})),
			past as (
				-- Columns added since are null in older files.
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
