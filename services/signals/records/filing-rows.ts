/** Rows of the tables `raises` and `filings`. Each is published as an event, whose fields are columns of the row. */
import { isDeepStrictEqual } from "node:util";
import { filingRecorded, raiseRecorded } from "#libs/contract/events/signals.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { publishCurrent } from "#libs/postgres/events/outbox.ts";
import { batchSize } from "./storing.ts";

/** A row as `to_jsonb` writes it. */
interface FilingRow {
	accession_number: string;
	version: number;
}

interface RowChange<T> {
	before: T | undefined;
	after: T;
}

const events = { raises: raiseRecorded, filings: filingRecorded };

type Table = keyof typeof events;

/** Fields of the events that are not columns. */
const otherFields = ["id", "occurred_at", "version", "developer_canonical"];

const publishedColumns = (table: Table): string[] =>
	Object.keys(events[table].payload.shape).filter((name) => !otherFields.includes(name));

export async function readRows<T extends FilingRow>(tx: Transaction, table: Table, condition: Fragment): Promise<T[]> {
	const rows = await tx<{ row: T }[]>`select to_jsonb(t) as row from ${tx(table)} t where ${condition}`;
	return rows.map(({ row }) => row);
}

/** Writes the rows that changed. A change in a published column raises the row's version and publishes the row. */
export async function writeRows<T extends FilingRow>(
	tx: Transaction,
	table: Table,
	changes: readonly RowChange<T>[],
): Promise<void> {
	const columns = publishedColumns(table);
	const published = (row: T) => columns.map((name) => row[name as keyof T]);
	const rows: T[] = [];
	const differingNumbers: string[] = [];
	for (const { before, after } of changes) {
		const version = before?.version ?? 0;
		if (before !== undefined && isDeepStrictEqual(before, { ...after, version })) continue;
		const hasChanged = before === undefined || !isDeepStrictEqual(published(before), published(after));
		rows.push({ ...after, version: hasChanged ? version + 1 : version });
		if (hasChanged) differingNumbers.push(after.accession_number);
	}
	if (rows.length === 0) return;
	await tx`delete from ${tx(table)} where accession_number = any(${rows.map((row) => row.accession_number)})`;
	await tx`
		insert into ${tx(table)}
		select * from jsonb_populate_recordset(null::${tx(table)}, ${JSON.stringify(rows)}::text::jsonb)`;
	await raiseDataVersion(tx);
	await publishCurrent(
		tx,
		events[table],
		selectRowEvents(tx, table, tx`accession_number = any(${differingNumbers})`),
		{},
	);
}

/** Rematches the next batch of rows, by accession number after `afterKey`. Returns the last key, or null after the last batch. */
export async function rematchRows<T extends FilingRow>(
	tx: Transaction,
	table: Table,
	afterKey: string,
	match: (row: T) => Partial<T>,
): Promise<string | null> {
	const after = tx`accession_number > ${afterKey} order by accession_number limit ${batchSize}`;
	const rows = await readRows<T>(tx, table, after);
	const changes = rows.map((row) => ({ before: row, after: { ...row, ...match(row) } }));
	await writeRows(tx, table, changes);
	return rows.length < batchSize ? null : (rows.at(-1)?.accession_number ?? null);
}

/**
 * Query for `publishCurrent`: the events of the rows that satisfy the condition. A filing without an event type is not published, because
 * another source may still supply its items.
 */
export function selectRowEvents(tx: Transaction, table: Table, condition: Fragment): Fragment {
	const isPublished = table === "filings" ? tx`event_type is not null` : tx`true`;
	return tx`
		select accession_number as key, version, (select to_jsonb(e) from (select ${tx(publishedColumns(table))},
			(select canonical_name from developers d where d.developer_id = t.developer_id) as developer_canonical) e) as body
		from ${tx(table)} t where ${isPublished} and ${condition}`;
}
