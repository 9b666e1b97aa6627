import { arrayText } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { type AsOf, checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { changesUntil, endOf, metaPart, stateCondition, windowEnd } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";

/** Counts generation requests. A withdrawal is a change of status to Withdrawn that is still in force. Each project is counted once. */
export function summariseChanges(resources: Resources): Handler<"summariseChanges"> {
	const { sql } = resources;
	return async ({ since_days, region: regions, ...asOf }) => {
		checkDay(resources, asOf);
		const since = new Date(windowEnd(resources, asOf).getTime() - since_days * 86_400_000);
		const counts = asOf.as_of !== undefined ? withdrawalsOn(sql, since, asOf.as_of) : sql`withdrawal_counts`;
		const withdrawn = sql`${counts} w where detected_at >= ${hiddenTime(sql, since)} and requests > 0 and ${isInRegions(sql, regions)}`;
		const span = { since, asOf, regions };
		const withdrawals = sql`sum(requests) as withdrawn, round(sum(capacity_mw), 3)::float8 as withdrawn_mw`;
		return oneJsonReply<Reply<"summariseChanges">>(
			sql,
			sql`
			select json_build_object(${metaPart(sql, { ...asOf, since_days })}
				'since_days', ${since_days}::int,
				'by_day', coalesce((select json_agg(row_to_json(t)) from (
					select day, change_type, count from ${changeDays(sql, span)} d order by day desc, count desc, change_type) t), '[]'),
				'by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, change_type, sum(changes) as count from ${countedChanges(sql, span)} c
					group by region, change_type order by region, 3 desc, change_type) t), '[]'),
				'withdrawals_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, ${withdrawals} from ${withdrawn} group by region order by 2 desc, 1) t), '[]'),
				'top_withdrawing_developers', coalesce((select json_agg(row_to_json(t)) from (
					select developer_canonical as developer, ${withdrawals} from ${withdrawn} and developer_canonical is not null
					group by developer_canonical order by 2 desc, 3 desc, 1 limit 25) t), '[]'),
				'new_entries_by_region', coalesce((select json_agg(row_to_json(t)) from (
					select region, sum(changes) as new_projects, round(sum(capacity_mw), 3)::float8 as new_mw
					from ${countedChanges(sql, span)} c where change_type = 'new_project'
					group by region order by 2 desc, 1) t), '[]'))`,
		);
	};
}

/** Rows like those of `withdrawal_counts`, for requests that were withdrawn after `since` and still are on the day. */
const withdrawalsOn = (sql: Sql, since: Date, day: string): Fragment => sql`(
	select w.detected_at, p.region, p.developer_canonical, 1 as requests, coalesce(p.capacity_mw::numeric, 0) as capacity_mw
	from (
		select c.project_id, max(c.detected_at) as detected_at from changes c
		where c.change_type = 'status_change' and coalesce(c.kind, 'generation') = 'generation'
			and c.detected_at >= ${hiddenTime(sql, since)} and ${changesUntil(sql, day)}
			-- Not a withdrawal if the request was already withdrawn under another filed status.
			and exists (select from project_history b where b.id = c.project_id and b.status_std <> 'Withdrawn'
				and tstzrange(b.valid_from, b.valid_to, '(]') @> c.detected_at)
		group by c.project_id) w
	join project_history p on p.id = w.project_id and p.status_std = 'Withdrawn' and ${stateCondition(sql, day)})`;

const dayMs = 86_400_000;

/** Selects `at`, `region`, `kind`, `change_type`, `changes` (a count) and `capacity_mw` (a sum), from `since` until the end of `as_of` if it is given. */
export function changeCounts(sql: Sql, since: Date, { as_of }: AsOf = {}): Fragment {
	return sql`(
		select detected_at as at, region, kind, change_type, changes, capacity_mw from change_counts
		where detected_at >= ${hiddenTime(sql, since)} ${as_of === undefined ? sql`` : sql`and detected_at <= ${endOf(sql, as_of)}`} and changes > 0)`;
}

interface Span {
	since: Date;
	/** Last day of the span, inclusive; no end if `as_of` is undefined. */
	asOf: AsOf;
	/** Undefined for all regions. */
	regions: readonly string[] | undefined;
}

/** Selects changes of generation requests that come from their operators' lists. */
const countedChanges = (sql: Sql, { since, asOf, regions }: Span): Fragment => sql`(
	select * from ${changeCounts(sql, since, asOf)} c where ${isGeneration(sql)} and ${isInRegions(sql, regions)} and ${isListChange(sql)})`;

/** Excludes changes that come from another publisher or from a feed's first list, and `raw_update`, which changes no fact. */
const isListChange = (sql: Sql): Fragment => sql`change_type not in ('evidence_update', 'first_listed', 'raw_update')`;

const isInRegions = (sql: Sql, regions: Span["regions"]): Fragment =>
	regions === undefined ? sql`true` : sql`region = any(${arrayText(regions)}::text::text[])`;

/** Selects `day` (UTC), `change_type` and `count`. */
function changeDays(sql: Sql, span: Span): Fragment {
	const { since, asOf, regions } = span;
	const byDay = sql`select (at at time zone 'UTC')::date as day, change_type, sum(changes)::bigint as count from ${countedChanges(sql, span)} c`;
	if (regions !== undefined) return sql`(${byDay} group by 1, 2)`;
	const wholeFrom = hiddenTime(sql, new Date(Math.ceil(since.getTime() / dayMs) * dayMs));
	return sql`(
		select day, change_type, changes as count from change_days
		where day >= (${wholeFrom} at time zone 'UTC')::date and changes > 0 and ${isListChange(sql)}
			${asOf.as_of === undefined ? sql`` : sql`and day <= ${asOf.as_of}::text::date`}
		union all
		${byDay} where at < ${wholeFrom} group by 1, 2)`;
}

/** Condition on rows of `changeCounts`. A change that concerns a whole list has no kind. */
const isGeneration = (sql: Sql): Fragment => sql`coalesce(kind, 'generation') = 'generation'`;

/** Hides the time from the planner, so that PostgreSQL reuses its plan: planning a summary takes about as long as running it. */
const hiddenTime = (sql: Sql | Transaction, time: Date): Fragment => sql`(select ${time.toISOString()}::timestamptz)`;
