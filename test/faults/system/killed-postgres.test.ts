/** PostgreSQL that is killed is started again by `npm run up`: whatever it has left, with all that was committed. */
import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import type { Child } from "../../../deploy/local/children.ts";
import { freePort } from "../../../deploy/local/data-dir.ts";
import { startPostgres } from "../../../deploy/local/postgres.ts";
import { placePostgres } from "../../../deploy/local/postgres-place.ts";
import { supervise } from "../../../deploy/local/supervise.ts";
import { eventually } from "../../support/eventually.ts";
import { openHome, signal } from "../../support/home.ts";

const stack = new AsyncDisposableStack();
const pids: number[] = [];
const lines: string[] = [];
let sql: Sql;
let cluster: string;
let running: () => Child | undefined;
const { directory, children } = stack.use(openHome());

beforeAll(async () => {
	const port = await freePort();
	const kept = await supervise(children, {
		name: "postgres",
		async start() {
			const started = await startPostgres(children, directory, { port, password: "test", durable: true });
			pids.push(started.child.pid);
			return started;
		},
		say: (line) => lines.push(line),
		delaysMs: [20],
	});
	cluster = placePostgres(directory).cluster;
	running = () => children.running.find(({ name }) => name === "postgres");
	sql = stack.use(connect(kept.adminUrl, { schema: "public", name: "kept", max: 3, statementTimeoutMs: 5_000 }));
	await sql`create table kept (n int)`;
});
afterAll(() => stack.disposeAsync());

/** Through the same pool all the while, as a service has it. */
const rows = () =>
	eventually(async () => (await sql<{ n: number }[]>`select n from kept order by n`).map(({ n }) => n));
const backend = async (tx: Sql = sql) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0;
const isOfCluster = (pid: number) => {
	try {
		return readlinkSync(`/proc/${pid}/cwd`) === cluster;
	} catch {
		return false;
	}
};

test("a killed session causes no restart and loses no commit", async () => {
	await sql`insert into kept values (1)`;
	const pid = await backend();
	signal(pid, "SIGKILL");
	await eventually(async () => (await backend()) !== pid);
	expect(await rows()).toEqual([1]);
	expect([pids.length, lines]).toEqual([1, []]);
});

test.skipIf(process.platform !== "linux")(
	"a killed server is restarted after its sessions have ended, and a reused process id is ignored",
	async () => {
		await using other = openHome();
		const { user } = placePostgres(directory);
		const stranger = other.children.launch({ name: "stranger", program: "sleep", args: ["600"], cwd: "/", user });
		// A person's shell in the folder is not the server's.
		const shell = other.children.launch({ name: "shell", program: "sleep", args: ["600"], cwd: cluster, user });
		const stopped: number[] = [];
		const open = sql.begin(async (tx) => {
			await tx`insert into kept values (-1)`;
			stopped.push(await backend(tx as unknown as Sql));
			signal(stopped[0] ?? 0, "SIGSTOP");
			await tx`select 1`;
		});
		open.catch(() => {});
		await eventually(() => stopped.length > 0);
		const file = join(cluster, "postmaster.pid");
		const left = readFileSync(file, "utf8");
		const last = running();
		signal(last?.pid ?? 0, "SIGKILL");
		writeFileSync(file, left.replace(/^\d+/, String(stranger.pid)));
		await expect(open).rejects.toThrow();
		expect(await rows()).toEqual([1]);
		expect(stopped.filter(isOfCluster)).toEqual([]);
		expect([stranger.exit, shell.exit]).toEqual([undefined, undefined]);
	},
);

test.skipIf(process.platform !== "linux")("a server killed before it wrote its process id is restarted", async () => {
	const last = running();
	signal(last?.pid ?? 0, "SIGKILL");
	writeFileSync(join(cluster, "postmaster.pid"), "");
	await eventually(() => running() !== undefined && running() !== last);
	expect(await rows()).toEqual([1]);
});

test("a server killed during its start is restarted", async () => {
	await sql`insert into kept values (2)`;
	const before = lines.length;
	for (const _ of [1, 2]) {
		const last = running();
		signal(last?.pid ?? 0, "SIGKILL");
		await eventually(() => running() !== undefined && running() !== last, { everyMs: 1 });
	}
	expect(await rows()).toEqual([1, 2]);
	expect(lines.slice(before)).toHaveLength(2);
	expect(lines.at(-1)).toMatch(/^postgres stopped \(SIGKILL\)[\s\S]*\nStarting postgres again in 0\.02 s\.$/);
});
