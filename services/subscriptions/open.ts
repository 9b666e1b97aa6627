/** Starts the service with connections that the caller has opened: it serves requests, follows the change log, receives usage events, sends deliveries and deletes old rows. */
import type { Bus } from "#libs/bus/connect.ts";
import { ChangeLog } from "#libs/bus/requests/change-log.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import type { Handlers } from "#libs/contract/index.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import type { Logger } from "#libs/service/logger.ts";
import { mailer } from "#libs/service/mail.ts";
import type { Config } from "./config.ts";
import { createDeliver } from "./dispatch/deliver.ts";
import { Dispatcher } from "./dispatch/dispatcher.ts";
import { type Resolve, Sender } from "./dispatch/send.ts";
import { startDeletingOld } from "./jobs/delete-old.ts";
import { startFollowing } from "./jobs/follow-log.ts";
import { deleteSubscriptions, withPlanRecorded } from "./operations/account.ts";
import { deliveryOperations, listNotices } from "./operations/deliveries.ts";
import { openAlertLink } from "./operations/mails.ts";
import { savedQueryOperations } from "./operations/saved-queries.ts";
import { watchlistOperations } from "./operations/watchlists.ts";
import { webhookOperations } from "./operations/webhooks.ts";
import { LogHead } from "./queue-ingest.ts";
import { startReactions } from "./reactions/queue-usage.ts";
import type { RequestService, Resources } from "./resources.ts";

interface SubscriptionsOptions {
	bus: Bus;
	sql: Sql;
	background: Sql;
	config: Config;
	log: Logger;
	now(): Date;
	/** Resolves the host names of webhooks; default: DNS. */
	resolve?: Resolve;
	/** See `FollowingOptions`. */
	everyMs?: number;
}

/** Maximum duration of an attempt of the dispatcher to send a mail (ms). */
const mailMs = 120_000;

export interface Subscriptions extends AsyncDisposable {
	/** Whether a delivery makes no progress. `at`: by `performance.now()`; default: now. */
	isStuck(at?: number): boolean;
}

export async function openSubscriptions(options: SubscriptionsOptions): Promise<Subscriptions> {
	const { bus, sql, background, config, log, now, resolve, everyMs } = options;
	await using stack = new AsyncDisposableStack();
	const requestService: RequestService = (name, params, options) => requestJson(bus, name, params, options);
	const changeLog = new ChangeLog(bus);
	const head = new LogHead(background, changeLog);
	const sender = new Sender({
		policy: { allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE, ports: config.WEBHOOK_PORTS.split(",").map(Number) },
		timeoutMs: config.WEBHOOK_TIMEOUT_MS,
		...(resolve !== undefined && { resolve }),
	});
	const { SMTP_URL: smtpUrl, MAIL_FROM: from = "", PUBLIC_URL: site } = config;
	const sendMail = smtpUrl === undefined ? undefined : mailer({ smtpUrl, from, log });
	const deliverWithin = (timeoutMs: number) => createDeliver({ sender, site, sendMail, timeoutMs, log });
	const deliver = deliverWithin(config.WEBHOOK_TIMEOUT_MS);
	const outgoing = new FairQueue({
		what: "requests that connect to webhooks",
		slots: config.WEBHOOKS_AT_ONCE,
		slotsPerCaller: config.WEBHOOKS_AT_ONCE_PER_ACCOUNT,
		slotsUnpaid: Math.ceil(config.WEBHOOKS_AT_ONCE / 2),
		waiting: 2 * config.WEBHOOKS_AT_ONCE,
		waitingPerCaller: 2 * config.WEBHOOKS_AT_ONCE_PER_ACCOUNT,
		waitMs: 2_000,
	});
	stack.use(
		await serve(
			bus,
			"subscriptions",
			operations({ sql, now, requestService, changeLog, sender, deliver, outgoing, config }),
		),
	);
	const dispatcher = stack.use(
		new Dispatcher({
			// A mail server may take long to reply after the text, and a mail that timed out may have been sent.
			...{ sql: background, changeLog, head, deliver: deliverWithin(mailMs), now, log },
			retryMs: config.WEBHOOK_RETRY_MS,
			atOnce: config.WEBHOOKS_AT_ONCE,
			atOncePerAccount: config.WEBHOOKS_AT_ONCE_PER_ACCOUNT,
		}),
	);
	stack.use(
		await startFollowing({
			...{ sql: background, requestService, changeLog, head, dispatcher, log },
			...(everyMs !== undefined && { everyMs }),
		}),
	);
	for (const reacting of await startReactions(bus, background)) stack.use(reacting);
	stack.use(startDeletingOld(background, { log, now, config }));
	const owned = stack.move();
	return {
		isStuck: (at) => dispatcher.isStuck(at),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

/** The handlers of all operations that this service owns. */
const operations = (resources: Resources): Handlers<"subscriptions"> => ({
	...withPlanRecorded(resources, { ...webhookOperations(resources), ...deliveryOperations(resources) }),
	openAlertLink: openAlertLink(resources),
	listNotices: listNotices(resources),
	deleteSubscriptions: deleteSubscriptions(resources),
	...watchlistOperations(resources),
	...savedQueryOperations(resources),
});
