/** What this service's operations use. Passed as an argument; the clock is injected so that tests can set it. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Moments } from "./operations/moments.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** For walks through lists. Of the primary, whatever `sql` is. */
	moments: Moments;
}
