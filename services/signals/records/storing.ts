/** Statements and limits that all tables share. */
import { containing } from "#libs/contract/filters/meanings.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { Stored } from "./records.ts";

/** Resources of the operations. Tests set the clock. */
export interface Resources {
	sql: Sql;
	now: () => Date;
}

export const batchSize = 1_000;

/**
 * Allows one writer at a time. Call it before the first read: neither the stored records nor the names they are matched with may change
 * between that read and the write.
 */
export async function lockWriters(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':write', 0))`;
}

/** Removes NUL characters and lone surrogates, which PostgreSQL cannot store. */
function makeStorable<T>(records: readonly T[]): T[] {
	return JSON.parse(
		JSON.stringify(records, (_key, value: unknown) =>
			typeof value === "string" ? value.toWellFormed().replaceAll("\u0000", "") : value,
		),
	) as T[];
}

/** Stores batches one after another, each in a transaction that holds the writers' lock. `store` returns how many records were new. */
export async function storeInBatches<T>(
	sql: Sql,
	records: readonly T[],
	store: (tx: Transaction, batch: T[]) => Promise<number>,
): Promise<Stored> {
	const total = { stored: 0, known: 0 };
	for (let at = 0; at < records.length; at += batchSize) {
		const batch = makeStorable(records.slice(at, at + batchSize));
		const stored = await sql.begin(async (tx) => {
			await lockWriters(tx);
			return store(tx, batch);
		});
		total.stored += stored;
		total.known += batch.length - stored;
	}
	return total;
}

/** `meta.coverage` with filters by day: `newest` is the day of the newest row. */
export const coverageMeta = (sql: Sql, dataset: string, newest: Fragment): Record<string, Fragment> => ({
	coverage: sql`select json_build_object(${dataset}::text, (${newest}))`,
});

/** Joins the conditions by `and`. Returns `true` if there are none. */
export function allOf(sql: Sql, conditions: readonly Fragment[]): Fragment {
	return conditions.reduce((all, condition) => sql`${all} and ${condition}`, sql`true`);
}

/** Condition: the canonical name of the developer with this id contains the text. */
export const nameContains = (sql: Sql, id: Fragment, text: string): Fragment => sql`
	${id} = any(array(select developer_id from developers where canonical_name ilike ${containing(text)}))`;
