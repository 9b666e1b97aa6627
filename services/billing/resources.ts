import type { Sql } from "#libs/postgres/connect.ts";

/** What every operation works with. */
export interface Resources {
	sql: Sql;
	now(): Date;
}
