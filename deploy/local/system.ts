/** The whole system on one machine: the three servers, the roles, the migrations and the services, in this order. */
import { join } from "node:path";
import { streamsRespond } from "#libs/bus/jetstream.ts";
import { openArchive } from "../backup/archive.ts";
import { operator, otherUsers } from "../engines/nats-users.ts";
import { prepareDatabase, type Role, urlOf } from "../engines/postgres-roles.ts";
import type { Children, Command } from "./children.ts";
import { host, port, root, secret } from "./data-dir.ts";
import { startDemoPayments } from "./demo-payments.ts";
import { startNats } from "./nats.ts";
import { startPostgres } from "./postgres.ts";
import { placePostgres } from "./postgres-place.ts";
import { startRedis } from "./redis.ts";
import { type Run, writeRun } from "./run-file.ts";
import { findServers } from "./server-programs.ts";
import { mainArguments, memory, type Service, services, withoutRails } from "./services.ts";
import { answersOk, supervise } from "./supervise.ts";

export interface SystemOptions {
	dataDir: string;
	/** The gateway's. */
	port: number;
	/** Whether the operators' lists, news and filings are downloaded at their cadence (not, when absent). */
	refresh?: boolean;
	/** Whether stand-ins take payments for priced calls (not, when absent). */
	demoPayments?: boolean;
	/** Folder of PostgreSQL's archive of its log; none when absent. */
	backupDir?: string | undefined;
	say(line: string): void;
}

const database = "energy";
/** Longest start of a database (ms): after a crash it replays its log before it takes connections. */
const recoveryMs = 600_000;

export async function startSystem(children: Children, options: SystemOptions): Promise<Run> {
	const run: Run = { url: `http://${host}:${options.port}`, servers: {}, services: {} };
	const servers = await startServers(children, run, options);
	const payments = options.demoPayments
		? await startDemoPayments(children, options.dataDir, options.port, options.say)
		: {};
	for (const service of services) {
		const healthPort = await port(options.dataDir, `${service.name}-health`);
		const env = {
			...environment(service, servers, options, healthPort),
			...(service.name === "gateway" && payments),
		};
		run.services[service.name] = { healthUrl: `http://${host}:${healthPort}`, env };
	}
	options.say("Migrating...");
	await migrate(children, run);
	options.say("Starting the services...");
	writeRun(options.dataDir, run);
	await startServices(children, run, options);
	return run;
}

interface StartedServers {
	postgresUrl: string;
	natsUrl: string;
	redisUrl: string;
}

async function startServers(children: Children, run: Run, options: SystemOptions): Promise<StartedServers> {
	const { dataDir, backupDir, say } = options;
	const programs = findServers();
	const ports = {
		postgres: await port(dataDir, "postgres"),
		nats: await port(dataDir, "nats"),
		redis: await port(dataDir, "redis"),
	};
	run.servers = Object.fromEntries(Object.entries(ports).map(([name, at]) => [name, { port: at }]));
	say(`Starting PostgreSQL (port ${ports.postgres}), NATS (${ports.nats}) and Redis (${ports.redis})...`);
	const password = secret(dataDir, "postgres");
	const users = [...services.map(({ name }) => name), ...otherUsers];
	const passwords = Object.fromEntries(users.map((user) => [user, secret(dataDir, `nats ${user}`)]));
	const more = backupDir === undefined ? [] : openArchive(backupDir, placePostgres(dataDir).user);
	const postgresOptions = { port: ports.postgres, password, durable: true, more };
	const postgres = await supervise(children, {
		name: "postgres",
		start: () => startPostgres(children, dataDir, postgresOptions, recoveryMs),
		say,
	});
	const nats = await supervise(children, {
		name: "nats",
		start: () => startNats(children, dataDir, programs["nats-server"], { port: ports.nats, passwords }),
		isWell: () =>
			streamsRespond({ url: `nats://${host}:${ports.nats}`, user: operator, password: passwords[operator] ?? "" }),
		say,
	});
	const redisOptions = {
		port: ports.redis,
		password: secret(dataDir, "redis"),
		operatorPassword: secret(dataDir, "redis operator"),
	};
	const redis = await supervise(children, {
		name: "redis",
		start: () => startRedis(children, dataDir, programs["redis-server"], redisOptions),
		say,
	});
	await prepareDatabase(
		postgres.adminUrl,
		database,
		services.flatMap((service) => roleOf(dataDir, service) ?? []),
	);
	return { postgresUrl: postgres.adminUrl, natsUrl: nats.url, redisUrl: redis.url };
}

function roleOf(dataDir: string, { schema }: Service): Role | undefined {
	if (schema === undefined) return undefined;
	return {
		name: schema,
		password: secret(dataDir, `postgres ${schema}`),
	};
}

/** Settings of a service in this system, which `nodeCommand` adds to those of the environment. */
function environment(service: Service, servers: StartedServers, options: SystemOptions, healthPort: number) {
	const { dataDir } = options;
	const role = roleOf(dataDir, service);
	const mails = ["billing", "subscriptions"].includes(service.name);
	return {
		HOST: host,
		HEALTH_HOST: host,
		HEALTH_PORT: String(healthPort),
		DATA_DIR: dataDir,
		LOG_LEVEL: process.env.LOG_LEVEL ?? "info",
		NATS_URL: servers.natsUrl,
		NATS_USER: service.name,
		NATS_PASSWORD: secret(dataDir, `nats ${service.name}`),
		...(role && { POSTGRES_URL: urlOf(servers.postgresUrl, database, role) }),
		...(service.name === "gateway" && {
			PORT: String(options.port),
			REDIS_URL: servers.redisUrl,
			SPOOL_DIR: join(dataDir, "spool"),
			USAGE_DIR: join(dataDir, "usage"),
		}),
		...(["queue-ingest", "signals"].includes(service.name) && { REFRESH_SOURCES: String(options.refresh ?? false) }),
		// Links of mails are in the log, unless a mail server is set.
		...(mails && !process.env.SMTP_URL && { SMTP_URL: "log:" }),
		...(mails && !process.env.PUBLIC_URL && { PUBLIC_URL: `http://${host}:${options.port}` }),
		...(service.name === "query" && { EXTRACTS_DIR: join(dataDir, "extracts") }),
		...(service.name === "signals" && process.env.CONTACT && { CONTACT: process.env.CONTACT }),
	};
}

async function migrate(children: Children, run: Run): Promise<void> {
	const urls = services.flatMap(({ name, schema }) =>
		schema === undefined ? [] : [[name, run.services[name]?.env.POSTGRES_URL]],
	);
	const env = { ...process.env, ...withoutRails(process.env), MIGRATE: JSON.stringify(urls) };
	const args = [join(root, "deploy", "local", "migrate.ts")];
	const child = children.launch({ name: "migrate", program: process.execPath, args, cwd: root, env });
	if ((await child.exited).code !== 0) throw children.failure(child);
}

/** Launched in order, so that they are stopped in reverse; waited for together. */
async function startServices(children: Children, run: Run, { say }: SystemOptions): Promise<void> {
	const starts = Object.entries(run.services).map(async ([name, service]) => {
		const command = nodeCommand(run, name, name, mainArguments(name));
		const { child } = await supervise(children, {
			name,
			start: async () => ({ child: children.launch(command) }),
			say,
		});
		await children.ready(child, () => answersOk(`${service.healthUrl}/ready`));
	});
	await Promise.all(starts);
}

/**
 * One of a service's programs, with its settings on top of those of the environment: an operator's own settings, PATH, proxies,
 * certificates, telemetry. The secrets of real ways to pay are for the gateway alone, and are not written to run.json.
 */
export function nodeCommand(run: Run, service: string, name: string, args: string[]): Command {
	const foreign = service === "gateway" ? {} : withoutRails(process.env);
	const env = { ...memory.settings, ...process.env, ...foreign, ...run.services[service]?.env };
	return { name, program: process.execPath, args, cwd: root, env };
}
