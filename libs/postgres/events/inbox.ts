/** Ensures that a reaction applies an event only once: the event's ID and the effect are committed in one transaction. */
import type { Sql, Transaction } from "../connect.ts";
import { inBatches } from "../in-batches.ts";

/** Records the events as received by this reaction, and returns the IDs that had not been recorded yet. */
export async function receive(tx: Transaction, reaction: string, eventIds: string[]): Promise<Set<string>> {
	const rows = await tx<{ event_id: string }[]>`
		insert into inbox (event_id, reaction)
		select distinct id, ${reaction} from unnest(${eventIds}::text[]) as id order by 1
		on conflict do nothing
		returning event_id`;
	return new Set(rows.map((row) => row.event_id));
}

/**
 * Deletes rows older than `olderThanHours` (after which their events can no longer be redelivered), oldest first, until `signal` fires.
 * Returns the number of deleted rows.
 */
export function pruneInbox(sql: Sql, olderThanHours: number, signal: AbortSignal): Promise<number> {
	return inBatches(signal, 5_000, async (maxRows) => {
		const gone = await sql`
			delete from inbox where (event_id, reaction) in (
				select event_id, reaction from inbox where received_at < now() - make_interval(hours => ${olderThanHours})
				order by received_at limit ${maxRows})`;
		return gone.count;
	});
}

/** Returns the event with the highest version for each key, because one statement may write a row only once. */
export function newestOfEach<E extends { version: number }>(events: readonly E[], key: (event: E) => unknown): E[] {
	const newest = new Map<unknown, E>();
	for (const event of events) {
		const previous = newest.get(key(event));
		if (previous === undefined || event.version > previous.version) newest.set(key(event), event);
	}
	return [...newest.values()];
}
