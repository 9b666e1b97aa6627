import type { ChangeLog } from "#libs/bus/requests/change-log.ts";
import type { PlainName, RequestOptions } from "#libs/bus/requests/request.ts";
import type { ParamsInput, Reply } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { FairQueue } from "#libs/service/fair-queue.ts";
import type { Config } from "./config.ts";
import type { Deliver } from "./dispatch/deliver.ts";
import type { Sender } from "./dispatch/send.ts";

/** Requests an operation of another service. @throws AppError 503 while that service does not respond */
export type RequestService = <N extends PlainName>(
	name: N,
	params: ParamsInput<N>,
	options?: Pick<RequestOptions, "plan">,
) => Promise<Reply<N>>;

export interface Resources {
	sql: Sql;
	now(): Date;
	requestService: RequestService;
	changeLog: ChangeLog;
	sender: Sender;
	deliver: Deliver;
	/** Limits the requests that wait for a customer's server or DNS. */
	outgoing: FairQueue;
	config: Config;
}
