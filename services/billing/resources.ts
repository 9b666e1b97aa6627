import type { Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

export interface Resources {
	sql: Sql;
	now(): Date;
}

/** A reply that no gateway may cache. */
export const uncached = <R>(reply: R): Versioned<R> => ({ json: JSON.stringify(reply), dataVersion: 0 });
