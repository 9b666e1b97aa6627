/** What this service's operations use. Passed as an argument; the clock is injected so that tests can set it. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Sandbox } from "#libs/postgres/sandbox/sandbox.ts";

export interface Resources {
	sql: Sql;
	now: () => Date;
	/** Runs SQL of callers; absent where that is not set up. */
	sandbox?: Sandbox | undefined;
}
