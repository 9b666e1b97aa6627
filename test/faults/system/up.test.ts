/** `npm run up`, whose servers and services are killed one after the other and at once, and which is then asked to stop. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { freePort, root, secret } from "../../../deploy/local/data-dir.ts";
import { removePlace } from "../../../deploy/local/postgres-place.ts";
import { isRunning } from "../../../deploy/local/postgres-remains.ts";
import { type Run, readRun } from "../../../deploy/local/run-file.ts";
import { eventually } from "../../support/eventually.ts";
import { openHome, signal } from "../../support/home.ts";
import { issueKeys } from "./trial.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const stack = new AsyncDisposableStack();
const { directory, children } = stack.use(openHome());
/** Locked by the program itself. */
const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-")));
let url: string;
let sql: Sql;
let key: string;

beforeAll(async () => {
	stack.defer(() => {
		removePlace(dataDir);
		rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
	});
	const port = await freePort();
	const cache = join(root, "node_modules", ".cache", "node");
	const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port), NODE_COMPILE_CACHE: cache };
	const program = join(root, "deploy", "local", "up.ts");
	const up = children.launch({ name: "up", program: process.execPath, args: [program], cwd: root, env });
	stack.defer(() => up.stop());
	await children.ready(up, () => printed().includes("Ctrl-C stops everything."), 80_000);
	url = run().url;
	const adminUrl = `postgres://postgres:${secret(dataDir, "postgres")}@127.0.0.1:${run().servers.postgres?.port}/energy`;
	sql = stack.use(connect(adminUrl, { schema: "public", name: "referee", max: 2, statementTimeoutMs: 20_000 }));
	const roleUrl = () => run().services.billing?.env.POSTGRES_URL ?? "";
	key = (await issueKeys({ url, roleUrl })).unlimited;
});
afterAll(() => stack.disposeAsync());

const printed = () => readFileSync(join(directory, "logs", "up.log"), "utf8");

function run(): Run {
	const found = readRun(dataDir);
	if (found === undefined) throw new Error("nothing runs");
	return found;
}

/** The recorded process id; 0 while it does not run. */
function pidOf(name: string): number {
	const path = join(dataDir, "pids", `${name}.json`);
	return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { pid: number }).pid : 0;
}

function kill(...names: string[]): void {
	for (const name of names) signal(pidOf(name), "SIGKILL");
}

let requests = 0;
let answered = 0;
/** Reads past the gateway's cache. */
async function read(path: string) {
	const response = await fetch(`${url}${path}&capacity_min=${++requests / 1_000_000}`, {
		headers: { "x-api-key": key },
	});
	const body = (await response.json()) as { meta?: { total: number }; detail?: string };
	if (response.status === 200) answered++;
	return { status: response.status, retryAfter: response.headers.get("retry-after"), ...body };
}

const totals = () =>
	Promise.all(
		["/projects?per_page=1", "/investable?per_page=1"].map(async (path) => {
			const { status, meta } = await read(path);
			expect([path, status]).toEqual([path, 200]);
			return meta?.total ?? 0;
		}),
	);

test("a service that is killed while it works on a request is noticed, and is there again", async () => {
	const answer = await sql.begin(async (tx) => {
		await tx`lock table queue_ingest.projects in access exclusive mode`;
		const waiting = read("/projects?per_page=1");
		await eventually(async () => {
			const waits = await tx`
				select from pg_locks where not granted and relation = 'queue_ingest.projects'::regclass`;
			return waits.count > 0;
		});
		kill("queue-ingest");
		const killedAt = performance.now();
		const answer = await waiting;
		console.info(`answered ${Math.round(performance.now() - killedAt)} ms after the kill`);
		return answer;
	});
	// A request that took its whole time would be reported as a timeout.
	expect(answer).toMatchObject({ status: 503, retryAfter: "1", detail: expect.stringMatching(/is not available\.$/) });
	await eventually(totals, { withinMs: 30_000, everyMs: 100 });
});

test("PostgreSQL, NATS and a service that are killed at once are there again, with all that they had, and every answer was counted", async () => {
	const before = await totals();
	expect(Math.min(...before)).toBeGreaterThan(5);
	const killed = ["postgres", "nats", "scoring"];
	const last = new Map(killed.map((name) => [name, pidOf(name)]));
	kill(...killed);
	const killedAt = performance.now();
	await eventually(() => killed.every((name) => ![0, last.get(name)].includes(pidOf(name))), { withinMs: 30_000 });
	const after = await eventually(totals, { withinMs: 60_000, everyMs: 100 });
	console.info(`answers again after ${Math.round(performance.now() - killedAt)} ms`);
	expect(after).toEqual(before);
	const counted = async () => {
		const rows = await sql`select from billing.usage where account_id is not null and status = 200`;
		expect(rows.count).toBe(answered);
		return true;
	};
	await eventually(counted, { withinMs: 30_000, everyMs: 100 });
});

test("asked to stop while it waits to start a server again, it stops everything", async () => {
	const pids = Object.keys({ ...run().servers, ...run().services }).map(pidOf);
	const lines = printed().length;
	kill("postgres");
	await eventually(() => printed().slice(lines).includes("Starting postgres again in"));
	const [up] = children.running;
	signal(up?.pid ?? 0, "SIGINT");
	expect(await up?.exited).toEqual({ code: 0, signal: null });
	expect(printed().slice(lines)).toMatch(/Stopping\.\.\.\n$/);
	expect(pids.filter(isRunning)).toEqual([]);
	expect(readdirSync(join(dataDir, "pids"))).toEqual([]);
});
