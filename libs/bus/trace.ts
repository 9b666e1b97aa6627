/** Spans of messages, and of work without a request. They do nothing if the process has not loaded an OpenTelemetry SDK. */
import type { MsgHdrs } from "@nats-io/transport-node";
import {
	type Attributes,
	type Context,
	context,
	isSpanContextValid,
	propagation,
	ROOT_CONTEXT,
	type Span,
	type SpanContext,
	SpanKind,
	SpanStatusCode,
	trace,
} from "@opentelemetry/api";
import { AppError } from "#libs/contract/errors.ts";

const tracer = trace.getTracer("bus");

/** Maximum links of a span: OpenTelemetry's default limit. */
export const maxLinks = 128;

const writer = { set: (carrier: MsgHdrs, key: string, value: string) => carrier.set(key, value) };
const reader = {
	get: (carrier: MsgHdrs | undefined, key: string) => carrier?.get(key) || undefined,
	keys: (carrier: MsgHdrs | undefined) => carrier?.keys() ?? [],
};

/** Runs `work` in a client span whose context is written into `headers`. */
export function runInClientSpan<T>(name: string, headers: MsgHdrs, work: () => Promise<T>): Promise<T> {
	return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT, attributes: overNats }, (span) => {
		propagation.inject(context.active(), headers, writer);
		return runInSpan(span, work);
	});
}

/** Runs `work` in a server span that continues the trace in the request's `headers`. */
export function runInServerSpan<T>(name: string, headers: MsgHdrs | undefined, work: () => Promise<T>): Promise<T> {
	const parent = propagation.extract(ROOT_CONTEXT, headers, reader);
	const options = { kind: SpanKind.SERVER, attributes: overNats };
	return tracer.startActiveSpan(name, options, parent, (span) => runInSpan(span, work));
}

/** Runs `work` in the span of a batch of events. `origins`: the `traceparent` of each, or an empty text. */
export function runInConsumerSpan<T>(name: string, origins: readonly string[], work: () => Promise<T>): Promise<T> {
	const attributes = { ...overNats, "messaging.batch.message_count": origins.length };
	return runInLinkedSpan({ name, kind: SpanKind.CONSUMER, attributes }, origins, work);
}

export interface LinkedSpan {
	name: string;
	kind?: SpanKind;
	attributes?: Attributes;
}

/**
 * Runs `work` in a span that continues the traces in `origins` (each a `traceparent`, or an empty text). If all belong to one trace, the span
 * is a child of the first and links to the others; otherwise it begins a new trace and links to all.
 */
export function runInLinkedSpan<T>(
	{ name, kind = SpanKind.INTERNAL, attributes = {} }: LinkedSpan,
	origins: Iterable<string>,
	work: () => Promise<T>,
): Promise<T> {
	const contexts = [...new Set(origins)].slice(0, maxLinks).flatMap(contextOf);
	const [first] = contexts;
	const isOneTrace = first !== undefined && contexts.every(({ traceId }) => traceId === first.traceId);
	const parent: Context = isOneTrace ? trace.setSpanContext(ROOT_CONTEXT, first) : ROOT_CONTEXT;
	const links = contexts.slice(isOneTrace ? 1 : 0).map((linked) => ({ context: linked }));
	return tracer.startActiveSpan(name, { kind, attributes, links }, parent, (span) => runInSpan(span, work));
}

/** Runs `work` in a span without a parent. */
export const runInNewTrace = <T>(name: string, work: () => Promise<T>): Promise<T> =>
	runInLinkedSpan({ name }, [], work);

function contextOf(traceparent: string): SpanContext[] {
	if (traceparent === "") return [];
	const spanContext = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
	return spanContext !== undefined && isSpanContextValid(spanContext) ? [spanContext] : [];
}

const overNats: Attributes = { "messaging.system": "nats" };

async function runInSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		recordFailure(span, error);
		throw error;
	} finally {
		span.end();
	}
}

/** A caller's errors are not failures. The message is omitted, because it can contain a secret; the log has it under the same trace. */
function recordFailure(span: Span, error: unknown): void {
	const status = error instanceof AppError ? error.status : 500;
	span.setAttribute("error.type", error instanceof AppError ? String(status) : errorName(error));
	if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
