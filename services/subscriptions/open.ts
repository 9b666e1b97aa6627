/** Opens the service on its connections: it serves requests, follows the log and sends deliveries. */

import type { Bus } from "#libs/bus/connect.ts";
import { ChangeLog } from "#libs/bus/requests/change-log.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "./config.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { type Resolve, Sender } from "./dispatch/send.ts";
import { deleteOld } from "./jobs/delete-old.ts";
import { startFollowing } from "./jobs/follow-log.ts";
import { LogHead } from "./log.ts";
import { operations } from "./operations/index.ts";
import type { Ask } from "./resources.ts";

interface SubscriptionsOptions {
	bus: Bus;
	sql: Sql;
	background: Sql;
	config: Config;
	log: Logger;
	now(): Date;
	resolve?: Resolve;
	everyMs?: number;
}

export interface Subscriptions extends AsyncDisposable {
	idle(): Promise<void>;
	isStuck(at?: number): boolean;
}

export async function openSubscriptions(options: SubscriptionsOptions): Promise<Subscriptions> {
	const { bus, sql, background, config, log: logger, now, resolve, everyMs } = options;
	await using stack = new AsyncDisposableStack();
	const ask: Ask = (name, params, options) => requestJson(bus, name, params, options);
	const log = new ChangeLog(bus);
	const head = new LogHead(background, log);
	const sender = new Sender({
		policy: { allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, ports: config.WEBHOOK_PORTS.split(",").map(Number) },
		timeoutMs: config.WEBHOOK_TIMEOUT_MS,
		...(resolve !== undefined && { resolve }),
	});
	const atOnce = { slots: config.WEBHOOKS_AT_ONCE, slotsPerCaller: config.WEBHOOKS_AT_ONCE_PER_ACCOUNT };
	const outgoing = new FairQueue({
		...{ what: "requests that connect to webhooks", ...atOnce },
		...{
			waiting: 2 * config.WEBHOOKS_AT_ONCE,
			waitingPerCaller: 2 * config.WEBHOOKS_AT_ONCE_PER_ACCOUNT,
			waitMs: 2_000,
			slotsUnpaid: Math.ceil(config.WEBHOOKS_AT_ONCE / 2),
		},
	});
	stack.use(await serve(bus, "subscriptions", operations({ sql, now, ask, log, sender, outgoing, config })));
	const dispatcher = stack.use(
		new Dispatcher({
			...{ sql: background, log, head, sender, now, logger },
			retryMs: config.WEBHOOK_RETRY_MS,
			atOnce: config.WEBHOOKS_AT_ONCE,
			atOncePerAccount: config.WEBHOOKS_AT_ONCE_PER_ACCOUNT,
		}),
	);
	stack.use(
		await startFollowing({
			...{ sql: background, ask, log, head, dispatcher, logger },
			...(everyMs !== undefined && { everyMs }),
		}),
	);
	stack.use(deleteOld(background, { log: logger, now, config }));
	const owned = stack.move();
	return {
		idle: () => dispatcher.idle(),
		isStuck: (at) => dispatcher.isStuck(at),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
