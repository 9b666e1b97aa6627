/** The one place that writes `change.recorded` and `project.changed`: as text, in one statement for any number of rows. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { changeRecorded, projectChanged } from "#libs/contract/events/queue-ingest.ts";
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

/** Columns of a change in responses and events. */
export const changeColumns = (sql: Sql | Transaction): Fragment => sql`
	c.seq, iso(c.detected_at) as detected_at, c.project_id, c.queue_id, c.region, c.kind, c.change_type, c.field_name, c.old_value,
	c.new_value, c.project_name, c.developer_canonical, c.capacity_mw, c.type_std, c.state, c.backfilled`;

/** The request after a change `c`, as JSON. A state that was inserted later can have the version of the one before it. */
export const rowAfter = (sql: Sql | Transaction): Fragment => sql`
	(select state_body(h)::json from project_history h where h.id = c.project_id and h.version = c.version order by h.entry limit 1)`;

/**
 * Puts a `project.changed` into the outbox for each row of `published`: `id`, `as_of` (timestamptz), `snapshot_id` (bigint or null), and as
 * JSON text `previous_developer` and `changes`. `suffix` makes event ids differ from those already published at the same versions.
 * @returns the number of events
 */
export async function publishProjects(tx: Transaction, published: Fragment, suffix = ""): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select event.id, ${subjectOf(projectChanged)}, ${currentTraceparent()},
			'{"id":' || to_json(event.id) || ',"occurred_at":"' || iso(now()) || '","version":' || p.version || ',"as_of":"'
			|| iso(e.as_of) || '","snapshot_id":' || coalesce(e.snapshot_id::text, 'null')
			|| ',"previous_developer":' || e.previous_developer || ',"project":' || p.body || ',"changes":' || e.changes
			|| ',"cod_changes":' || case when m.project_id is null then '[]' else cod_changes(p.id)::text end || '}'
		from (${published}) e join projects p on p.id = e.id left join moved_projects m on m.project_id = p.id
		cross join lateral (select 'project.changed:' || p.id || ':' || p.version || ${suffix}::text as id) event
		order by p.id`;
	return inserted.count;
}

/** Query of the snapshot's changes after `afterSeq` for `publishProjects`: `project_id` and `changes`. */
export const changesAfter = (tx: Transaction, afterSeq: number, snapshotId: number): Fragment => tx`
	select project_id, json_agg(json_build_object('seq', seq, 'change_type', change_type, 'field_name', field_name,
		'old_value', old_value, 'new_value', new_value) order by seq)::text as changes
	from changes where snapshot_id = ${snapshotId}::bigint and seq > ${afterSeq} and change_type <> 'raw_update' group by project_id`;

/** Query of rows for `publishProjects` that publish the state of projects without changes. */
export const withoutChanges = (tx: Transaction, ids: Fragment): Fragment => tx`
	select id, last_changed_at as as_of, null::bigint as snapshot_id, 'null' as previous_developer, '[]' as changes
	from projects where id in (${ids})`;
