/** SQL for reads as of past days: the states of requests that count, and the metadata about their lists. */
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import { type AsOf, filtersByDay } from "#libs/contract/operations/as-of.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { coverageOf } from "#libs/postgres/replies/reply.ts";
import type { Resources } from "../resources.ts";

/** The end of a day (UTC) as a single value, because PostgreSQL would evaluate an expression for each compared row. */
export const endOf = <F>(sql: Tag<F>, day: string): F => sql`${`${day}T23:59:59.999999Z`}::timestamptz`;

/** The time from which days are counted back: now, or the end of the past day (exclusive). */
export function windowEnd({ now }: Resources, { as_of }: AsOf): Date {
	const end = as_of === undefined ? Number.POSITIVE_INFINITY : Date.parse(as_of) + 86_400_000;
	return new Date(Math.min(end, now().getTime()));
}

/** Condition on `changes c`: changes of lists up to the day. */
export const changesUntil = <F>(sql: Tag<F>, day: string): F => sql`c.detected_at <= ${endOf(sql, day)}`;

/** Condition on `project_history p`: the state of each request at the end of the day. */
export const stateCondition = <F>(sql: Tag<F>, day: string): F =>
	sql`coalesce(p.valid_to, 'infinity') > ${endOf(sql, day)} and p.valid_from <= ${endOf(sql, day)}`;

/** SQL for a `from` clause: the requests now, or as of a day. */
export const requestsAt = <F>(sql: Tag<F>, { as_of }: AsOf): F =>
	as_of === undefined
		? sql`projects p where`
		: sql`project_history p where slot_of(p.valid_from, p.valid_to) = any(slots_at(${endOf(sql, as_of)})) and ${stateCondition(sql, as_of)} and`;

/** Like `requestsAt`, for few requests (by id, by developer, in the order of ids): compares the validity of all their states, without the index by day. */
export const fewRequestsAt = <F>(sql: Tag<F>, { as_of }: AsOf): F =>
	as_of === undefined ? sql`projects p where` : sql`project_history p where ${stateCondition(sql, as_of)} and`;

/** If two lists are more than this many days apart, a phase that only the later one shows began at an unknown time. */
const maxListGapDays = 62;

/**
 * SQL for a `from` clause: the study phases that a request went through until a time, each with the days of the first list that shows it
 * and of the first list that shows another phase. A day is null if the list before it is more than `maxListGapDays` older.
 */
export const stagesOf = (sql: Sql, id: Fragment, until: Fragment): Fragment => sql`(
	select study_phase, valid_from, began, ended, ended - began as days
	from (
		select study_phase, valid_from, began, lead(began) over (order by valid_from) as ended
		from (
			select study_phase, valid_from, case when exists (
				select from snapshot_files l join snapshots s on s.id = l.snapshot_id
				where l.feed = state.feed and s.outcome in ('applied', 'backfilled') and l.as_of < state.valid_from
					and l.as_of >= state.valid_from - make_interval(days => ${maxListGapDays}))
				then (state.valid_from at time zone 'UTC')::date end as began
			from (
				select v.study_phase, v.feed, v.valid_from, lag(v.study_phase) over in_order as before, row_number() over in_order as place
				from project_versions v
				where v.project_id = ${id} and v.valid_from <= ${until} and v.valid_to is distinct from v.valid_from
				window in_order as (order by v.valid_from, v.version, v.entry)) state
			where place = 1 or study_phase is distinct from before) begun) stage
	where study_phase is not null)`;

interface Days extends AsOf {
	until?: string | undefined;
	since_days?: number | undefined;
}

const dependsOnDays = (params: Days): boolean => params.as_of !== undefined || filtersByDay(params);

/** Parts of `meta` for a past day or for filters by day; each is a query that returns JSON. */
export function coverageMeta(sql: Sql, params: Days): Record<string, Fragment> {
	const { as_of, until } = params;
	if (!dependsOnDays(params)) return {};
	const [coverageEnd] = [as_of, until].filter((day) => day !== undefined).sort();
	const accepted = isAccepted(sql, coverageEnd);
	const coverage = coverageOf(sql, newestLists(sql, coverageEnd));
	if (as_of === undefined) return { coverage };
	return {
		as_of: sql`select to_json(${as_of}::text)`,
		coverage,
		lists: sql`
			select coalesce(json_object_agg(l.feed, l.day order by l.feed), '{}') from (
				select s.feed, to_char(max(s.as_of) at time zone 'UTC', 'YYYY-MM-DD') as day from (
					select t.outcome, coalesce(f.as_of, t.as_of) as as_of, f.feed from snapshots t
					join snapshot_files f on f.snapshot_id = t.id and f.feed is not null
					where t.region = any(${[...regions]}::text[])) s
				where ${accepted} group by s.feed) l`,
		corrections: sql`
			select count(*) from snapshots s where s.outcome in ('backfilled', 'retracted') and s.as_of <= ${endOf(sql, as_of)}`,
	};
}

/** Condition on the snapshots `s` of accepted lists, up to a day. */
const isAccepted = (sql: Sql, end: string | undefined): Fragment => sql`
	s.outcome in ('applied', 'backfilled') ${end === undefined ? sql`` : sql`and s.as_of <= ${endOf(sql, end)}`}`;

/** Query of the day of the newest list, up to a day, of each region; null without a list. An index finds it for each region. */
export const newestLists = (sql: Sql, end: string | undefined): Fragment => sql`
	select region, (select to_char(max(s.as_of) at time zone 'UTC', 'YYYY-MM-DD') from snapshots s
		where s.region = each.region and ${isAccepted(sql, end)}) as day
	from unnest(${[...regions]}::text[]) as each (region)`;

/** `meta` of `coverageMeta` as one JSON value; null without parts. */
export function metaJson(sql: Sql, params: Days): Fragment {
	const pairs = Object.entries(coverageMeta(sql, params)).map(([name, query]) => sql`${name}::text, (${query})`);
	return pairs.length === 0
		? sql`null::json`
		: sql`json_build_object(${pairs.reduce((all, one) => sql`${all}, ${one}`)})`;
}

/** The start of a `json_build_object` with `meta`, and a comma; empty without `meta`. */
export const metaPart = (sql: Sql, params: Days): Fragment =>
	dependsOnDays(params) ? sql`'meta', ${metaJson(sql, params)},` : sql``;
