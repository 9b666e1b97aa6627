/**
 * `npm run up`: every process at /metrics (names, units, bounded labels, and values that move as they should), its log, and its traces, from a
 * request to its statement and from an ingested list to what every service made of it. Then servers and services are killed, one after the
 * other and at once, and the program is asked to stop.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { freePort, root, secret } from "../../../deploy/local/data-dir.ts";
import { removePlace } from "../../../deploy/local/postgres-place.ts";
import { isRunning } from "../../../deploy/local/postgres-remains.ts";
import { type Run, readRun } from "../../../deploy/local/run-file.ts";
import { programOf } from "../../../deploy/local/services.ts";
import { nodeCommand } from "../../../deploy/local/system.ts";
import { httpOperations } from "../../../services/gateway/registry/bindings.ts";
import { ask, walk } from "../../api/support/walk.ts";
import { type CollectedSpan, type Collector, startCollector } from "../../observability/support/collector.ts";
import { type Exposition, expressions, metricsIn, readExposition } from "../../observability/support/exposition.ts";
import { eventually } from "../../support/eventually.ts";
import { openHome, signal } from "../../support/home.ts";
import { issueKeys } from "./trial.ts";

vi.setConfig({ hookTimeout: 240_000 });

const [internal, server, client, consumer] = [1, 2, 3, 5];
const stack = new AsyncDisposableStack();
const { directory, children } = stack.use(openHome());
/** Locked by the program itself. */
const dataDir = realpathSync(mkdtempSync(join(tmpdir(), "energy-test-")));
let collector: Collector;
let url: string;
let sql: Sql;
let key: string;

beforeAll(async () => {
	stack.defer(() => {
		removePlace(dataDir);
		rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
	});
	collector = stack.use(await startCollector());
	const port = await freePort();
	const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" };
	const env = { ...process.env, ...traces, DATA_DIR: dataDir, PORT: String(port) };
	const program = join(root, "deploy", "local", "up.ts");
	const up = children.launch({ name: "up", program: process.execPath, args: [program], cwd: root, env });
	stack.defer(() => up.stop());
	await children.ready(up, () => printed().includes("Ctrl-C stops everything."), 180_000);
	url = run().url;
	const adminUrl = `postgres://postgres:${secret(dataDir, "postgres")}@127.0.0.1:${run().servers.postgres?.port}/energy`;
	sql = stack.use(connect(adminUrl, { schema: "public", name: "referee", max: 2, statementTimeoutMs: 20_000 }));
	const roleUrl = () => run().services.billing?.env.POSTGRES_URL ?? "";
	key = (await issueKeys({ url, roleUrl })).unlimited;
	await eventually(isSettled, { withinMs: 60_000, everyMs: 250 });
});
afterAll(() => stack.disposeAsync());

const printed = () => readFileSync(join(directory, "logs", "up.log"), "utf8");

function run(): Run {
	const found = readRun(dataDir);
	if (found === undefined) throw new Error("nothing runs");
	return found;
}

/** Whether every event has had its effect. */
async function isSettled(): Promise<boolean> {
	for (const service of ["queue-ingest", "scoring", "signals"]) {
		const shown = await metrics(service);
		const lags = shown.samples.filter(({ name }) => name === "bus_consumer_lag_events");
		if (lags.length === 0 || lags.some(({ value }) => value > 0)) return false;
		if (shown.value("outbox_pending") !== 0) return false;
	}
	return (await metrics("scoring")).value("recompute_pending") === 0;
}

const services = () => Object.keys(run().services);
const metricsText = async (service: string) => (await fetch(`${run().services[service]?.healthUrl}/metrics`)).text();
const metrics = async (service: string): Promise<Exposition> => readExposition(await metricsText(service));
const sqlOf = (service: string): Sql =>
	stack.use(
		connect(run().services[service]?.env.POSTGRES_URL ?? "", {
			...{ schema: service.replace("-", "_"), name: "test", max: 1 },
		}),
	);

const childOf = (parent: CollectedSpan, kind: number, service: string) => (span: CollectedSpan) =>
	span.parentSpanId === parent.spanId && span.kind === kind && span.service === service;

interface LogLine {
	/** Levels of pino: 30 info, 40 warn, 50 error. */
	level: number;
	service: string;
}

/** Lines of all services, each of which must be JSON. Links that would be mailed are in the log where no mail server is set. */
const lines = () => services().flatMap(linesOf);
const linesOf = (service: string): LogLine[] =>
	readFileSync(join(dataDir, "logs", `${service}.log`), "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => ({ ...(JSON.parse(line) as LogLine), service }))
		.filter((line) => !("mail" in line));

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

test("a request is one trace: the caller's span, the route, the bus request, the operation and its statement", async () => {
	const [caller, span] = ["ab".repeat(16), "cd".repeat(8)];
	const headers = { traceparent: `00-${caller}-${span}-01`, baggage: "secret=of-a-caller" };
	const response = await fetch(`${url}/projects?state=TX&per_page=3`, { headers });
	expect(response.status).toBe(200);
	const route = await collector.found((one) => one.parentSpanId === span, "the route");
	expect(route).toMatchObject({ traceId: caller, service: "gateway", kind: server, name: "GET /projects" });
	expect(response.headers.get("server-timing")).toBe(`traceparent;desc="00-${caller}-${route.spanId}-01"`);
	const question = await collector.found(childOf(route, client, "gateway"), "the question");
	expect(question.name).toBe("listProjects");
	const served = await collector.found(childOf(question, server, "queue-ingest"), "the operation");
	expect(served.name).toBe("listProjects");
	const statement = await collector.found(childOf(served, client, "queue-ingest"), "the statement");
	expect(statement.attributes).toMatchObject({ "db.system.name": "postgresql", "db.operation.name": "select" });
	expect(new Set(collector.trace(caller))).toEqual(new Set([route, question, served, statement]));
});

test("a statement's text contains placeholders instead of values", async () => {
	const headers = { traceparent: `00-${"12".repeat(16)}-${"34".repeat(8)}-01` };
	const response = await fetch(`${url}/search?q=MagicWord`, { headers });
	expect(response.status).toBe(200);
	const inTrace = (isIt: (span: CollectedSpan) => boolean, what: string) =>
		collector.found((span) => span.traceId === "12".repeat(16) && isIt(span), what);
	const statement = await inTrace(({ attributes }) => "db.query.text" in attributes, "the statement");
	expect(statement.attributes["db.query.text"]).toMatch(/\$1/);
	await inTrace(({ name }) => name === "GET /search", "the route");
	expect(JSON.stringify(collector.spans)).not.toContain("MagicWord");
});

test("SQL of callers is in no span", async () => {
	const body = JSON.stringify({ sql: "select 'MyOwnWords' as words from projects limit 1" });
	const response = await fetch(`${url}/query`, {
		method: "POST",
		body,
		headers: { "content-type": "application/json" },
	});
	expect(response.status).toBe(200);
	const route = await collector.found(({ name }) => name === "POST /query", "the query");
	await collector.found(
		(span) => span.traceId === route.traceId && span.name === "runStatement" && span.service === "query",
		"its end",
	);
	expect(JSON.stringify(collector.spans)).not.toContain("MyOwnWords");
});

test("a call of an MCP tool is one trace: the message, the request that it becomes, and the operation", async () => {
	const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_stats", arguments: {} } };
	const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
	const response = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
	expect(response.status).toBe(200);
	const outer = await collector.found(({ name }) => name === "POST /mcp", "the message");
	const inner = await collector.found(({ name }) => name === "GET /stats", "the request");
	expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId });
});

test("the ingest of a list is one trace up to the scores of its requests and their copies in the read model", async () => {
	const load = await collector.found(
		({ name, service, parentSpanId }) => name === "ingest" && service === "queue-ingest" && !parentSpanId,
		"the load",
	);
	const inTrace = (service: string, name: string, kind: number) =>
		collector.found(
			(span) => span.traceId === load.traceId && span.service === service && span.name === name && span.kind === kind,
			`${name} of ${service} in the trace of the load`,
		);
	await inTrace("queue-ingest", "commit", client);
	await inTrace("signals", "copy-projects", consumer);
	await inTrace("signals", "copy-developers", consumer);
	const copied = await inTrace("scoring", "copy-projects", consumer);
	await collector.found(childOf(copied, client, "scoring"), "a statement of the copy");
	await inTrace("scoring", "compute-scores", internal);
	await inTrace("queue-ingest", "copy-scores", consumer);
	await inTrace("queue-ingest", "copy-ratings", consumer);
});

test("polls, heartbeats and probes create no traces", async () => {
	const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "");
	const names = new Set(roots.map(({ name }) => name));
	for (const name of names)
		expect(name).toMatch(/^(ingest$|job |compute-|match-|copy-|record-|judge-|confirm-|forget-|send-|GET |POST )/);
});

test("in normal operation no warning is logged, and no line per request", { timeout: 120_000 }, async () => {
	const before = lines().length;
	let requests = 0;
	for (let round = 0; round < 2; round++)
		for (const step of walk) {
			const response = await ask(url, step, { query: round === 0 ? {} : { unknown: "parameter" } });
			await response.arrayBuffer();
			requests++;
		}
	expect(requests).toBeGreaterThan(100);
	const all = lines();
	for (const line of all)
		expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number), name: line.service });
	expect(all.filter(({ level }) => level >= 40)).toEqual([]);
	expect(all.slice(before)).toEqual([]);
	for (const service of services()) expect(linesOf(service).length).toBeLessThanOrEqual(8);
});

test("metric names contain their units, and labels are few", async () => {
	// Each operation has the statuses that callers get in a run; a label that callers choose would have many more.
	const maxSeries = 4 * httpOperations().length;
	for (const service of services()) {
		const { types, samples } = await metrics(service);
		const own = [...types].filter(([name]) => !/^(nodejs|process)_/.test(name));
		expect(own.length).toBeGreaterThan(10);
		for (const [name, type] of own) {
			expect(name).toMatch(/^[a-z][a-z_]+[a-z]$/);
			expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
			if (type === "histogram") expect(name).toMatch(/_seconds$/);
			expect(name).not.toMatch(/_(ms|millis|minutes|hours|kb|mb)$/);
		}
		expect(Object.keys(Object.groupBy(samples, ({ name }) => name)).length).toBeLessThan(200);
		for (const [name, group = []] of Object.entries(Object.groupBy(samples, (one) => one.name)))
			if (!name.endsWith("_bucket")) expect([name, group.length < maxSeries]).toEqual([name, true]);
	}
});

test("every metric of the alerts and the dashboard is exported by a process", async () => {
	const shown = new Set<string>();
	for (const service of services()) {
		const { types, samples } = await metrics(service);
		for (const name of [...types.keys(), ...samples.map((sample) => sample.name)]) shown.add(name);
	}
	for (const [name] of (await metrics("gateway")).types) shown.add(`${name}_bucket`).add(`${name}_count`);
	for (const [name] of (await metrics("scoring")).types) shown.add(`${name}_bucket`).add(`${name}_count`);
	// Prometheus' own, node_exporter's and the kubelet's.
	for (const name of ["up", "node_filesystem_avail_bytes", "node_filesystem_size_bytes"]) shown.add(name);
	for (const what of ["available", "capacity"]) shown.add(`kubelet_volume_stats_${what}_bytes`);
	const named = new Set(expressions().flatMap(metricsIn));
	expect(named.size).toBeGreaterThan(30);
	expect([...named].filter((name) => !shown.has(name))).toEqual([]);
});

test("requests are counted by operation and status, and invented paths as one", async () => {
	const count = async (operation: string, status: number) =>
		(await metrics("gateway")).value("http_requests_total", { operation, status: String(status) }) ?? 0;
	const before = [await count("listProjects", 200), await count("listProjects", 422), await count("unknown", 404)];
	for (let at = 0; at < 20; at++) await (await fetch(`${url}/made-up/${at}`)).text();
	for (const query of ["per_page=1", "per_page=2", "per_page=0"])
		await (await fetch(`${url}/projects?${query}`)).text();
	await eventually(async () => {
		const now = [await count("listProjects", 200), await count("listProjects", 422), await count("unknown", 404)];
		expect(now.map((value, at) => value - (before[at] ?? 0))).toEqual([2, 1, 20]);
		return true;
	});
	expect(await metricsText("gateway")).not.toContain("made-up");
	expect((await metrics("gateway")).value("http_in_flight")).toBe(0);
});

test("an internal error is counted at the gateway and at its owner", async () => {
	const sql = sqlOf("queue-ingest");
	await sql`alter table changes rename to gone`;
	try {
		expect((await fetch(`${url}/changes?per_page=7`)).status).toBe(500);
	} finally {
		await sql`alter table gone rename to changes`;
	}
	const labels = { operation: "listChanges", status: "500" };
	await eventually(async () => (await metrics("gateway")).value("http_requests_total", labels) === 1);
	expect((await metrics("queue-ingest")).value("bus_serve_seconds_count", labels)).toBe(1);
});

test("a blocked consumer shows its lag until it has caught up", async () => {
	const lag = async () =>
		(await metrics("scoring")).value("bus_consumer_lag_events", { durable: "scoring-copy-projects" });
	const holder = sqlOf("scoring");
	await holder.begin(async (tx) => {
		await tx`select pg_advisory_xact_lock(hashtextextended(current_schema() || ':copy', 0))`;
		const args = [programOf("queue-ingest", "admin/republish.ts"), "project.changed"];
		const { exited } = children.launch(nodeCommand(run(), "queue-ingest", "republish", args));
		expect(await exited).toMatchObject({ code: 0 });
		await eventually(async () => ((await lag()) ?? 0) > 0);
	});
	await eventually(async () => (await lag()) === 0, { withinMs: 20_000 });
});

test("the outbox shows its size and age, and an unresponsive database delays no scrape", async () => {
	const sql = sqlOf("billing");
	const shown = async () => {
		const { value } = await metrics("billing");
		return { pending: value("outbox_pending"), oldest: value("outbox_oldest_seconds") };
	};
	const becomes = (expected: object) =>
		eventually(
			async () => {
				expect(await shown()).toEqual(expected);
				return true;
			},
			{ withinMs: 20_000 },
		);
	process.kill(pidOf("nats"), "SIGSTOP");
	try {
		await sql`
			insert into outbox (event_id, subject, payload, created_at)
			values ('test:1', 'event.billing.key.changed', '{}', now() - interval '1 hour')`;
		await becomes({ pending: 1, oldest: expect.closeTo(3_600, -2) });
		expect((await metrics("billing")).value("bus_consumer_lag_events")).toBeUndefined();
	} finally {
		process.kill(pidOf("nats"), "SIGCONT");
	}
	await becomes({ pending: 0, oldest: 0 });
	await sql.begin(async (tx) => {
		await tx`lock table outbox in access exclusive mode`;
		await becomes({ pending: undefined, oldest: undefined });
	});
	await becomes({ pending: 0, oldest: 0 });
});

test("dead letters are shown until they are resolved; sources show their age", async () => {
	const sql = sqlOf("signals");
	const dead = async () => (await metrics("signals")).value("dead_letters", { schema: "signals", reaction: "test" });
	await sql`insert into dead_letters (reaction, subject, payload, reason) values ('test', 's', '{}', 'why')`;
	await eventually(async () => (await dead()) === 1);
	await sql`delete from dead_letters`;
	await eventually(async () => (await dead()) === undefined);
	await sqlOf("queue-ingest")`update feeds set last_success_at = now() - interval '1 hour' where feed = 'ercot'`;
	const { value } = await metrics("queue-ingest");
	// Ages are rounded to hundredths of an hour.
	expect(Math.round((value("source_age_seconds", { source: "ercot" }) ?? 0) / 60)).toBe(60);
	expect(value("source_age_seconds", { source: "spp-summary" })).toBeUndefined();
	expect(value("source_max_age_seconds", { source: "spp-summary" })).toBeGreaterThan(0);
	expect(value("health_check_passing", { check: "postgres" })).toBe(1);
	expect(value("bus_relay_active", { schema: "queue_ingest" })).toBe(1);
	expect(value("postgres_pool_connections", { pool: "queue-ingest", state: "most" })).toBe(10);
});

test("a service killed during a request is detected and restarted", async () => {
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
	expect(answer).toMatchObject({ status: 503, retryAfter: "1", detail: expect.stringMatching(/is not available$/) });
	await eventually(totals, { withinMs: 30_000, everyMs: 100 });
});

test("PostgreSQL, NATS and a service killed together are restarted with all their data, and every response was counted", async () => {
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

test("a stop request during the wait for a restart stops everything", async () => {
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
