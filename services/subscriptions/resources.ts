import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import type { PlainName, RequestOptions } from "#libs/bus/requests/request.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Config } from "./config.ts";
import type { Sender } from "./dispatch/send.ts";

/** Requests queue-ingest or query. @throws AppError 503 while it does not answer */
export type Ask = <N extends PlainName>(
	name: N,
	params: ParamsInput<N>,
	options?: Pick<RequestOptions, "plan">,
) => Promise<Reply<N>>;

export interface Resources {
	sql: Sql;
	now(): Date;
	ask: Ask;
	log: ChangeLog;
	sender: Sender;
	/** Slots for requests that wait for a customer's server or DNS, so that some are left for others. */
	outgoing: FairQueue;
	config: Config;
}
