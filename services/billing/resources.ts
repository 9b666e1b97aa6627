import type { Versioned } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";

export interface Resources {
	sql: Sql;
	now(): Date;
	/** Whether links are mailed (or logged): see SMTP_URL. */
	sendsMail?: boolean;
}

/** Marks a reply as one that gateways must not cache. */
export const uncached = <R>(reply: R): Versioned<R> => ({ json: JSON.stringify(reply), dataVersion: 0 });
