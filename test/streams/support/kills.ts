/**
 * Clients follow the change feed, and a webhook's receiver that fails every third delivery, while the gateway, NATS and PostgreSQL are killed in
 * turn; each `seq` arrives, in order, none is missing, and their rows are the list.
 */
import { expect } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { ensureStream } from "#libs/bus/events/topology.ts";
import { requestJson } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { connect } from "#libs/postgres/connect.ts";
import { createLogger } from "#libs/service/logger.ts";
import { prepareDatabase, urlOf } from "../../../deploy/engines/postgres-roles.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { openAccess } from "../../../services/gateway/access.ts";
import { buildApp } from "../../../services/gateway/app.ts";
import { configSchema } from "../../../services/gateway/config.ts";
import { migrate, schema } from "../../../services/queue-ingest/migrate.ts";
import { operations } from "../../../services/queue-ingest/operations.ts";
import { configSchema as subscriptionsConfig } from "../../../services/subscriptions/config.ts";
import {
	migrate as migrateSubscriptions,
	schema as subscriptionsSchema,
} from "../../../services/subscriptions/migrate.ts";
import { openSubscriptions } from "../../../services/subscriptions/open.ts";
import { mortalNats, mortalPostgres } from "../../bus/servers.ts";
import type { MisoRow } from "../../queue-ingest/support/miso.ts";
import { expectWhole, openReceiver, seqsOf } from "../../subscriptions/support/receiver.ts";
import { eventually } from "../../support/eventually.ts";
import { expectRebuilt, readProjects } from "../../support/rebuilt.ts";
import { password, roles } from "../../support/servers.ts";
import { follow } from "./client.ts";
import { openLists } from "./lists.ts";

const log = createLogger({ name: "kills", level: (process.env.WORLD_LOG ?? "silent") as never });
const patience = { withinMs: 60_000, everyMs: 100 };

/** Changes beside those of capacities. */
const others: Partial<MisoRow>[] = [
	{ inService: "2031-06-01" },
	{ phase: "Phase 3" },
	{ status: "Withdrawn", withdrawn: "2026-02-01" },
	{ county: "Sangamon" },
	{ poi: "Latham 345 kV" },
];

/** A gateway that ends as a process that is killed does: its connections are cut. */
async function openGateway(natsUrl: string, port: number) {
	await using stack = new AsyncDisposableStack();
	const bus = stack.use(await connectBus({ url: natsUrl, name: "gateway", log, user: "gateway", password }));
	const settings = { EVENT_STREAM_HEARTBEAT_MS: "200", ANONYMOUS_PER_MINUTE: "0", REQUEST_TIMEOUT_MS: "2000" };
	const config = configSchema.parse({ NATS_URL: natsUrl, ...settings });
	await ensureStream(bus, "gateway");
	const access = stack.use(await openAccess({ bus, config, log }));
	const app = buildApp({ bus, access, config, log });
	await app.listen({ host: "127.0.0.1", port });
	stack.defer(() => app.close());
	stack.defer(() => app.server.closeAllConnections());
	return stack.move();
}

export async function followThroughKills(kills: number): Promise<Record<string, number>> {
	await using stack = new AsyncDisposableStack();
	const nats = stack.use(await mortalNats());
	const postgres = stack.use(await mortalPostgres());
	await prepareDatabase(postgres.url, "kills", roles);
	const urlAs = (name: string) => urlOf(postgres.url, "kills", { name, password });
	const busOf = async (name: string) => stack.use(await connectBus({ url: nats.url, name, log, user: name, password }));
	await migrate(urlAs(schema));
	const sql = stack.use(connect(urlAs(schema), { schema, name: "kills", max: 6 }));
	const bus = await busOf("queue-ingest");
	await ensureStream(bus, "queue-ingest");
	stack.use(relay(bus, sql, schema));
	stack.use(await announceVersions(bus, sql, schema, "queue-ingest"));
	stack.use(await serve(bus, "queue-ingest", operations({ sql, now: () => new Date() })));
	const lists = await openLists({ sql });
	await lists.next(["J1000"]);

	const ports = [await freePort(), await freePort()] as const;
	const gateways = await Promise.all(ports.map((port) => openGateway(nats.url, port)));
	stack.defer(async () => {
		for (const gateway of gateways) await gateway.disposeAsync();
	});
	const receiver = stack.use(await openReceiver());
	receiver.answer = (_, at) => ({ status: at % 3 === 0 ? 500 : 200 });
	await sendTo(receiver.url);
	let connections = 0;
	// Each connects to one gateway after the other.
	const urlNow = () => `http://127.0.0.1:${ports[connections++ % 2]}/changes/stream?include=row,raw&after=0`;
	const clients = [0, 1].map(() => stack.use(follow(urlNow(), { urlNow })));

	for (let kill = 0; kill < kills; kill++) {
		const numbers = [`J${1001 + kill}`, `J${1000 + Math.floor(kill / 2)}`];
		await lists.next([numbers[1] ?? ""], others[kill % others.length]);
		if (kill % 10 === 9) lists.leave(`J${999 + Math.floor(kill / 2)}`);
		if (kill % 3 === 0) {
			const which = (kill / 3) % 2;
			await gateways[which]?.disposeAsync();
			await lists.next(numbers);
			gateways[which] = await openGateway(nats.url, ports[which] ?? 0);
		} else if (kill % 3 === 1) {
			await nats.kill();
			await lists.next(numbers);
			await nats.start();
		} else {
			await lists.next(numbers);
			await postgres.kill();
			await postgres.start();
			await eventually(() => lists.newest(), patience);
		}
		// Events from before the fault have arrived now and then; otherwise each fault meets the repair of the last.
		if (kill % 5 === 4) await arrived();
	}
	await arrived();
	// An absence is a change when a list of three days later confirms it.
	lists.passDays(3);
	await lists.next(["J1000"]);
	await arrived();
	expect(Math.min(...clients.map(({ opened }) => opened))).toBeGreaterThan(1);
	const projects = await eventually(() => readProjects(`http://127.0.0.1:${ports[0]}`), patience);
	for (const { received } of clients) {
		const changes = received.map(({ data }) => data);
		expect(new Set(changes.map(({ change_type }) => change_type)).size).toBeGreaterThan(5);
		expectRebuilt(changes, projects);
	}
	expectWhole(receiver, await numbersSent());
	expectRebuilt(
		receiver.taken.map(({ data }) => data),
		projects,
	);
	const connected = clients.reduce((sum, { opened }) => sum + opened, 0);
	return { kills, changes: await lists.newest(), requests: projects.length, connections: connected };

	async function arrived() {
		const newest = await eventually(() => lists.newest(), patience);
		for (const client of clients)
			await eventually(() => {
				expect(client.source.readyState).not.toBe("closed");
				expect(client.ids().at(-1)).toBe(newest);
				return true;
			}, patience);
		for (const client of clients) expect(client.ids()).toEqual(Array.from({ length: newest }, (_, at) => at + 1));
		const last = (await numbersSent()).at(-1);
		await eventually(() => seqsOf(receiver.taken).at(-1) === last, patience);
	}

	/** The changes that webhooks are sent: all but raw ones. */
	async function numbersSent(): Promise<number[]> {
		const rows = await sql<{ seq: number }[]>`select seq from changes where change_type <> 'raw_update' order by seq`;
		return rows.map(({ seq }) => seq);
	}

	/** A webhook of the whole log. */
	async function sendTo(receiverUrl: string): Promise<void> {
		const POSTGRES_URL = urlAs(subscriptionsSchema);
		await migrateSubscriptions(POSTGRES_URL);
		const open = (max: number) => stack.use(connect(POSTGRES_URL, { schema: subscriptionsSchema, name: "kills", max }));
		const config = subscriptionsConfig.parse({
			...{ POSTGRES_URL, NATS_URL: nats.url, WEBHOOKS_ALLOW_PRIVATE: "true" },
			...{ WEBHOOK_RETRY_MS: "50", WEBHOOK_TIMEOUT_MS: "3000" },
		});
		const clock = { log, now: () => new Date() };
		stack.use(
			await openSubscriptions({
				bus: await busOf("subscriptions"),
				sql: open(4),
				background: open(6),
				config,
				...clock,
			}),
		);
		const gateway = await busOf("gateway");
		await requestJson(gateway, "createWebhook", { url: receiverUrl, after: 0 }, { accountId: 1, plan: "Growth" });
	}
}
