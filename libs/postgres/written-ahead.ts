import type { Fragment, Sql } from "./connect.ts";

/** More than clocks differ, or are put back by hand (h). */
const mostAhead = 2;

/**
 * Whether `column`, a time that has passed, lies hours after `at`: it was written by a clock that was wrong. What is due a while
 * after it would have to wait for that clock's time to come.
 */
export const writtenAhead = (sql: Sql, column: Fragment, at: Date): Fragment =>
	sql`${column} > ${at.toISOString()}::timestamptz + make_interval(hours => ${mostAhead})`;
