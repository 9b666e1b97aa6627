/** Counts of recent changes, stored by the time of the list that shows them, and by the day. */

import { arrayText } from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { endOf } from "../../history/past.ts";

const dayMs = 86_400_000;

/** Rows of `at`, `region`, `kind`, `change_type`, `changes`, `capacity_mw` (summed): of every change since that moment, until the end of a past day. */
export function changeCounts(sql: Sql, since: Date, { as_of }: AsOf = {}): Fragment {
	return sql`(
		select detected_at as at, region, kind, change_type, changes, capacity_mw from change_counts
		where detected_at >= ${anyMoment(sql, since)} ${as_of === undefined ? sql`` : sql`and detected_at <= ${endOf(sql, as_of)}`} and changes > 0)`;
}

export interface Span {
	since: Date;
	/** Its day is inclusive. */
	asOf: AsOf;
	/** Undefined: of all. */
	regions: readonly string[] | undefined;
}

/** Of generation requests, as their operators' lists show them. */
export const countedChanges = (sql: Sql, { since, asOf, regions }: Span): Fragment => sql`(
	select * from ${changeCounts(sql, since, asOf)} c where ${ofGeneration(sql)} and ${ofRegions(sql, regions)} and ${ofLists(sql)})`;

/** What follows another publisher, or was there when a list was first loaded, is no change of a list; a raw_update is none of a request's facts. */
const ofLists = (sql: Sql): Fragment => sql`change_type not in ('evidence_update', 'first_listed', 'raw_update')`;

export const ofRegions = (sql: Sql, regions: Span["regions"]): Fragment =>
	regions === undefined ? sql`true` : sql`region = any(${arrayText(regions)}::text::text[])`;

/** Rows of `day` (UTC), `change_type`, `count`. */
export function changeDays(sql: Sql, span: Span): Fragment {
	const { since, asOf, regions } = span;
	const byDay = sql`select (at at time zone 'UTC')::date as day, change_type, sum(changes)::bigint as count from ${countedChanges(sql, span)} c`;
	if (regions !== undefined) return sql`(${byDay} group by 1, 2)`;
	const wholeFrom = anyMoment(sql, new Date(Math.ceil(since.getTime() / dayMs) * dayMs));
	return sql`(
		select day, change_type, changes as count from change_days
		where day >= (${wholeFrom} at time zone 'UTC')::date and changes > 0 and ${ofLists(sql)}
			${asOf.as_of === undefined ? sql`` : sql`and day <= ${asOf.as_of}::text::date`}
		union all
		${byDay} where at < ${wholeFrom} group by 1, 2)`;
}

/** Of rows of `changeCounts`. A change of a whole list names no kind. */
const ofGeneration = (sql: Sql): Fragment => sql`coalesce(kind, 'generation') = 'generation'`;

/**
 * The moment, which PostgreSQL does not see while it plans: so no plan is better for one moment than for all, and it keeps the first
 * ones. To plan a summary takes about as long as to make it.
 */
export const anyMoment = (sql: Sql | Transaction, moment: Date): Fragment =>
	sql`(select ${moment.toISOString()}::timestamptz)`;
