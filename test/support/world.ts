/** The whole constellation in one process on real servers: gateway, bus, queue-ingest, signals and their database. */
import { type Bus, connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/relay.ts";
import { serve } from "#libs/bus/serve.ts";
import { ensureStream } from "#libs/bus/topology.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { configSchema } from "../../services/gateway/config.ts";
import { buildApp, closing } from "../../services/gateway/http/app.ts";
import { loadSample } from "../../services/queue-ingest/jobs/load-sample.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { operations } from "../../services/queue-ingest/operations/index.ts";
import { loadSample as loadSignalsSample } from "../../services/signals/jobs/load-sample.ts";
import { isMatched, keepMatched } from "../../services/signals/jobs/match-again.ts";
import { schema as signalsSchema } from "../../services/signals/migrate.ts";
import { operations as signalsOperations } from "../../services/signals/operations/index.ts";
import { startReactions } from "../../services/signals/reactions/index.ts";
import { createDatabase } from "./database.ts";
import { eventually } from "./eventually.ts";
import { startNats } from "./servers.ts";

export interface World extends AsyncDisposable {
	/** Address of the gateway. */
	url: string;
	/** queue-ingest's own connections. */
	sql: Sql;
	/** Those of signals. */
	signalsSql: Sql;
	bus: Bus;
	/** What the owners take for now; set it to move the clock. */
	clock: { now: Date };
	/** Resolves when every committed event is on its stream and has had its effect. */
	settled(): Promise<void>;
}

export interface WorldOptions {
	/** Loads the bundled sample (the default) or nothing. */
	data?: "sample" | "none";
	/** Settings of the gateway, by name. */
	gateway?: Record<string, string>;
}

export async function startWorld({ data = "sample", gateway = {} }: WorldOptions = {}): Promise<World> {
	await using stack = new AsyncDisposableStack();
	const log = createLogger({ name: "world", level: "silent" });
	const nats = stack.use(await startNats());
	const database = stack.use(await createDatabase("queue-ingest"));
	const sql = stack.use(connect(database.url, { schema, name: "world", max: 6 }));
	const signalsUrl = database.urlOf("signals");
	const signalsSql = stack.use(connect(signalsUrl, { schema: signalsSchema, name: "world-signals", max: 12 }));
	const clock = { now: new Date() };
	if (data === "sample") {
		const options = { now: () => clock.now, report: () => {} };
		await loadSample(sql, options);
		await loadSignalsSample(signalsSql, options);
	}

	const busOf = async (service: string) =>
		stack.use(await connectBus({ url: nats.url, name: service, log, ...nats.login(service) }));
	const ingestBus = await busOf("queue-ingest");
	await ensureStream(ingestBus, "queue-ingest");
	const outbox = stack.use(relay(ingestBus, sql, schema));
	stack.use(await announceVersions(ingestBus, sql, schema, "queue-ingest"));
	stack.use(await serve(ingestBus, "queue-ingest", operations({ sql, now: () => clock.now })));

	const signalsBus = await busOf("signals");
	await ensureStream(signalsBus, "signals");
	const signalsOutbox = stack.use(relay(signalsBus, signalsSql, signalsSchema));
	stack.use(await announceVersions(signalsBus, signalsSql, signalsSchema, "signals"));
	stack.use(await serve(signalsBus, "signals", signalsOperations({ sql: signalsSql, now: () => clock.now })));
	stack.use(await keepMatched(signalsSql, log));
	const reactions = await startReactions(signalsBus, signalsSql);
	for (const reacting of reactions) stack.use(reacting);
	const settled = async () => {
		if ((await outbox.pending()) > 0) return false;
		for (const reacting of reactions) if ((await reacting.backlog()) > 0) return false;
		return (await isMatched(signalsSql)) && (await signalsOutbox.pending()) === 0;
	};

	const config = configSchema.parse({ NATS_URL: nats.url, PORT: "0", ...gateway });
	const app = buildApp({ bus: await busOf("gateway"), config, log });
	stack.use(closing(app, 2_000, log));
	const url = await app.listen({ host: "127.0.0.1", port: 0 });

	const owned = stack.move();
	return {
		url,
		sql,
		signalsSql,
		bus: ingestBus,
		clock,
		settled: () => eventually(settled, { withinMs: 30_000 }).then(() => {}),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
