import type { Sql, Transaction } from "#libs/postgres/connect.ts";

/** Highest `seq` of the change feed; 0 while it is empty. */
export async function newestSeq(sql: Sql | Transaction): Promise<number> {
	const [row] = await sql<{ seq: number }[]>`select coalesce(max(seq), 0) as seq from changes`;
	return row?.seq ?? 0;
}
