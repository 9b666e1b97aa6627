/** The trace of each span, as an OpenTelemetry SDK receives it. */
import { headers } from "@nats-io/transport-node";
import { SpanStatusCode } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { beforeEach, expect, test } from "vitest";
import {
	runInClientSpan,
	runInConsumerSpan,
	runInLinkedSpan,
	runInNewTrace,
	runInServerSpan,
} from "#libs/bus/trace.ts";
import { AppError } from "#libs/contract/errors.ts";
import { currentTraceparent } from "#libs/postgres/trace.ts";
import { createLogger } from "#libs/service/logger.ts";

const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
beforeEach(() => exporter.reset());

const [load, other] = ["1", "2"].map((digit) => digit.repeat(32)) as [string, string];
const traceparent = (trace: string, span: string) => `00-${trace}-${span.repeat(16)}-01`;

const done = async () => {};

function onlySpan() {
	const [span, ...more] = exporter.getFinishedSpans();
	if (span === undefined || more.length > 0) throw new Error("there is not exactly one span");
	const { traceId } = span.spanContext();
	const links = span.links.map(({ context }) => `${context.traceId[0]}:${context.spanId[0]}`);
	return { span, traceId, parent: span.parentSpanContext?.spanId, links };
}

test("events of one trace handled in one batch are part of it, and link to its other events", async () => {
	const origins = ["a", "b", "b"].map((span) => traceparent(load, span));
	await runInConsumerSpan("copy-projects", origins, done);
	const { span, traceId, parent, links } = onlySpan();
	expect({ traceId, parent, links }).toEqual({ traceId: load, parent: "a".repeat(16), links: ["1:b"] });
	expect(span.attributes["messaging.batch.message_count"]).toBe(3);
});

test("a batch of events of several traces begins a new trace that links to each", async () => {
	await runInConsumerSpan("copy-projects", [traceparent(load, "a"), traceparent(other, "c"), ""], done);
	const { traceId, parent, links } = onlySpan();
	expect([load, other]).not.toContain(traceId);
	expect({ parent, links }).toEqual({ parent: undefined, links: ["1:a", "2:c"] });
});

test("an invalid traceparent is ignored, and a new trace begins", async () => {
	await runInConsumerSpan("copy-projects", ["00-not-a-trace-01", ""], done);
	expect(onlySpan()).toMatchObject({ parent: undefined, links: [] });
});

test("of thousands of origins only as many are linked as a span allows", async () => {
	const origins = Array.from({ length: 1_000 }, (_, at) => `00-${load}-${(at + 1).toString(16).padStart(16, "0")}-01`);
	await runInLinkedSpan({ name: "compute-scores" }, origins, done);
	expect(onlySpan().links).toHaveLength(127);
});

test("a job is not part of the trace in which it is started", async () => {
	await runInNewTrace("request", () => runInNewTrace("job", done));
	const [job, request] = exporter.getFinishedSpans();
	expect(job?.parentSpanContext).toBeUndefined();
	expect(job?.spanContext().traceId).not.toBe(request?.spanContext().traceId);
});

test("a request and its reply are one trace", async () => {
	const sent = headers();
	await runInClientSpan("listProjects", sent, () => runInServerSpan("listProjects", sent, done));
	const [served, asked] = exporter.getFinishedSpans();
	expect(served?.parentSpanContext?.spanId).toBe(asked?.spanContext().spanId);
});

test.each([
	["a caller's fault", new AppError(404, "pk_secret is not here"), SpanStatusCode.UNSET, "404"],
	["something away", new AppError(503, "away"), SpanStatusCode.ERROR, "503"],
	["an error of ours", new TypeError("postgres://u:hunter2@db"), SpanStatusCode.ERROR, "TypeError"],
])("%s is shown by its type, without its message in the span", async (_, error, code, type) => {
	const failing = runInServerSpan("getProject", undefined, () => Promise.reject(error));
	await expect(failing).rejects.toBe(error);
	const { span } = onlySpan();
	expect(span).toMatchObject({ status: { code }, events: [], attributes: { "error.type": type } });
});

test("a log line within a span names its trace, one outside names none", async () => {
	const lines: string[] = [];
	const log = createLogger({ name: "test", destination: { write: (line) => void lines.push(line) } });
	let running: string | null = null;
	await runInNewTrace("job", async () => {
		running = currentTraceparent();
		log.info("inside");
	});
	log.info("outside");
	const [inside, outside] = lines.map((line) => JSON.parse(line));
	expect(`00-${inside.trace_id}-${inside.span_id}-01`).toBe(running);
	expect(outside).not.toHaveProperty("trace_id");
});
