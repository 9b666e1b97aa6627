/** Compares the cells of a list with those of the list before, column by column. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { columnsOf, statingColumns, type TableLayout } from "../../sources/filed-cells.ts";
import type { Feed } from "../../sources/source.ts";
import { foldRenamings } from "./fold-renamings.ts";

/** Condition on a text: a number that is short enough to be compared as a number. */
const isNumber = "~ '^-?[0-9]{1,15}([.][0-9]{1,15})?$'";
/** The same: a day as `2026-03-31` and as `3/31/2026`. */
const isDay = "~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'";
const isSlashed = "~ '^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}'";
const dayOfSlashed = (text: string) =>
	`substr(split_part(${text}, '/', 3), 1, 4) || '-' || lpad(split_part(${text}, '/', 1), 2, '0') || '-' || lpad(split_part(${text}, '/', 2), 2, '0')`;

/**
 * Creates `filed_differences` (project, column, old, new: one per column of both lists that differs in more than white space or the writing
 * of a number or a day), and marks renamings of values as folded. A column that only one of the lists has is a change of the list's
 * structure. Left out are columns whose difference is in `differences` as that of a field, partial rows, which have other columns, and
 * requests that are new in this feed. `before`: the tables of the previous list; null if unknown.
 */
export async function compareCells(
	tx: Transaction,
	feed: Feed,
	tables: readonly TableLayout[],
	before: readonly TableLayout[] | null,
): Promise<void> {
	const shared = columnsOf(tables).intersection(columnsOf(before ?? tables));
	await tx`drop table if exists filed_differences`;
	await tx`
		create temporary table filed_differences on commit drop as
		select s.id, f.*, false as folded from staged s
		join filed_rows o on o.project_id = s.id and o.feed = ${feed} and o.cells <> s.filed and not s.partial
		cross join lateral (
			select key as field_name, b.value as old_value, a.value as new_value
			from jsonb_each_text(o.cells) b full join jsonb_each_text(s.filed) a using (key)
			where a.value is distinct from b.value and key = any(${[...shared]}::text[])) f`;
	await tx.unsafe(`
		delete from filed_differences f where case
			when old_value ${isNumber} and new_value ${isNumber} then old_value::numeric = new_value::numeric
			when old_value ${isDay} and new_value ${isSlashed} then left(old_value, 10) = ${dayOfSlashed("new_value")}
			when old_value ${isSlashed} and new_value ${isDay} then left(new_value, 10) = ${dayOfSlashed("old_value")} end`);
	const columns = tx`jsonb_to_recordset(${JSON.stringify(statingColumns(tables))}::text::jsonb) as c ("column" text, field text, alone boolean)`;
	await tx`
		delete from filed_differences f using ${columns}, differences d
		where c."column" = f.field_name and d.id = f.id and d.field_name = case c.field
				when 'study_phase_filed' then 'study_phase' when 'queue_date' then 'queue_date_current' else c.field end
			and (c.alone or (f.old_value is null or spelling(d.old_value) is not distinct from spelling(f.old_value))
				and (f.new_value is null or spelling(d.new_value) is not distinct from spelling(f.new_value)))`;
	await removeMoved(tx, columns);
	// Numbers and days are never renamed: each request's change counts.
	await foldRenamings(
		tx,
		"filed_differences",
		(column) => tx`
			select o.cells ->> ${column} as old, s.filed ->> ${column} as new
			from staged s join filed_rows o on o.project_id = s.id and o.feed = ${feed} and not s.partial
			where o.cells ->> ${column} !~ '^-?[0-9]'`,
	);
}

/** Removes differences of requests that moved to another sheet, where the same value has another header of the field. */
async function removeMoved(tx: Transaction, columns: Fragment): Promise<void> {
	await tx`
		with c as materialized (select distinct "column", field from ${columns})
		delete from filed_differences f using filed_differences o, c, c as other
		where o.id = f.id and c."column" = f.field_name and other."column" = o.field_name and other.field = c.field
			and (f.new_value is null and o.old_value is null and spelling(o.new_value) = spelling(f.old_value)
				or f.old_value is null and o.new_value is null and spelling(o.old_value) = spelling(f.new_value))`;
}

/** Stores the cells for the next list. Requests that this list lacks keep theirs. */
export async function keepCells(tx: Transaction, feed: Feed): Promise<void> {
	await tx`
		insert into filed_rows as o (project_id, feed, cells)
		select id, ${feed}, filed from staged where filed is not null and not partial
		on conflict (project_id, feed) do update set cells = excluded.cells where o.cells <> excluded.cells`;
}
