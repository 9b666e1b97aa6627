/** The services on a cluster of three NATS servers, under readers and a running ingest, while its nodes are killed and come back. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { createDatabase, type TestDatabase } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { openConstellation, type Replica } from "./support/constellation.ts";
import { copiesAgree, type Ingesting, outboxCount, startIngesting } from "./support/data.ts";
import { type NatsCluster, startCluster } from "./support/nats-cluster.ts";
import { expectUnavailableAtWorst, startReaders } from "./support/readers.ts";

const resources = new AsyncDisposableStack();
let cluster: NatsCluster;
let database: TestDatabase;
let admin: Sql;
let lists: Ingesting;
let gateway: Replica;

beforeAll(async () => {
	cluster = resources.use(await startCluster());
	database = resources.use(await createDatabase());
	const sql = resources.use(connect(database.url, { schema: "queue_ingest", name: "tests", max: 4 }));
	admin = resources.use(connect(database.adminUrl, { schema: "public", name: "tests", max: 2 }));
	lists = await startIngesting(sql);
	const env = { STREAM_REPLICAS: "3" };
	const system = resources.use(openConstellation({ natsUrl: cluster.url, urlOf: database.urlOf, env }));
	await Promise.all(["queue-ingest", "signals"].map((service) => system.start(service)));
	gateway = await system.start("gateway", { env: { CACHE_MAX_BYTES: "0", REQUEST_TIMEOUT_MS: "5000" } });
	await eventually(async () => (await fetch(`${gateway.url}/stats`)).ok);
});
afterAll(() => resources.disposeAsync());

const readers = () =>
	startReaders(() => [gateway.url], ["/stats", ...lists.ids.slice(0, 20).map((id) => `/projects/${id}`)]);
test("if one node after another is killed and restarted, readers see at worst 503, and every change reaches its copies once", async () => {
	await using reading = readers();
	for (const node of cluster.nodes.slice(0, 2)) {
		await reading.more(20);
		await node.kill();
		await lists.withdrawNext();
		const before = reading.refused.length;
		await reading.more(30);
		await eventually(async () => (await fetch(`${gateway.url}/stats`)).ok);
		await node.start();
		for (const stream of ["QUEUE_INGEST", "GATEWAY"]) await cluster.whole(stream);
		await lists.withdrawNext();
		console.log(`of 30 answers while a node was away ${reading.refused.length - before} were 503`);
	}
	expectUnavailableAtWorst(reading);
	await copiesAgree(admin, lists);
});

test("if two nodes are killed, reads continue, changes wait, and reach their copies once when the nodes are back", async () => {
	await using reading = readers();
	const [first, second] = cluster.nodes;
	await first?.kill();
	await second?.kill();
	await lists.withdrawNext();
	await eventually(async () => (await fetch(`${gateway.url}/stats`)).ok, { withinMs: 20_000 });
	await reading.more(30);
	expect(await outboxCount(admin)).toBeGreaterThan(0);
	await first?.start();
	await second?.start();
	await lists.withdrawNext();
	await copiesAgree(admin, lists);
	expectUnavailableAtWorst(reading);
});
