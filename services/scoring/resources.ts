import type { Sql } from "#libs/postgres/connect.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	notice_2025_42: "vacated" | "in_force";
}
