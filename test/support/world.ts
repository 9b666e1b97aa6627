/** The whole constellation in one process on real servers: gateway, bus, queue-ingest, signals, scoring, billing, subscriptions and their database. */
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { test as vitest } from "vitest";
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { bucket } from "#libs/bus/objects.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { queryLimits } from "#libs/contract/databases.ts";
import { archiveBucket } from "#libs/contract/exports/archive.ts";
import { ensureExtractBucket, writeExtracts } from "#libs/parquet/write-extracts.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { FairQueue } from "#libs/service/fair-queue.ts";
import { createLogger } from "#libs/service/logger.ts";
import { schema as billingSchema } from "../../services/billing/migrate.ts";
import { operations as billingOperations } from "../../services/billing/operations/index.ts";
import { startReactions as startBillingReactions } from "../../services/billing/reactions/record-usage.ts";
import { openAccess } from "../../services/gateway/access.ts";
import { buildApp, closeOnStop } from "../../services/gateway/app.ts";
import { configSchema } from "../../services/gateway/config.ts";
import { CpuBudget } from "../../services/query/cpu-budget.ts";
import { followExtracts } from "../../services/query/extracts/follow.ts";
import { operations as queryOperations } from "../../services/query/operations/index.ts";
import { Pool, poolDefaults } from "../../services/query/pool/pool.ts";
import { slotLimits } from "../../services/query/resources.ts";
import { databases, listsSql } from "../../services/queue-ingest/extracts/index.ts";
import { createScoreReader } from "../../services/queue-ingest/history/past-scores.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { operations } from "../../services/queue-ingest/operations.ts";
import { createCreditSumsReader } from "../../services/queue-ingest/provenance/computed-values.ts";
import { startReactions as startQueueReactions } from "../../services/queue-ingest/reactions.ts";
import { databases as scoringDatabases } from "../../services/scoring/extracts/scoring.ts";
import { isQueueEmpty, startScoring } from "../../services/scoring/jobs/scoring-worker.ts";
import { schema as scoringSchema } from "../../services/scoring/migrate.ts";
import { operations as scoringOperations } from "../../services/scoring/operations/index.ts";
import { startReactions as startScoringReactions } from "../../services/scoring/reactions/index.ts";
import { databases as signalsDatabases } from "../../services/signals/extracts/index.ts";
import { isMatched, startMatching } from "../../services/signals/ingest/rematch.ts";
import { schema as signalsSchema } from "../../services/signals/migrate.ts";
import { operations as signalsOperations } from "../../services/signals/operations.ts";
import { startReactions } from "../../services/signals/reactions.ts";
import { configSchema as subscriptionsConfig } from "../../services/subscriptions/config.ts";
import { schema as subscriptionsSchema } from "../../services/subscriptions/migrate.ts";
import { openSubscriptions } from "../../services/subscriptions/open.ts";
import { createDatabase, type TestDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { createSampleDatabase } from "./sample-database.ts";
import { startNats, type TestNats } from "./servers.ts";

/** Longest wait for a world to come to rest: it may share two cores with others that begin. */
const restMs = 60_000;
/** Longest run of a statement, and longest wait for its turn, for the same reason. */
const statementMs = 25_000;

export interface World extends AsyncDisposable {
	/** Address of the gateway. */
	url: string;
	/** queue-ingest's own connections. */
	sql: Sql;
	/** Connections of signals. */
	signalsSql: Sql;
	/** Connections of scoring. */
	scoringSql: Sql;
	/** Connections of billing. */
	billingSql: Sql;
	subscriptionsSql: Sql;
	bus: Bus;
	/** The server; another process may connect to it, too. */
	nats: Pick<TestNats, "url" | "login">;
	/** The user who may do everything at NATS. */
	operator: Bus;
	/** The database of this world, as the administrator and as any service's role. */
	database: TestDatabase;
	/** The owners' clock; set it to move the time. */
	clock: { now: Date };
	/** Resolves when every committed event is on its stream and has had its effect. */
	settled(): Promise<void>;
	/** Resolves when statements of callers run over what the owners have committed. Of a world with `query`. */
	extracted(): Promise<void>;
}

export interface WorldOptions {
	/** Loads the bundled sample (the default) or nothing. */
	data?: "sample" | "none";
	/** Settings of the gateway, by name. */
	gateway?: Record<string, string>;
	/** Whether the owners write extracts and statements of callers run over them (not when absent). */
	query?: true;
}

/** Limits that the tests of one file do not reach for those of another. */
const shared = { TRUSTED_PROXIES: "127.0.0.1", REGISTRATIONS_PER_HOUR: "1000" };

/**
 * Tests that share one world with the sample and with `query`: it starts for the first file of a process that needs it and stops with
 * the process. They may register keys and what belongs to a key; a file that changes data or the clock fails, unless it does so in its `ownWorld`.
 */
export const test = vitest
	// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that this one needs.
	.extend("sharedWorld", { scope: "worker" }, async ({}, { onCleanup }) => {
		const world = await startWorld({ query: true, gateway: shared });
		onCleanup(() => world[Symbol.asyncDispose]());
		await world.settled();
		await world.extracted();
		return world;
	})
	.extend("readOnlyWorld", { scope: "file" }, async ({ sharedWorld }, { onCleanup }) => {
		const before = await stateOf(sharedWorld);
		onCleanup(async () => {
			if ((await stateOf(sharedWorld)) !== before)
				throw new Error("this file changed the world that it shares with others: it has to start its own");
		});
		return sharedWorld;
	})
	// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures that this one needs.
	.extend("ownWorld", { scope: "file" }, async ({}, { onCleanup }) => {
		const world = await startWorld();
		onCleanup(() => world[Symbol.asyncDispose]());
		return world;
	});

async function stateOf({ sql, signalsSql, scoringSql, clock }: World): Promise<string> {
	const versions = await Promise.all([sql, signalsSql, scoringSql].map(readDataVersion));
	return [...versions, clock.now.getTime()].join();
}

export async function startWorld({ data = "sample", gateway = {}, query }: WorldOptions = {}): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const log = createLogger({ name: "world", level: (process.env.WORLD_LOG ?? "silent") as never });
	const nats = stack.use(await startNats());
	const clock = { now: new Date() };
	const database = stack.use(
		await (data === "sample" ? createSampleDatabase("queue-ingest", clock.now) : createDatabase("queue-ingest")),
	);
	const sql = stack.use(connect(database.url, { schema, name: "world", max: 6 }));
	const signalsUrl = database.urlOf("signals");
	const signalsSql = stack.use(connect(signalsUrl, { schema: signalsSchema, name: "world-signals", max: 12 }));
	const scoringSql = stack.use(
		connect(database.urlOf("scoring"), { schema: scoringSchema, name: "world-scoring", max: 12 }),
	);
	const billingSql = stack.use(
		connect(database.urlOf("billing"), { schema: billingSchema, name: "world-billing", max: 12 }),
	);

	const busOf = async (service: string) =>
		stack.use(await connectBus({ url: nats.url, name: service, log, ...nats.login(service) }));
	const ingestBus = await busOf("queue-ingest");
	await ensureStream(ingestBus, "queue-ingest");
	const outbox = stack.use(relay(ingestBus, sql, schema));
	stack.use(await announceVersions(ingestBus, sql, schema, "queue-ingest"));
	stack.use(
		await serve(
			ingestBus,
			"queue-ingest",
			operations({
				sql,
				now: () => clock.now,
				archive: bucket(ingestBus, archiveBucket),
				scores: createScoreReader(ingestBus),
				creditSums: createCreditSumsReader(ingestBus),
			}),
		),
	);

	const signalsBus = await busOf("signals");
	await ensureStream(signalsBus, "signals");
	const signalsOutbox = stack.use(relay(signalsBus, signalsSql, signalsSchema));
	stack.use(await announceVersions(signalsBus, signalsSql, signalsSchema, "signals"));
	stack.use(await serve(signalsBus, "signals", signalsOperations({ sql: signalsSql, now: () => clock.now })));
	stack.use(await startMatching(signalsSql, log));

	const scoringBus = await busOf("scoring");
	await ensureStream(scoringBus, "scoring");
	const scoringOutbox = stack.use(relay(scoringBus, scoringSql, scoringSchema));
	stack.use(await announceVersions(scoringBus, scoringSql, scoringSchema, "scoring"));
	const scoring = { now: () => clock.now, notice_2025_42: "vacated" as const, log };
	stack.use(await serve(scoringBus, "scoring", scoringOperations({ sql: scoringSql, ...scoring })));
	stack.use(await startScoring(scoringSql, scoring));

	const billingBus = await busOf("billing");
	await ensureStream(billingBus, "billing");
	const billingOutbox = stack.use(relay(billingBus, billingSql, billingSchema));
	stack.use(await announceVersions(billingBus, billingSql, billingSchema, "billing"));
	// Mails are queued; a test that wants them sends them.
	const ofBilling = { sql: billingSql, now: () => clock.now, sendsMail: true };
	stack.use(await serve(billingBus, "billing", billingOperations(ofBilling)));

	const reactions = [
		...(await startQueueReactions(ingestBus, sql)),
		...(await startReactions(signalsBus, signalsSql)),
		...(await startScoringReactions(scoringBus, scoringSql)),
	];
	for (const reacting of reactions) stack.use(reacting);
	// The ledger is never quiet while anybody asks anything: `settled` is about data.
	for (const reacting of await startBillingReactions(billingBus, billingSql)) stack.use(reacting);
	const subscriptionsUrl = database.urlOf("subscriptions");
	const ofSubscriptions = { schema: subscriptionsSchema, name: "world-subscriptions", max: 8 };
	const subscriptionsSql = stack.use(connect(subscriptionsUrl, ofSubscriptions));
	const startedAt = performance.now();
	// Receivers refuse a message that was signed more than five minutes ago.
	const ticking = () => new Date(clock.now.getTime() + performance.now() - startedAt);
	stack.use(
		await openSubscriptions({
			bus: await busOf("subscriptions"),
			...{ sql: subscriptionsSql, background: subscriptionsSql, log, now: ticking },
			config: subscriptionsConfig.parse({
				...{ POSTGRES_URL: subscriptionsUrl, NATS_URL: nats.url, WEBHOOKS_ALLOW_PRIVATE: "true" },
				...{ WEBHOOK_TIMEOUT_MS: "5000", SMTP_URL: "log:", PUBLIC_URL: "https://service.example" },
			}),
		}),
	);
	const patient = query === true && { REQUEST_TIMEOUT_MS: String(restMs) };
	const config = configSchema.parse({ NATS_URL: nats.url, PORT: "0", ...patient, ...gateway });
	const operatorBus = await busOf("operator");
	const gatewayBus = await busOf("gateway");
	await ensureStream(gatewayBus, "gateway");
	const access = stack.use(await openAccess({ bus: gatewayBus, config, log, now: () => clock.now }));
	const app = buildApp({ bus: gatewayBus, access, config, log });
	stack.use(closeOnStop(app, 2_000, log));
	const url = await app.listen({ host: "127.0.0.1", port: 0 });

	const extracted = query === true ? await startQuery() : async () => {};
	async function startQuery(): Promise<() => Promise<void>> {
		const dir = await mkdtemp(join(tmpdir(), "world-"));
		stack.defer(() => rm(dir, { recursive: true, force: true }));
		const soon = { dir, quietMs: 50, everyMs: 100, retryMs: 100 };
		const owners = [
			{ bus: ingestBus, sql, owner: "queue-ingest", schema, databases, listsSql },
			{ bus: signalsBus, sql: signalsSql, owner: "signals", schema: signalsSchema, databases: signalsDatabases },
			{ bus: scoringBus, sql: scoringSql, owner: "scoring", schema: scoringSchema, databases: scoringDatabases },
		] as const;
		// Not before the first call of `extracted`: each change until then would cost the extracts of its owner.
		const writing = stack.use(new AsyncDisposableStack());
		const start = async () => {
			for (const { bus, sql: own, ...options } of owners)
				writing.use(await writeExtracts(bus, own, { ...options, ...soon }));
		};
		let started: Promise<void> | undefined;
		// NATS 2.9 at times answers nothing more about a stream that is made while others ask for it.
		for (const { bus, owner } of owners) await ensureExtractBucket(bus, owner);
		const queryBus = await busOf("query");
		// Statements run at the priority of other tests; a lower one would starve them.
		const priority = constants.priority.PRIORITY_NORMAL;
		const pool = stack.use(new Pool({ ...poolDefaults, dataKb: 920_000, timeoutMs: statementMs, priority }));
		const files = { dir: join(dir, "followed"), maxBytes: 1024 ** 3, retryMs: 200 };
		const extracts = stack.use(await followExtracts(queryBus, { ...files, onChange: (loaded) => pool.use(loaded) }));
		const slots = new FairQueue({ ...slotLimits(4), waitMs: statementMs });
		const cpu = new CpuBudget(queryLimits);
		stack.use(await serve(queryBus, "query", queryOperations({ pool, slots, cpu, extracts })));
		const isNew = async () => {
			for (const { owner, sql: own } of owners)
				if (extracts.versionOf(owner) !== (await readDataVersion(own))) return false;
			return true;
		};
		return async () => {
			started ??= start();
			await started;
			await eventually(isNew, { withinMs: restMs });
		};
	}

	const quiet = async () => {
		for (const each of [outbox, signalsOutbox, scoringOutbox, billingOutbox])
			if ((await each.pending()) > 0) return false;
		for (const reacting of reactions) if ((await reacting.backlog()) > 0) return false;
		return (await isMatched(signalsSql)) && isQueueEmpty(scoringSql);
	};
	// One service's last step may start another's first: it is quiet when it is quiet twice.
	const settled = async () => (await quiet()) && quiet();

	const owned = stack.move();
	return {
		url,
		sql,
		signalsSql,
		scoringSql,
		billingSql,
		subscriptionsSql,
		bus: ingestBus,
		nats,
		operator: operatorBus,
		database,
		clock,
		settled: () => eventually(settled, { withinMs: restMs }).then(() => {}),
		extracted,
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
