/** Stores objects as rows. */
import type { Transaction } from "#libs/postgres/connect.ts";
import type { Dataset } from "./dataset.ts";

const rowsPerInsert = 4_000;

/** Members of `rows` are columns, the same in every row. `shared`: columns with one value for all rows. @returns the number of rows */
export async function insertRows(
	tx: Transaction,
	table: string,
	rows: readonly object[],
	shared: object = {},
): Promise<number> {
	for (let at = 0; at < rows.length; at += rowsPerInsert) {
		const batch = rows.slice(at, at + rowsPerInsert).map((row) => ({ ...row, ...shared }));
		const columns = Object.keys(batch[0] ?? {});
		await tx`
			insert into ${tx(table)} (${tx(columns)}) select ${tx(columns)}
			from jsonb_populate_recordset(null::${tx(table)}, ${JSON.stringify(batch)}::text::jsonb)`;
	}
	return rows.length;
}

type DatedTable = "dg_records" | "grid_units" | "request_reports" | "datacenter_facilities" | "datacenter_proposals";

/** Implements a dataset's `write`: the file is its complete edition, so it replaces the rows of earlier files. */
export const replaceEdition =
	(table: DatedTable): Dataset<object>["write"] =>
	async (tx, { edition, publishedOn, rows }, { feed, snapshotId }) => {
		await tx`delete from ${tx(table)} where source = ${feed} and edition = ${edition}`;
		const dateColumn = table.startsWith("datacenter_") ? { as_of: publishedOn } : {};
		const stored = await insertRows(tx, table, rows, { source: feed, edition, snapshot_id: snapshotId, ...dateColumn });
		await tx`analyze ${tx(table)}`;
		return stored;
	};
