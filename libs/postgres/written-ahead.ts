import type { Fragment, Sql } from "./connect.ts";

/** More than clocks usually differ, or are set back by hand. */
const maxAheadHours = 2;

/**
 * Whether `column`, which should be in the past, is hours after `at` because a wrong clock wrote it. Work that is scheduled relative to it would
 * be delayed too long.
 */
export const writtenAhead = (sql: Sql, column: Fragment, at: Date): Fragment =>
	sql`${column} > ${at.toISOString()}::timestamptz + make_interval(hours => ${maxAheadHours})`;
