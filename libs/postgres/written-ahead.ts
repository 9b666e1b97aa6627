import type { Fragment, Sql } from "./connect.ts";

/** Longer than clocks differ or are set back by hand (hours). */
const maxAhead = 2;

/**
 * Whether `column`, which should be in the past, is hours after `at` because a wrong clock wrote it. Work that is due some time after it
 * would be delayed too long.
 */
export const writtenAhead = (sql: Sql, column: Fragment, at: Date): Fragment =>
	sql`${column} > ${at.toISOString()}::timestamptz + make_interval(hours => ${maxAhead})`;
