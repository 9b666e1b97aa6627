/** Counts of recent changes, as they are kept by the hour; the hour in which the span begins is counted row by row. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

const hourMs = 3_600_000;

/** Rows of `at` (within the hour), `region`, `kind`, `change_type`, `changes`, `capacity_mw` (summed): of every change since that moment. */
export function changeCounts(sql: Sql, since: Date): Fragment {
	const wholeFrom = new Date(Math.ceil(since.getTime() / hourMs) * hourMs).toISOString();
	return sql`(
		select hour as at, region, kind, change_type, changes, capacity_mw from change_counts where hour >= ${wholeFrom}::timestamptz
		union all
		select detected_at, region, kind, change_type, 1, coalesce(capacity_mw::numeric, 0) from changes
		where detected_at >= ${since.toISOString()}::timestamptz and detected_at < ${wholeFrom}::timestamptz)`;
}
