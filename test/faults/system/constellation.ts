/**
 * The whole system as real processes: PostgreSQL, NATS, Redis and the five services, each started again when it ends, with a link of
 * the test's own on every way between them and in front of the gateway.
 */

import { basename, join } from "node:path";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { prepareDatabase, type Role, urlOf } from "../../../deploy/engines/postgres-roles.ts";
import type { Child } from "../../../deploy/local/children.ts";
import { freePort, root } from "../../../deploy/local/data-dir.ts";
import { programOf, type Service, services } from "../../../deploy/local/services.ts";
import { openHome } from "../../support/home.ts";
import { type Engines, password, startEngines } from "./engines.ts";
import { type Link, openLink } from "./link.ts";
import { mountSmallDisk } from "./small-disk.ts";
import { startWorker, type Worker } from "./workers.ts";

export const workerNames = ["gateway", "queue-ingest", "signals", "scoring", "billing"] as const;
export type WorkerName = (typeof workerNames)[number];
export type EngineName = keyof Engines;

/** Longest that the gateway waits for an owner (ms), and an owner for a statement: each gives up before who asked it. */
export const deadlines = { requestMs: 3_000, statementMs: 2_000 };

export interface Constellation extends AsyncDisposable {
	/** The gateway, behind its link. */
	url: string;
	/** Everything that it keeps is in here. */
	directory: string;
	engines: Engines;
	/** Services beside query and subscriptions, which have no faults of their own here. */
	workers: Record<WorkerName | "query" | "subscriptions", Worker>;
	/** The link in front of the gateway. */
	front: Link;
	/** Links from a service to an engine; of all services, or to all engines, where one is left out. */
	links(from: { worker?: WorkerName; engine?: EngineName }): Link[];
	/** May look into every schema; not through a link. */
	sql: Sql;
	/** A program of a service, through its links (`ingest.ts`) or past them. Its output goes to a log. */
	run(service: WorkerName, file: string, args: string[], way?: "linked" | "direct"): Child;
	roleUrl(service: WorkerName): string;
}

export interface ConstellationOptions {
	/** Size of its own disk (MB); it uses the system's one when absent. */
	diskMb?: number;
	/** Settings beside each service's own. */
	settings?: Record<string, string>;
	/** NATS is a cluster of so many, whose addresses services get past any link (1 when absent). */
	natsNodes?: number;
}

const database = "energy";
const schemaOf = (name: string) => services.find((service) => service.name === name)?.schema;
const roles: Role[] = services.flatMap(({ schema }) => (schema === undefined ? [] : [{ name: schema, password }]));

export async function startConstellation(options: ConstellationOptions = {}): Promise<Constellation> {
	await using stack = new AsyncDisposableStack();
	const { diskMb, natsNodes = 1 } = options;
	const mount = diskMb === undefined ? undefined : (directory: string) => mountSmallDisk(directory, diskMb);
	const home = stack.use(openHome(mount));
	const { directory, children } = home;
	const peers = Array.from({ length: natsNodes - 1 }, () => stack.use(openHome()));
	const engines = await startEngines(home, peers);
	stack.defer(() => {
		for (const engine of Object.values(engines)) engine.resume();
	});
	const { adminUrl } = engines.postgres;
	await prepareDatabase(adminUrl, database, roles);
	const sql = stack.use(
		connect(urlOf(adminUrl, database), { schema: "public", name: "referee", max: 3, statementTimeoutMs: 20_000 }),
	);
	const links = await openLinks(stack, engines);
	const port = await freePort();
	const front = stack.use(await openLink(port));
	const setting = (service: Service, way: "linked" | "direct") => ({
		...environment(service, way, engines, links, port),
		USAGE_DIR: join(directory, "usage"),
	});
	let runs = 0;
	const run: Constellation["run"] = (name, file, args, way = "linked") =>
		children.launch({
			name: `${name}-${basename(file, ".ts")}-${++runs}`,
			program: process.execPath,
			args: [programOf(name, file), ...args],
			env: { ...process.env, ...setting(serviceOf(name), way) },
			cwd: root,
		});
	const migrations = services
		.filter(({ schema }) => schema !== undefined)
		.map(({ name }) => run(name as WorkerName, "migrate.ts", [], "direct"));
	for (const child of migrations) if ((await child.exited).code !== 0) throw children.failure(child);
	const started = services.map(async (service) => {
		const healthPort = await freePort();
		const env = { ...setting(service, "linked"), HEALTH_PORT: String(healthPort), ...options.settings };
		return [service.name, await startWorker(children, { name: service.name, healthPort, env })] as const;
	});
	const workers = Object.fromEntries(await Promise.all(started)) as Constellation["workers"];
	// While the links are there: a service that finds its servers gone waits for them before it ends.
	stack.defer(() => children.close());
	stack.defer(() => {
		for (const one of [...Object.values(engines), ...Object.values(workers)]) one.resume();
	});
	const owned = stack.move();
	return {
		url: `http://127.0.0.1:${front.port}`,
		directory,
		engines,
		workers,
		front,
		links: ({ worker, engine }) =>
			links
				.filter((one) => (worker ?? one.worker) === one.worker && (engine ?? one.engine) === one.engine)
				.map(({ link }) => link),
		sql,
		run,
		roleUrl: (name) => urlOf(adminUrl, database, roleOf(name)),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

interface NamedLink {
	worker: WorkerName;
	engine: EngineName;
	link: Link;
}

async function openLinks(stack: AsyncDisposableStack, engines: Engines): Promise<NamedLink[]> {
	const ways = workerNames.flatMap((worker) =>
		([schemaOf(worker) === undefined ? "redis" : "postgres", "nats"] as const).map((engine) => ({ worker, engine })),
	);
	return await Promise.all(
		ways.map(async (way) => ({ ...way, link: stack.use(await openLink(engines[way.engine].port)) })),
	);
}

function serviceOf(name: WorkerName): Service {
	const found = services.find((service) => service.name === name);
	if (found === undefined) throw new Error(`there is no service ${name}`);
	return found;
}

function roleOf(name: WorkerName): Role {
	const role = roles.find((one) => one.name === schemaOf(name));
	if (role === undefined) throw new Error(`${name} stores nothing`);
	return role;
}

function environment(
	service: Service,
	way: "linked" | "direct",
	engines: Engines,
	links: NamedLink[],
	port: number,
): Record<string, string> {
	const portOf = (engine: EngineName) =>
		(way === "linked" && links.find((one) => one.worker === service.name && one.engine === engine)?.link.port) ||
		engines[engine].port;
	const at = new URL(engines.postgres.adminUrl);
	at.port = String(portOf("postgres"));
	const { schema } = service;
	return {
		HOST: "127.0.0.1",
		HEALTH_HOST: "127.0.0.1",
		LOG_LEVEL: "info",
		// Five processes start at once: from compiled code, in half the time.
		NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"),
		...(engines.nats.url.includes(",")
			? { NATS_URL: engines.nats.url, STREAM_REPLICAS: "3" }
			: { NATS_URL: `nats://127.0.0.1:${portOf("nats")}` }),
		NATS_USER: service.name,
		NATS_PASSWORD: password,
		...(schema !== undefined && {
			POSTGRES_URL: urlOf(at.href, database, roleOf(service.name as WorkerName)),
			STATEMENT_TIMEOUT_MS: String(deadlines.statementMs),
		}),
		...(service.name === "gateway" && {
			PORT: String(port),
			REDIS_URL: `redis://gateway:${password}@127.0.0.1:${portOf("redis")}`,
			REQUEST_TIMEOUT_MS: String(deadlines.requestMs),
			REGISTRATIONS_PER_HOUR: "1000",
		}),
		REFRESH_SOURCES: "false",
	};
}
