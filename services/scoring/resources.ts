import type { Sql } from "#libs/postgres/connect.ts";
import type { Basis } from "./domain/assess.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	notice_2025_42: Basis["notice_2025_42"];
}
