/** PostgreSQL twice: a primary, and a standby that streams from it, made by the low-level backup (the packages bring no pg_basebackup). */
import { spawnSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { prepareDatabase, urlOf } from "../../../deploy/engines/postgres-roles.ts";
import type { Child, Children } from "../../../deploy/local/children.ts";
import { freePort, host } from "../../../deploy/local/data-dir.ts";
import { startPostgres } from "../../../deploy/local/postgres.ts";
import { makeServerFolder, placePostgres } from "../../../deploy/local/postgres-place.ts";
import { programOf, services } from "../../../deploy/local/services.ts";
import { type MortalServer, mortal } from "../../bus/servers.ts";
import { eventually } from "../../support/eventually.ts";
import { password, roles } from "../../support/servers.ts";

export interface Replicated extends AsyncDisposable {
	primary: MortalServer;
	standby: MortalServer;
	/** The database at the primary, and the same at the standby, as a service's role or as the administrator. */
	urlOf(service?: string): string;
	readUrlOf(service?: string): string;
	/** Connections of the administrator. */
	admin: Sql;
	adminOfStandby: Sql;
	/** Resolves when the standby has replayed all that has been committed. */
	caughtUp(): Promise<void>;
}

const database = "energy";

/** A primary with every schema migrated and no rows. */
export async function startReplicated(): Promise<Replicated> {
	await using stack = new AsyncDisposableStack();
	const ports = { primary: await freePort(), standby: await freePort() };
	const options = { port: ports.primary, password, durable: false };
	const primary = stack.use(
		await mortal(async (children, directory) => {
			const { child, adminUrl } = await startPostgres(children, directory, options);
			return { child, url: adminUrl };
		}),
	);
	const at = (port: number) => `postgres://postgres:${password}@${host}:${port}/postgres`;
	await prepareDatabase(at(ports.primary), database, roles);
	const urlAt = (port: number) => (service?: string) => urlOf(at(port), database, roleOf(service));
	const [here, there] = [urlAt(ports.primary), urlAt(ports.standby)];
	await migrateAll(here);
	const standby = stack.use(
		await mortal(async (children, directory) => {
			const child = await startStandby(children, directory, primary.directory, ports);
			return { child, url: at(ports.standby) };
		}),
	);
	const admin = stack.use(connect(here(), { schema: "public", name: "tests", max: 2 }));
	const adminOfStandby = stack.use(connect(there(), { schema: "public", name: "tests", max: 2 }));
	const owned = stack.move();
	return {
		primary,
		standby,
		urlOf: here,
		readUrlOf: there,
		admin,
		adminOfStandby,
		async caughtUp() {
			const [row] = await admin<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`;
			await eventually(async () => {
				const [found] = await adminOfStandby<{ there: boolean }[]>`
					select pg_last_wal_replay_lsn() >= ${row?.lsn ?? ""}::pg_lsn as there`;
				return found?.there;
			});
		},
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

function roleOf(service: string | undefined) {
	if (service === undefined) return undefined;
	const role = roles.find(({ name }) => name === service.replaceAll("-", "_"));
	if (role === undefined) throw new Error(`${service} stores nothing`);
	return role;
}

async function startStandby(
	children: Children,
	directory: string,
	primaryDirectory: string,
	ports: { primary: number; standby: number },
): Promise<Child> {
	const place = placePostgres(directory);
	if (!existsSync(place.cluster)) await backUp(placePostgres(primaryDirectory).cluster, directory, ports.primary);
	const conninfo = `host=${host} port=${ports.primary} user=postgres password=${password} application_name=standby`;
	const settings = [
		...[`listen_addresses=${host}`, `port=${ports.standby}`, "unix_socket_directories=", "max_connections=200"],
		...["shared_buffers=64MB", "fsync=off", "hot_standby=on", `primary_conninfo=${conninfo}`],
		// A test waits for a conflict between replay and a reader, and not for long.
		...["max_standby_streaming_delay=200ms", "wal_retrieve_retry_interval=100ms"],
	];
	const child = children.launch({
		name: "postgres",
		program: join(place.software, "bin", "postgres"),
		args: ["-D", place.cluster, ...settings.flatMap((setting) => ["-c", setting])],
		cwd: place.cluster,
		user: place.user,
		stopSignal: "SIGINT",
	});
	await children.ready(child, () => takesReaders(place.cluster, child.pid));
	return child;
}

/** A base backup as pg_basebackup makes one: the files as they are meanwhile, and the label that says from where to replay. */
async function backUp(primaryCluster: string, directory: string, port: number): Promise<void> {
	const { cluster, user } = placePostgres(directory);
	makeServerFolder(cluster, user);
	// The backup belongs to one session.
	const url = `postgres://postgres:${password}@${host}:${port}/postgres`;
	await using sql = connect(url, { schema: "public", name: "backup", max: 1, statementTimeoutMs: 0 });
	await sql`select pg_backup_start('standby', true)`;
	// Run by the server's user, who has to own the files.
	const copied = spawnSync("cp", ["-R", `${primaryCluster}/.`, cluster], { ...user, cwd: "/", encoding: "utf8" });
	// Files that disappear meanwhile are not needed: the log has what became of them.
	const wrong = copied.stderr.split("\n").filter((line) => line !== "" && !line.includes("No such file"));
	if (wrong.length > 0) throw new Error(`the base backup failed: ${wrong.join("\n")}`);
	const [stopped] = await sql<{ labelfile: string }[]>`select labelfile from pg_backup_stop(false)`;
	for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(cluster, name), { force: true });
	for (const [name, text] of [
		["backup_label", stopped?.labelfile ?? ""],
		["standby.signal", ""],
	] as const) {
		const path = join(cluster, name);
		writeFileSync(path, text, { mode: 0o600 });
		if (user !== undefined) chownSync(path, user.uid, user.gid);
	}
}

/** The last line but one of the file is `standby` while the server replays and accepts readers. */
function takesReaders(cluster: string, pid: number): boolean {
	const path = join(cluster, "postmaster.pid");
	if (!existsSync(path)) return false;
	const lines = readFileSync(path, "utf8").split("\n");
	return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}

async function migrateAll(urlOf: (service: string) => string): Promise<void> {
	for (const { name, schema } of services) {
		if (schema === undefined) continue;
		const { migrate } = await import(pathToFileURL(programOf(name, "migrate.ts")).href);
		await migrate(urlOf(name));
	}
}
