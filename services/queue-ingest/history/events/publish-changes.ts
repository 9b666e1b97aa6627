/** Columns of a change in responses and events, and the one place that writes `change.recorded`. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { changeRecorded } from "#libs/contract/events/queue-ingest.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/** Puts each change after `seq` into the outbox, in order. `suffix` makes event ids differ from earlier ones. Returns their number. */
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

export const changeColumns = (sql: Sql | Transaction): Fragment => sql`
	c.seq, iso(c.detected_at) as detected_at, c.project_id, c.queue_id, c.region, c.kind, c.change_type, c.field_name, c.old_value,
	c.new_value, c.project_name, c.developer_canonical, c.capacity_mw, c.type_std, c.state, c.backfilled`;

/** The request after a change `c`, as JSON. A state that was inserted later can have the version of the one before it. */
export const rowAfter = (sql: Sql | Transaction): Fragment => sql`
	(select state_body(h)::json from project_history h where h.id = c.project_id and h.version = c.version order by h.entry limit 1)`;
