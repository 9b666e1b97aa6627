/** The one place that writes `change.recorded`: as text, in one statement for any number of changes. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { changeRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import { changeColumns } from "../change-columns.ts";

/** Puts each change after `seq` into the outbox, in order. `suffix` makes event ids differ from earlier ones. Returns how many. */
export async function publishChanges(tx: Transaction, seq: number, suffix = ""): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select t.event_id, ${subjectOf(changeRecorded)}, ${currentTraceparent()},
			'{"id":' || to_json(t.event_id) || ',"occurred_at":"' || iso(now()) || '","version":' || t.seq || ','
			|| substr(row_to_json(t.change)::text, 2)
		from (
			select c.seq, 'change.recorded:' || c.snapshot_id || ':' || c.seq || ${suffix}::text as event_id, change
			from changes c cross join lateral (select ${changeColumns(tx)}) change
			where c.seq > ${seq} and c.change_type not in ('first_listed', 'raw_update')) t
		order by t.seq`;
	return inserted.count;
}
