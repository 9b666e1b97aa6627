/** Maintains copies of rows that other services publish. A row with a newer `version` replaces an older one. */
import type { Fragment, Transaction } from "../connect.ts";

export const excluded = (columns: string): string => columns.replaceAll(/\w+/g, "excluded.$&");

interface CopyOptions {
	/** Condition that incoming rows must meet to be copied. */
	where?: Fragment;
	/** A column that keeps its stored value if the newer row has none. */
	retained?: string;
}

/**
 * CTEs that copy `rows` to a table whose key is the first column: `before` has the rows that were replaced, `copied` the rows written. Rows
 * are written in key order, so that two replicas with overlapping rows do not deadlock.
 */
export function copyRows(
	tx: Transaction,
	table: string,
	columns: string,
	rows: readonly object[],
	{ where = tx`true`, retained }: CopyOptions = {},
): Fragment {
	const [key = ""] = columns.split(", ");
	const newer = excluded(columns);
	const values =
		retained === undefined
			? newer
			: newer.replace(excluded(retained), `coalesce(${excluded(retained)}, t.${retained})`);
	return tx`
		with incoming as (
			select * from json_populate_recordset(null::${tx(table)}, ${JSON.stringify(rows)}::text::json) where ${where}),
		before as materialized (select t.* from ${tx(table)} t join incoming using (${tx(key)})),
		copied as (
			insert into ${tx(table)} as t (${tx.unsafe(columns)}) select ${tx.unsafe(columns)} from incoming order by ${tx(key)}
			on conflict (${tx(key)}) do update set (${tx.unsafe(columns)}) = (${tx.unsafe(values)})
				where excluded.version > t.version
			returning *)`;
}
