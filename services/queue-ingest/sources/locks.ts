/** Locks that a transaction holds until it ends. A transaction that takes both takes that of the group first. */
import type { Sql, Transaction } from "#libs/postgres/connect.ts";

/**
 * Allows one transaction at a time to load files of a group (a region's lists, a dataset's database, a form), so that the data that a file is
 * compared with does not change meanwhile.
 */
export async function lockGroup(tx: Transaction, group: string): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest'), hashtext(${group}))`;
}

/** Runs `work` under the lock of the group. Joins and sorts of whole lists would spill to disk at the server's default of `work_mem`. */
export function withGroupLock<T>(sql: Sql, group: string, work: (tx: Transaction) => Promise<T>) {
	return sql.begin(async (tx) => {
		await tx`set local work_mem = '64MB'`;
		await lockGroup(tx, group);
		return work(tx);
	});
}

/** The schema-wide write lock: one transaction at a time writes, so that `seq` is in commit order and writers cannot deadlock. */
export async function lockWriters(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtext('queue-ingest writes'))`;
}
