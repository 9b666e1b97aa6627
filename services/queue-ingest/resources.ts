/** What this service's operations use. Passed as an argument; the clock is injected so that tests can set it. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Sandbox } from "#libs/postgres/sandbox/sandbox.ts";
import type { Moments } from "./operations/moments.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** For walks through lists. Of the primary, whatever `sql` is. */
	moments: Moments;
	/** Runs SQL of callers; absent where that is not set up. */
	sandbox?: Sandbox | undefined;
}
