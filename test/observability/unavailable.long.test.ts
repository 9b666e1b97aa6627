/** Log lines while the database is unavailable, however many requests need it: one that it is, and one that it is back. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { connectBus } from "#libs/bus/connect.ts";
import { messageOf, publishDirectly } from "#libs/bus/events/publish.ts";
import { react } from "#libs/bus/events/react.ts";
import { relay } from "#libs/bus/events/relay.ts";
import { request } from "#libs/bus/requests/request.ts";
import { serve } from "#libs/bus/requests/serve.ts";
import { announceVersions } from "#libs/bus/version.ts";
import { AppError } from "#libs/contract/errors.ts";
import { migrate } from "#libs/postgres/migrate.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { startGateway } from "../api/support/gateway.ts";
import { busOf, fact, handlersWith, schema, snapshotApplied, sqlOf } from "../bus/parties.ts";
import { mortalPostgres } from "../bus/servers.ts";
import { eventually } from "../support/eventually.ts";
import { password, startNats } from "../support/servers.ts";

const away = [
	"event processing is paused: the database is unavailable",
	"operations fail: the database is unavailable",
	"the data version could not be read",
	"the event relay stopped with an error and will be restarted",
];
const back = [
	"event processing has resumed: the database is available",
	"operations succeed again: the database is available",
	"the data version is read again",
	"the relay has resumed",
];

async function openDatabase(stack: AsyncDisposableStack) {
	const postgres = stack.use(await mortalPostgres());
	await using administrator = sqlOf(postgres.url);
	await administrator`create schema ${administrator(schema)}`;
	const noMigrations = mkdtempSync(join(tmpdir(), "energy-test-migrations-"));
	stack.defer(() => rmSync(noMigrations, { recursive: true }));
	await migrate(postgres.url, schema, pathToFileURL(`${noMigrations}/`));
	const sql = stack.use(sqlOf(postgres.url));
	await sql`checkpoint`;
	return { postgres, sql };
}

test("an unavailable database is logged once by each dependent service, and once when it is back", async () => {
	await using stack = new AsyncDisposableStack();
	const { postgres, sql } = await openDatabase(stack);
	const nats = stack.use(await startNats());
	const lines: string[] = [];
	const say = (_: object, message: string) => void lines.push(message);
	const log = { info: say, warn: say, error: say };
	const bus = stack.use(await connectBus({ url: nats.url, name: "queue-ingest", user: "operator", password, log }));
	let retries = 0;
	const reaction = stack.use(
		await react(bus, sql, {
			service: "queue-ingest",
			name: "keep-facts",
			event: snapshotApplied,
			// Back at once, so that they come again and again.
			holdMs: 0,
			retryMs: () => {
				retries++;
				return 20;
			},
			async handler() {},
		}),
	);
	stack.use(relay(bus, sql, schema, { pollMs: 20, takeoverMs: 20 }));
	stack.use(await announceVersions(bus, sql, schema, "queue-ingest", 20));
	const listPipelines = () => oneJsonReply<never>(sql, sql`select '{}'::json`);
	stack.use(await serve(bus, "queue-ingest", handlersWith({ listPipelines })));
	const asking = stack.use(await busOf(nats.url, "gateway"));
	const ask = () =>
		request(asking, "listPipelines", {}).then(
			() => 200,
			(error: unknown) => (error instanceof AppError ? error.status : 0),
		);
	await eventually(async () => (await ask()) === 200);

	await postgres.kill();
	await publishDirectly(
		bus,
		[1, 2, 3].map((number) => messageOf(snapshotApplied, fact(number))),
	);
	const statuses = await Promise.all(Array.from({ length: 50 }, ask));
	expect(new Set(statuses)).toEqual(new Set([503]));
	await eventually(() => retries > 30 && away.every((message) => lines.includes(message)));
	expect(lines.toSorted()).toEqual(away);

	await postgres.start();
	await eventually(async () => (await ask()) === 200 && (await reaction.backlog()) === 0);
	await eventually(() => back.every((message) => lines.includes(message)));
	expect(lines.toSorted()).toEqual([...away, ...back].toSorted());
});

test("an unavailable owner is logged once by the gateway, however many requests are refused", async () => {
	await using gateway = await startGateway({ owner: null });
	const statuses = await Promise.all(
		Array.from({ length: 40 }, async (_, at) => (await gateway.get(`/projects?page=${at + 1}`)).status),
	);
	expect(new Set(statuses)).toEqual(new Set([503]));
	const lines = gateway.logged.map((line) => JSON.parse(line) as { level: number; msg: string; status?: number });
	expect(lines.filter(({ level }) => level >= 40)).toMatchObject([{ msg: "requests are refused", status: 503 }]);
});
