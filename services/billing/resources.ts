import type { Sql } from "#libs/postgres/connect.ts";

/** Dependencies of every operation. */
export interface Resources {
	sql: Sql;
	now(): Date;
}
