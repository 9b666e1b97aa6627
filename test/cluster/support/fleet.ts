/** Some replicas of some services on one database, NATS and Redis, with readers in front and an ingest behind. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { startNats, startRedis } from "../../support/servers.ts";
import { openConstellation, type Replica, type StartOptions } from "./constellation.ts";
import { copiesAgree, type Ingesting, startIngesting } from "./data.ts";
import { type Readers, startReaders } from "./readers.ts";

export interface Fleet extends AsyncDisposable {
	database: TestDatabase;
	/** The administrator's. */
	admin: Sql;
	lists: Ingesting;
	of(service: string): readonly Replica[];
	/** Through all gateways in turn. */
	get(path: string): Promise<Response>;
	readers(): Readers;
	/** Starts a new replica, and then ends the old one as an orchestrator does: readers' way to it first. */
	replace(old: Replica, reading: Readers, options?: StartOptions): Promise<void>;
	/** SIGKILL. */
	kill(replica: Replica): Promise<void>;
	start(service: string, options?: StartOptions): Promise<void>;
	/** Resolves when every change has reached its copies; fails when it has not, or twice. */
	copiesAgree(): Promise<void>;
}

export const readerCount = 4;

/** Starts so many replicas of each service, waits for them, and ingests a first list. */
export async function startFleet(replicas: Record<string, number>): Promise<Fleet> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase());
	const admin = stack.use(connect(database.adminUrl, { schema: "public", name: "tests", max: 2 }));
	const sql = stack.use(connect(database.url, { schema: "queue_ingest", name: "tests", max: 4 }));
	const lists = await startIngesting(sql);
	const nats = stack.use(await startNats());
	const redis = stack.use(await startRedis());
	const env = { REDIS_URL: redis.url, INSTANCES: "2", CACHE_MAX_BYTES: "0", REQUEST_TIMEOUT_MS: "3000" };
	const system = stack.use(openConstellation({ natsUrl: nats.url, urlOf: database.urlOf, env }));
	const running = new Map<string, Replica[]>();
	const of = (service: string) => running.get(service) ?? [];
	const leave = (gone: Replica) =>
		running.set(
			gone.service,
			of(gone.service).filter((one) => one !== gone),
		);
	const start = async (service: string, options?: StartOptions) => {
		const replica = await system.start(service, options);
		running.set(service, [...of(service), replica]);
	};
	for (const [service, count] of Object.entries(replicas))
		await Promise.all(Array.from({ length: count }, () => start(service)));
	const urls = () => of("gateway").map(({ url }) => url);
	let turn = 0;
	const get = (path: string) => fetch(`${urls()[turn++ % urls().length]}${path}`);
	const paths = [
		"/stats",
		...("scoring" in replicas ? ["/investable"] : []),
		...lists.ids.slice(0, 10).map((id) => `/projects/${id}`),
	];
	await eventually(async () => (await Promise.all(paths.map(get))).every(({ ok }) => ok));
	const owned = stack.move();
	return {
		database,
		admin,
		lists,
		of,
		get,
		readers: () => startReaders(urls, paths, readerCount),
		async replace(old, reading, options) {
			await start(old.service, options);
			// A load balancer sends nothing more to a gateway that is going to stop; what it has been sent is answered.
			leave(old);
			await reading.more(2 * readerCount);
			await old.stop();
		},
		async kill(replica) {
			leave(replica);
			await replica.kill();
		},
		start,
		copiesAgree: () => copiesAgree(admin, lists),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}
