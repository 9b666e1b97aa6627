import type { Fragment, Sql } from "./connect.ts";

/** More than clocks differ, or are set back by hand (h). */
const mostAhead = 2;

/**
 * Whether `column`, a time in the past, lies hours after `at`: a wrong clock wrote it. Work that is due a while after it would wait until
 * the right clock gets there.
 */
export const writtenAhead = (sql: Sql, column: Fragment, at: Date): Fragment =>
	sql`${column} > ${at.toISOString()}::timestamptz + make_interval(hours => ${mostAhead})`;
