/** Compares the cells of a list with those of the previous list, column by column. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { columnsOf, statingColumns, type TableLayout } from "../../sources/filed-cells.ts";
import type { Feed } from "../../sources/source.ts";
import { markRecoded } from "./fold-renamings.ts";

/** SQL conditions on a text: a number short enough to be compared as one; a day as in `2026-03-31`; a day as in `3/31/2026`. */
const matchesNumber = "~ '^-?[0-9]{1,15}([.][0-9]{1,15})?$'";
const matchesIsoDay = "~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}'";
const matchesUsDay = "~ '^[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}'";
const isoFromUsDay = (text: string) =>
	`substr(split_part(${text}, '/', 3), 1, 4) || '-' || lpad(split_part(${text}, '/', 1), 2, '0') || '-' || lpad(split_part(${text}, '/', 2), 2, '0')`;

/**
 * Creates `filed_differences` (project, column, old, new): one row per cell that differs in more than white space or the format of a number
 * or day. Marks rows as recoded if a renaming of values explains them. Leaves out columns that only one list has (the structure changed),
 * cells whose field already has a difference in `differences`, partial rows (they have other columns) and requests that are new in this
 * feed. `previousTables` is null if the tables of the previous list are unknown.
 */
export async function compareCells(
	tx: Transaction,
	feed: Feed,
	tables: readonly TableLayout[],
	previousTables: readonly TableLayout[] | null,
): Promise<void> {
	const shared = columnsOf(tables).intersection(columnsOf(previousTables ?? tables));
	await tx`drop table if exists filed_differences`;
	await tx`
		create temporary table filed_differences on commit drop as
		select s.id, f.*, false as recoded from staged s
		join filed_rows o on o.project_id = s.id and o.feed = ${feed} and o.cells <> s.filed and not s.partial
		cross join lateral (
			select key as field_name, b.value as old_value, a.value as new_value
			from jsonb_each_text(o.cells) b full join jsonb_each_text(s.filed) a using (key)
			where a.value is distinct from b.value and key = any(${[...shared]}::text[])) f`;
	await tx.unsafe(`
		delete from filed_differences f where case
			when old_value ${matchesNumber} and new_value ${matchesNumber} then old_value::numeric = new_value::numeric
			when old_value ${matchesIsoDay} and new_value ${matchesUsDay} then left(old_value, 10) = ${isoFromUsDay("new_value")}
			when old_value ${matchesUsDay} and new_value ${matchesIsoDay} then left(new_value, 10) = ${isoFromUsDay("old_value")} end`);
	const columns = tx`jsonb_to_recordset(${JSON.stringify(statingColumns(tables))}::text::jsonb) as c ("column" text, field text, alone boolean)`;
	await tx`
		delete from filed_differences f using ${columns}, differences d
		where c."column" = f.field_name and d.id = f.id and d.field_name = case c.field
				when 'study_phase_filed' then 'study_phase' when 'queue_date' then 'queue_date_current' else c.field end
			and (c.alone or (f.old_value is null or spelling(d.old_value) is not distinct from spelling(f.old_value))
				and (f.new_value is null or spelling(d.new_value) is not distinct from spelling(f.new_value)))`;
	await removeMovedCells(tx, columns);
	// Leaves out numbers and days, because no renaming explains their changes.
	await markRecoded(
		tx,
		"filed_differences",
		(column) => tx`
			select o.cells ->> ${column} as old, s.filed ->> ${column} as new
			from staged s join filed_rows o on o.project_id = s.id and o.feed = ${feed} and not s.partial
			where o.cells ->> ${column} !~ '^-?[0-9]'`,
	);
}

/** Removes differences of requests that moved to another sheet, in which the same field has another header. */
async function removeMovedCells(tx: Transaction, columns: Fragment): Promise<void> {
	await tx`
		with c as materialized (select distinct "column", field from ${columns})
		delete from filed_differences f using filed_differences o, c, c as other
		where o.id = f.id and c."column" = f.field_name and other."column" = o.field_name and other.field = c.field
			and (f.new_value is null and o.old_value is null and spelling(o.new_value) = spelling(f.old_value)
				or f.old_value is null and o.new_value is null and spelling(o.old_value) = spelling(f.new_value))`;
}

/** Stores the cells for the comparison with the next list. Cells of requests that this list lacks are kept. */
export async function storeCells(tx: Transaction, feed: Feed): Promise<void> {
	await tx`
		insert into filed_rows as o (project_id, feed, cells)
		select id, ${feed}, filed from staged where filed is not null and not partial
		on conflict (project_id, feed) do update set cells = excluded.cells where o.cells <> excluded.cells`;
}
