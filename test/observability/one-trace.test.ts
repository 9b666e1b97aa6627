/** One trace from a request to its statement, and one from a list that is taken in to what every service made of it. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CollectedSpan, type Collector, startCollector } from "./support/collector.ts";
import { type Observed, startObserved } from "./support/system.ts";

/** Of the operator that names developers. */
const folder = fileURLToPath(new URL("../../services/queue-ingest/sample/ercot/today/", import.meta.url));
const lists = readdirSync(folder).map((name) => folder + name);
const [internal, server, client, consumer] = [1, 2, 3, 5];
const stack = new AsyncDisposableStack();
let collector: Collector;
let system: Observed;

beforeAll(async () => {
	collector = stack.use(await startCollector());
	const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "100" };
	system = stack.use(await startObserved(settings));
	await system.program("queue-ingest", "ingest.ts", ["--region", "ERCOT", ...lists]);
}, 120_000);
afterAll(() => stack.disposeAsync());

const childOf = (parent: CollectedSpan, kind: number, service: string) => (span: CollectedSpan) =>
	span.parentSpanId === parent.spanId && span.kind === kind && span.service === service;

test("a request is one trace: the caller's, the route, the question over the bus, the operation and its statement", async () => {
	const [caller, span] = ["ab".repeat(16), "cd".repeat(8)];
	const headers = { traceparent: `00-${caller}-${span}-01`, baggage: "secret=of-a-caller" };
	const response = await fetch(`${system.url}/projects?state=TX&per_page=3`, { headers });
	expect(response.status).toBe(200);
	const route = await collector.found((one) => one.parentSpanId === span, "the route");
	expect(route).toMatchObject({ traceId: caller, service: "gateway", kind: server, name: "GET /projects" });
	expect(response.headers.get("server-timing")).toBe(`traceparent;desc="00-${caller}-${route.spanId}-01"`);
	const asked = await collector.found(childOf(route, client, "gateway"), "the question");
	expect(asked.name).toBe("listProjects");
	const served = await collector.found(childOf(asked, server, "queue-ingest"), "the operation");
	expect(served.name).toBe("listProjects");
	const statement = await collector.found(childOf(served, client, "queue-ingest"), "the statement");
	expect(statement.attributes).toMatchObject({ "db.system.name": "postgresql", "db.operation.name": "select" });
	expect(new Set(collector.trace(caller))).toEqual(new Set([route, asked, served, statement]));
});

test("a statement's text says where values go, and no value", async () => {
	const headers = { traceparent: `00-${"12".repeat(16)}-${"34".repeat(8)}-01` };
	const response = await fetch(`${system.url}/search?q=MagicWord`, { headers });
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
	const response = await fetch(`${system.url}/query`, {
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
	const response = await fetch(`${system.url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
	expect(response.status).toBe(200);
	const outer = await collector.found(({ name }) => name === "POST /mcp", "the message");
	const inner = await collector.found(({ name }) => name === "GET /stats", "the request");
	expect(inner).toMatchObject({ traceId: outer.traceId, parentSpanId: outer.spanId });
});

test("a list that is taken in is one trace to the scores of its requests and their copies in the read model", async () => {
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
	await inTrace("scoring", "keep-scored", internal);
	await inTrace("queue-ingest", "copy-scores", consumer);
	await inTrace("queue-ingest", "copy-ratings", consumer);
});

test("polls, heartbeats and probes are no traces", async () => {
	const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === "");
	const names = new Set(roots.map(({ name }) => name));
	for (const name of names)
		expect(name).toMatch(/^(ingest$|job |keep-|copy-|record-|judge-|confirm-|forget-|GET |POST )/);
});
