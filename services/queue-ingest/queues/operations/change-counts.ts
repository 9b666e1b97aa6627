/** Counts of recent changes, stored by the time of the list that shows them, and by the day. */
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import { endOf } from "../../history/past.ts";

const dayMs = 86_400_000;

/** Rows of `at`, `region`, `kind`, `change_type`, `changes`, `capacity_mw` (summed): of every change since that moment, to the last day. */
export const changeCounts = (sql: Sql | Transaction, since: Date, lastDay?: string): Fragment => sql`(
	select hour as at, region, kind, change_type, changes, capacity_mw from change_counts
	where hour >= ${anyMoment(sql, since)} ${lastDay === undefined ? sql`` : sql`and hour <= ${endOf(sql, lastDay)}`} and changes > 0)`;

/** Rows of `day` (UTC), `change_type`, `count`: of every change of a generation request since that moment, to the last day. */
export function changeDays(sql: Sql, since: Date, lastDay?: string): Fragment {
	const wholeFrom = anyMoment(sql, new Date(Math.ceil(since.getTime() / dayMs) * dayMs));
	return sql`(
		select day, change_type, changes as count from change_days
		where day >= (${wholeFrom} at time zone 'UTC')::date and changes > 0
			${lastDay === undefined ? sql`` : sql`and day <= ${lastDay}::text::date`}
		union all
		select (at at time zone 'UTC')::date, change_type, sum(changes)::bigint
		from ${changeCounts(sql, since, lastDay)} c where at < ${wholeFrom} and ${ofGeneration(sql)} group by 1, 2)`;
}

/** Of rows of `changeCounts`. A change of a whole list names no kind. */
export const ofGeneration = (sql: Sql): Fragment => sql`coalesce(kind, 'generation') = 'generation'`;

/**
 * The moment, which PostgreSQL does not see while it plans: so no plan is better for one moment than for all, and it keeps the first
 * ones. To plan a summary takes about as long as to make it.
 */
export const anyMoment = (sql: Sql | Transaction, moment: Date): Fragment =>
	sql`(select ${moment.toISOString()}::timestamptz)`;
