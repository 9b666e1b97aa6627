/** What the jobs that store things share: one writer at a time, clean text, batches. */
import type { Transaction } from "#libs/postgres/connect.ts";

/** Most records that one transaction stores. */
export const batchSize = 1_000;

/** What became of delivered records. */
export interface Stored {
	/** Were new, or said something new. */
	stored: number;
	/** Said nothing that was not known. */
	known: number;
}

/**
 * To be taken before anything is read: what is stored, folded and chained depends on what is there, and the names that it is
 * matched with must not change in between.
 */
export async function lockWriters(tx: Transaction): Promise<void> {
	await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':write', 0))`;
}

/** The same records as PostgreSQL can store them: it has neither NUL nor half a character. */
export function storable<T>(records: readonly T[]): T[] {
	return JSON.parse(
		JSON.stringify(records, (_key, value: unknown) =>
			typeof value === "string" ? value.toWellFormed().replaceAll("\u0000", "") : value,
		),
	) as T[];
}

/** In batches of at most `batchSize`, each handed on when the one before is done. */
export async function inBatches<T>(records: readonly T[], store: (batch: T[]) => Promise<Stored>): Promise<Stored> {
	const total = { stored: 0, known: 0 };
	for (let at = 0; at < records.length; at += batchSize) {
		const done = await store(records.slice(at, at + batchSize));
		total.stored += done.stored;
		total.known += done.known;
	}
	return total;
}
