/** The one place that writes `state.recorded` and `list.recorded`: as text, in one statement for any number. */
import { subjectOf } from "#libs/contract/event.ts";
import { listRecorded, stateRecorded } from "#libs/contract/events/queue-ingest.ts";
import { projectRegions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Transaction } from "#libs/postgres/connect.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";

/**
 * Puts a `state.recorded` into the outbox for each `entry` of the history among `entries`, as it is now. Expects the schema-wide write lock: a
 * later revision is the later knowledge. Answers how many.
 */
export async function publishStates(tx: Transaction, entries: Fragment): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select event.id, ${subjectOf(stateRecorded)}, ${currentTraceparent()},
			'{"id":"' || event.id || '","occurred_at":"' || iso(now()) || '","version":' || e.revision || ',"entry":' || h.entry
			|| ',"project_id":' || to_json(h.id) || ',"snapshot_id":' || h.snapshot_id || ',"valid_from":"' || iso(h.valid_from)
			|| '","valid_to":' || coalesce('"' || iso(h.valid_to) || '"', 'null') || ',"believed":' || h.believed
			|| ',"derived":' || h.derived || ',"backfilled":' || h.backfilled || ',"dates_recoded":' || (r.snapshot_id is not null)
			|| ',"seq_from":' || coalesce(h.seq_from::text, 'null') || ',"seq_to":' || coalesce(h.seq_to::text, 'null')
			|| ',"newest_seq":' || n.seq || ',"project":' || state_body(h) || '}'
		from (select entry, nextval('history_revisions') as revision from (${entries}) t) e
		join project_history h using (entry)
		cross join (select coalesce(max(seq), 0) as seq from changes) n
		left join (select distinct snapshot_id from changes where field_name = 'cod' and project_id is null) r using (snapshot_id)
		cross join lateral (select 'state.recorded:' || h.entry || ':' || e.revision as id) event
		-- Installations are in no queue: there are many, and no answer about the past is made of them elsewhere.
		where h.kind <> 'distribution'
		order by h.entry`;
	return inserted.count;
}

/**
 * Puts a `list.recorded` into the outbox for each list of `snapshots`: rows of `id`, whose lists were accepted or taken back. `asOf` is the
 * list's own moment (ISO); where it is not at hand, the first of its states says it, else the snapshot. Expects the schema-wide write lock.
 */
export async function publishLists(
	tx: Transaction,
	snapshots: Fragment,
	{ feed = null, asOf = null }: { feed?: string | null; asOf?: string | null } = {},
): Promise<number> {
	const inserted = await tx`
		insert into outbox (event_id, subject, traceparent, payload)
		select event.id, ${subjectOf(listRecorded)}, ${currentTraceparent()},
			json_build_object('id', event.id, 'occurred_at', iso(now()), 'version', e.revision, 'feed', e.feed, 'region', e.region,
				'snapshot_id', e.id, 'as_of', iso(coalesce(${asOf}::text::timestamptz, o.moment, e.as_of)), 'standing', e.standing,
				'seq_from', e.seq_from, 'seq_to', e.seq_to, 'newest_seq', (select coalesce(max(seq), 0) from changes))::text
		from (
			select l.*, nextval('history_revisions') as revision from (
				select distinct s.id, f.feed, s.region, s.as_of, s.seq_from, s.seq_to, s.outcome <> 'retracted' and not s.retraction as standing
				from snapshots s join snapshot_files f on f.snapshot_id = s.id
				where s.id in (${snapshots}) and f.feed is not null
					and s.region = any(${[...projectRegions]}::text[]) and (${feed}::text is null or f.feed = ${feed})) l) e
		left join (
			select snapshot_id, feed, min(valid_from) as moment from project_versions where ${asOf === null} and not derived group by 1, 2) o
			on o.snapshot_id = e.id and o.feed = e.feed
		cross join lateral (select 'list.recorded:' || e.id || '.' || e.feed || ':' || e.revision as id) event
		order by e.id, e.feed`;
	return inserted.count;
}
