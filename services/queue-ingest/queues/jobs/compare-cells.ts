/** Compares what the rows of a list hold, column by column, with what the list before had there. Set-based. */
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { statingColumns, type TableLayout } from "../../sources/filed-cells.ts";
import type { Feed } from "../../sources/source.ts";
import { isBulk } from "./compare-list.ts";

/** Condition on a text: a number, short enough to compare as one. */
const isNumber = "~ '^-?[0-9]{1,15}([.][0-9]{1,15})?$'";

/**
 * Creates `filed_differences` (project, column, old, new: one per column that differs in more than white space or the writing of a number)
 * and `filed_recoded` (columns that differ in bulk: one change each). A column whose difference `differences` shows as that of a field
 * which it states is left out, as is a row that says less than the main list's, whose columns are others, and whatever a request says for
 * the first time in this feed.
 */
export async function compareCells(tx: Transaction, feed: Feed, tables: readonly TableLayout[]): Promise<void> {
	await tx`drop table if exists filed_differences, filed_recoded`;
	await tx`
		create temporary table filed_differences on commit drop as
		select s.id, f.* from staged s
		join filed_rows o on o.project_id = s.id and o.feed = ${feed} and o.cells <> s.filed and not s.partial
		cross join lateral (
			select key as field_name, b.value as old_value, a.value as new_value
			from jsonb_each_text(o.cells) b full join jsonb_each_text(s.filed) a using (key)
			where a.value is distinct from b.value) f`;
	await tx.unsafe(`
		delete from filed_differences f where old_value ${isNumber} and new_value ${isNumber}
			and case when old_value ${isNumber} and new_value ${isNumber} then old_value::numeric = new_value::numeric end`);
	const columns = tx`jsonb_to_recordset(${JSON.stringify(statingColumns(tables))}::text::jsonb) as c ("column" text, field text, alone boolean)`;
	await tx`
		delete from filed_differences f using ${columns}, differences d
		where c."column" = f.field_name and d.id = f.id and d.field_name = c.field
			and (c.alone or spelling(d.old_value) is not distinct from spelling(f.old_value)
				and spelling(d.new_value) is not distinct from spelling(f.new_value))`;
	await passOverMoved(tx, columns);
	await tx.unsafe(`
		create temporary table filed_recoded on commit drop as
		select field_name, count(*) as projects from filed_differences group by field_name having ${isBulk}`);
}

/** A value that stands under another heading of the same field now, for its request moved to another sheet, is the same. */
async function passOverMoved(tx: Transaction, columns: Fragment): Promise<void> {
	await tx`
		with c as materialized (select distinct "column", field from ${columns})
		delete from filed_differences f using filed_differences o, c, c as other
		where o.id = f.id and c."column" = f.field_name and other."column" = o.field_name and other.field = c.field
			and (f.new_value is null and o.old_value is null and o.new_value = f.old_value
				or f.old_value is null and o.new_value is null and o.old_value = f.new_value)`;
}

/** For the next list. Rows of requests that this one does not show stay as they were. */
export async function keepCells(tx: Transaction, feed: Feed): Promise<void> {
	await tx`
		insert into filed_rows as o (project_id, feed, cells)
		select id, ${feed}, filed from staged where filed is not null and not partial
		on conflict (project_id, feed) do update set cells = excluded.cells where o.cells <> excluded.cells`;
}
