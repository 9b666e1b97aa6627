import type { Sql } from "#libs/postgres/connect.ts";

/** Dependencies of every operation. */
export interface Resources {
	sql: Sql;
	now: () => Date;
	/** See config.ts. */
	notice_2025_42: "vacated" | "in_force";
}
