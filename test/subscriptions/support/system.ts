/** Queue-ingest and subscriptions over a database and a bus of their own, with a clock that the test sets. */
import { connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { operations as contract, type OwnedBy, type ParamsInput, type Reply } from "#libs/contract/index.ts";
import type { PlanName } from "#libs/contract/vocabulary.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { urlOf } from "../../../deploy/engines/postgres-roles.ts";
import { schema as queueSchema } from "../../../services/queue-ingest/migrate.ts";
import { operations as queueOperations } from "../../../services/queue-ingest/operations.ts";
import { configSchema } from "../../../services/subscriptions/config.ts";
import type { Resolve } from "../../../services/subscriptions/dispatch/send.ts";
import { schema } from "../../../services/subscriptions/migrate.ts";
import { openSubscriptions, type Subscriptions } from "../../../services/subscriptions/open.ts";
import { type MisoRow, misoJson, standing } from "../../queue-ingest/support/miso.ts";
import { openQueue, type Queue } from "../../queue-ingest/support/queue.ts";
import { password, startNats, type TestNats } from "../../support/servers.ts";

export interface SystemOptions {
	/** Settings of subscriptions, by name. */
	config?: Record<string, string>;
	resolve?: Resolve;
	/** Processes of subscriptions (one, when absent). */
	replicas?: number;
	/** Interval between runs of the dispatcher (ms; 30 when absent). */
	everyMs?: number;
	/** The clock of subscriptions; `clock` below when absent. */
	now?: () => Date;
}

export interface TestSystem extends AsyncDisposable {
	queue: Queue;
	/** Subscriptions' own connections. */
	sql: Sql;
	nats: TestNats;
	clock: { now: Date };
	replicas: Subscriptions[];
	/** Requests as the gateway does for an account. */
	ask<N extends Asked>(accountId: number, name: N, params: ParamsInput<N>, plan?: PlanName): Promise<Reply<N>>;
	/** MISO's list of a day, beside requests that stand still. */
	list(day: string, rows: MisoRow[]): Promise<void>;
}

type Asked = OwnedBy<"subscriptions">;

/** Requests that stand still, so that a list may lose one. */
export const standingRequests = 25;

export async function openSystem(options: SystemOptions = {}): Promise<TestSystem> {
	const { config = {}, resolve, replicas = 1, everyMs = 30 } = options;
	await using stack = new AsyncDisposableStack();
	const log = createLogger({ name: "test", level: (process.env.WORLD_LOG ?? "silent") as never });
	const nats = stack.use(await startNats());
	const queue = stack.use(await openQueue());
	const clock = { now: new Date("2026-03-01T12:00:00Z") };
	const now = options.now ?? (() => clock.now);
	const busOf = async (name: string) => stack.use(await connectBus({ url: nats.url, name, log, ...nats.login(name) }));
	const queueBus = await busOf("queue-ingest");
	await ensureStream(queueBus, "queue-ingest");
	stack.use(relay(queueBus, queue.sql, queueSchema));
	stack.use(await announceVersions(queueBus, queue.sql, queueSchema, "queue-ingest"));
	stack.use(await serve(queueBus, "queue-ingest", queueOperations({ sql: queue.sql, now: () => new Date(queue.now) })));
	const database = new URL(queue.url).pathname.slice(1);
	const url = urlOf(queue.url, database, { name: schema, password });
	const sql = stack.use(connect(url, { schema, name: "test", max: 4 }));
	const parsed = configSchema.parse({
		...{ POSTGRES_URL: url, NATS_URL: nats.url, WEBHOOKS_ALLOW_PRIVATE: "true", WEBHOOK_TIMEOUT_MS: "5000" },
		...config,
	});
	const opened: Subscriptions[] = [];
	for (let replica = 0; replica < replicas; replica++) {
		const bus = await busOf("subscriptions");
		const background = stack.use(connect(url, { schema, name: "test-jobs", max: 6, statementTimeoutMs: 0 }));
		const settings = { bus, sql, background, config: parsed, log, now, everyMs };
		opened.push(stack.use(await openSubscriptions({ ...settings, ...(resolve !== undefined && { resolve }) })));
	}
	const gateway = await busOf("gateway");
	const owned = stack.move();
	return {
		...{ queue, sql, nats, clock, replicas: opened },
		async ask(accountId, name, params, plan = "Growth") {
			const answer = await requestJson(gateway, name as never, params as never, { accountId, plan });
			return contract[name].reply.parse(answer) as never;
		},
		async list(day, rows) {
			const { outcome } = await queue.take("MISO", day, misoJson([...rows, ...standing(standingRequests)]));
			if (!["applied", "unchanged"].includes(outcome)) throw new Error(`the list of ${day} was ${outcome}`);
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
