import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Child, Children } from "./children.ts";
import { host } from "./data-dir.ts";
import { makeServerFolder, type PostgresPlace, placePostgres } from "./postgres-place.ts";
import { clearRemains } from "./postgres-remains.ts";

export interface PostgresOptions {
	port: number;
	/** The administrator's, who is called `postgres`. Set when the cluster is made. */
	password: string;
	/** False if commits may be lost in a power cut, which makes tests faster. */
	durable: boolean;
	/** Further settings, `name=value`. */
	more?: readonly string[];
}

export interface Postgres {
	child: Child;
	adminUrl: string;
}

/**
 * Starts the PostgreSQL that came with the packages, with its cluster in `dataDir`, which no other system uses. Files that a killed server
 * left there are removed. `withinMs`: longest start; after a crash the server first replays its log.
 */
export async function startPostgres(
	children: Children,
	dataDir: string,
	options: PostgresOptions,
	withinMs?: number,
): Promise<Postgres> {
	const place = placePostgres(dataDir);
	if (existsSync(place.cluster)) await clearRemains(place.cluster);
	else await makeCluster(children, place, options);
	return await launchPostgres(children, place, options, withinMs);
}

/** Starts it on an existing cluster. `withinMs`: longest start, which is long if the cluster is recovered from a backup. */
export async function launchPostgres(
	children: Children,
	place: PostgresPlace,
	options: PostgresOptions,
	withinMs?: number,
): Promise<Postgres> {
	const child = children.launch({
		name: "postgres",
		program: join(place.software, "bin", "postgres"),
		args: ["-D", place.cluster, ...settings(options).flatMap((setting) => ["-c", setting])],
		cwd: place.cluster,
		user: place.user,
		// PostgreSQL's "fast" shutdown; SIGTERM would wait for every client to leave.
		stopSignal: "SIGINT",
	});
	await children.ready(child, () => isReady(place.cluster, child.pid), withinMs);
	return { child, adminUrl: `postgres://postgres:${options.password}@${host}:${options.port}/postgres` };
}

function settings({ port, durable, more = [] }: PostgresOptions): string[] {
	const speed = ["shared_buffers=256MB", "max_wal_size=2GB", "jit=off"];
	const careless = ["fsync=off", "full_page_writes=off", "synchronous_commit=off"];
	const place = [`listen_addresses=${host}`, `port=${port}`, "unix_socket_directories=", "max_connections=200"];
	return [...place, ...speed, ...(durable ? [] : careless), ...more];
}

/** Makes the cluster under another name and renames it, so that an interrupted start leaves no incomplete cluster. */
async function makeCluster(
	children: Children,
	place: PostgresPlace,
	{ password, durable }: PostgresOptions,
): Promise<void> {
	const draft = `${place.cluster}.new`;
	makeServerFolder(draft, place.user);
	const passwordFile = `${place.cluster}.password`;
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid);
	const initdb = children.launch({
		name: "initdb",
		program: join(place.software, "bin", "initdb"),
		// The built-in locale sorts and folds case the same on every system.
		args: [
			`--pgdata=${draft}`,
			`--pwfile=${passwordFile}`,
			...["--username=postgres", "--auth=scram-sha-256", "--encoding=UTF8"],
			...["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
			...(durable ? [] : ["--no-sync"]),
		],
		cwd: draft,
		user: place.user,
	});
	const { code } = await initdb.exited;
	rmSync(passwordFile);
	if (code !== 0) throw children.failure(initdb);
	renameSync(draft, place.cluster);
}

/** As pg_ctl does, reads the last line of postmaster.pid, as long as the file is this server's. */
function isReady(cluster: string, pid: number): boolean {
	const path = join(cluster, "postmaster.pid");
	if (!existsSync(path)) return false;
	const lines = readFileSync(path, "utf8").split("\n");
	return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}
