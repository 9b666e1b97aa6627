/**
 * Real servers for tests, each in a folder of its own under the system's temporary one. Where TEST_POSTGRES_URL,
 * TEST_NATS_URL or TEST_REDIS_URL names a server, that one is used; test files then run one at a time, as they share it. With
 * TEST_SERVERS=containers each is a container of its own: see `containers.ts`.
 */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { pathToFileURL } from "node:url";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect as connectNats } from "@nats-io/transport-node";
import { otherUsers } from "../../deploy/engines/nats-users.ts";
import { execute, prepareDatabase, type Role, urlOf } from "../../deploy/engines/postgres-roles.ts";
import { freePort } from "../../deploy/local/data-dir.ts";
import { startNats as startNatsIn } from "../../deploy/local/nats.ts";
import { startPostgres } from "../../deploy/local/postgres.ts";
import { startRedis as startRedisIn } from "../../deploy/local/redis.ts";
import { findServers } from "../../deploy/local/server-programs.ts";
import { programOf, services } from "../../deploy/local/services.ts";
import { connect } from "../../libs/postgres/connect.ts";
import { inMemory, openHome, removeLeftovers } from "./home.ts";
import { timePhase } from "./times.ts";

export interface TestNats extends AsyncDisposable {
	url: string;
	/** Each service's user (or `operator`) and its password, as `npm run up` sets them up; undefined with TEST_NATS_URL. */
	login(user: string): { user: string; password: string } | undefined;
	stop(): Promise<void>;
}

export interface TestRedis extends AsyncDisposable {
	/** The address with the gateway's user. */
	url: string;
	/** The address with the user who may do everything. */
	operatorUrl: string;
	stop(): Promise<void>;
}

/** The password of every role and user in tests. */
export const password = "test";
const inContainers = process.env.TEST_SERVERS === "containers";

/** A role for each service that stores something. */
export const roles: Role[] = services.flatMap(({ schema }) =>
	schema === undefined ? [] : [{ name: schema, password }],
);

/**
 * Once a run: PostgreSQL with a migrated database for tests to clone. Where it is goes into the environment, for this
 * process and those that it starts. NATS and Redis start so fast that each test file has its own: see below.
 */
export async function startServers(): Promise<AsyncDisposable> {
	await removeLeftovers();
	await using servers = new AsyncDisposableStack();
	servers.defer(removeLeftovers);
	// Now rather than in each test file: what is missing may have to be installed.
	await timePhase("programs", findServers);
	if (!process.env.TEST_POSTGRES_URL) {
		process.env.TEST_POSTGRES_URL = await timePhase("servers", () => startOwnPostgres(servers));
		servers.defer(() => {
			delete process.env.TEST_POSTGRES_URL;
		});
	}
	const adminUrl = process.env.TEST_POSTGRES_URL;
	const template = `template_${randomBytes(6).toString("hex")}`;
	servers.defer(() => dropAll(adminUrl, template));
	await timePhase("migration", () => makeTemplate(adminUrl, template));
	process.env.TEST_POSTGRES_TEMPLATE = template;
	servers.defer(() => {
		delete process.env.TEST_POSTGRES_TEMPLATE;
	});
	return servers.move();
}

/** Answers the administrator's address. */
async function startOwnPostgres(servers: AsyncDisposableStack): Promise<string> {
	if (inContainers) {
		const { removeContainers, startPostgresContainer } = await import("./containers.ts");
		servers.defer(removeContainers);
		const { address } = await startPostgresContainer(password);
		return `postgres://postgres:${password}@${address}/postgres`;
	}
	// Each database is a copy of some 800 files, which takes a quarter of the time in memory.
	const home = openHome(undefined, inMemory());
	servers.defer(home[Symbol.asyncDispose]);
	// Each process of tests can have two shared worlds, of 30 connections each.
	const more = ["max_wal_size=512MB", "max_connections=400"];
	const options = { port: await freePort(), password, durable: false, more };
	return (await startPostgres(home.children, home.directory, options)).adminUrl;
}

async function makeTemplate(adminUrl: string, template: string): Promise<void> {
	if (inContainers) {
		const { makeDatabaseLikeProduction } = await import("./containers.ts");
		await makeDatabaseLikeProduction(adminUrl, template);
	}
	await prepareDatabase(adminUrl, template, roles);
	for (const { name, schema } of services) {
		const role = roles.find((one) => one.name === schema);
		if (!role) continue;
		const { migrate } = await import(pathToFileURL(programOf(name, "migrate.ts")).href);
		await migrate(urlOf(adminUrl, template, role));
	}
}

/** The template, and what was made of it for others to copy. */
async function dropAll(adminUrl: string, template: string): Promise<void> {
	await using server = connect(adminUrl, { schema: "public", name: "tests", max: 1 });
	const made = await server<{ name: string }[]>`
		select datname as name from pg_database where starts_with(datname, ${template})`;
	for (const { name } of made) await execute(server, "drop database if exists %I with (force)", name);
}

export const natsPasswords = (): Record<string, string> =>
	Object.fromEntries([...services.map(({ name }) => name), ...otherUsers].map((user) => [user, password]));

/** A NATS server of one's own, with JetStream and the rights of production. */
export async function startNats(): Promise<TestNats> {
	const external = process.env.TEST_NATS_URL;
	if (external) {
		await emptyNats(external);
		return { url: external, login: () => undefined, ...stopping(async () => {}) };
	}
	if (inContainers) {
		const { startNatsContainer } = await import("./containers.ts");
		const { address, stop } = await startNatsContainer(natsPasswords());
		return { url: `nats://${address}`, login: (user) => ({ user, password }), ...stopping(stop) };
	}
	const home = openHome();
	const options = { port: await freePort(), passwords: natsPasswords() };
	const { url } = await startNatsIn(home.children, home.directory, findServers()["nats-server"], options);
	return { url, login: (user) => ({ user, password }), ...stopping(home[Symbol.asyncDispose]) };
}

/** A Redis server of one's own. */
export async function startRedis(): Promise<TestRedis> {
	const external = process.env.TEST_REDIS_URL;
	if (external) {
		await emptyRedis(external);
		return { url: external, operatorUrl: external, ...stopping(async () => {}) };
	}
	if (inContainers) {
		const { startRedisContainer } = await import("./containers.ts");
		const { address, stop } = await startRedisContainer(password);
		const urlOfUser = (user: string) => `redis://${user}:${password}@${address}`;
		return { url: urlOfUser("gateway"), operatorUrl: urlOfUser("operator"), ...stopping(stop) };
	}
	const home = openHome();
	const options = { port: await freePort(), password, operatorPassword: password };
	const { url } = await startRedisIn(home.children, home.directory, findServers()["redis-server"], options);
	return { url, operatorUrl: url.replace("//gateway:", "//operator:"), ...stopping(home[Symbol.asyncDispose]) };
}

const stopping = (stop: () => Promise<void>) => ({ stop, [Symbol.asyncDispose]: stop });

/** A server from elsewhere outlives a test file: the next one must not find what it left. */
async function emptyNats(url: string): Promise<void> {
	const nats = await connectNats({ servers: url });
	try {
		const manager = await jetstreamManager(nats);
		for await (const name of manager.streams.names()) await manager.streams.delete(name);
	} finally {
		await nats.close();
	}
}

async function emptyRedis(url: string): Promise<void> {
	const { hostname, port, password } = new URL(url);
	const auth = password === "" ? "" : `AUTH ${decodeURIComponent(password)}\r\n`;
	const socket = openSocket(Number(port || 6379), hostname, () => socket.write(`${auth}FLUSHALL\r\nQUIT\r\n`));
	socket.resume();
	await once(socket, "close");
}
