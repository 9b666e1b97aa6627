/** The one place that writes `project.changed`: as text, from the stored bodies, in one statement for any number of projects. */
import { subjectOf } from "#libs/contract/events/event.ts";
import { projectChanged } from "#libs/contract/events/queue-ingest.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/**
 * Puts a `project.changed` into the outbox for each row of `published`: `id`, `as_of` (timestamptz), `snapshot_id` (bigint or null), and as
 * JSON text `previous_developer` and `changes`. `suffix` makes event ids differ from those published before at the same versions. Returns
 * how many.
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

/** The snapshot's changes after `before` of each project, for `publishProjects`: `project_id` and `changes`. */
export const changesAfter = (tx: Transaction, before: number, snapshotId: number): Fragment => tx`
	select project_id, json_agg(json_build_object('seq', seq, 'change_type', change_type, 'field_name', field_name,
		'old_value', old_value, 'new_value', new_value) order by seq)::text as changes
	from changes where snapshot_id = ${snapshotId}::bigint and seq > ${before} and change_type <> 'raw_update' group by project_id`;

/** Rows for `publishProjects` that publish the state of projects without a change of the queue. */
export const withoutChanges = (tx: Transaction, ids: Fragment): Fragment => tx`
	select id, last_changed_at as as_of, null::bigint as snapshot_id, 'null' as previous_developer, '[]' as changes
	from projects where id in (${ids})`;
