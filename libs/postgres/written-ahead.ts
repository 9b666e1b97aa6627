import type { Fragment, Sql } from "./connect.ts";

/** Longer than clocks differ or are set back by hand (h). */
const maxAhead = 2;

/**
 * Whether `column`, which should be a past time, lies hours after `at` because a wrong clock wrote it. Work that is due some time after it
 * would wait too long.
 */
export const writtenAhead = (sql: Sql, column: Fragment, at: Date): Fragment =>
	sql`${column} > ${at.toISOString()}::timestamptz + make_interval(hours => ${maxAhead})`;
