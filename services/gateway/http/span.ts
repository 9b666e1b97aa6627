/** Spans of HTTP requests. A span ends with the response; for a stream, with its first chunk. */
import {
	type Context,
	context,
	isSpanContextValid,
	propagation,
	ROOT_CONTEXT,
	type Span,
	SpanKind,
	SpanStatusCode,
	trace,
} from "@opentelemetry/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#libs/contract/errors.ts";
import type { HttpOperation } from "../registry/bindings.ts";

const tracer = trace.getTracer("gateway");

export type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Traces of requests, for log lines that are written after the span has ended. */
const traces = new WeakMap<FastifyRequest, { trace_id: string; span_id: string }>();

export const traceOf = (request: FastifyRequest): { trace_id: string; span_id: string } | undefined =>
	traces.get(request);

/**
 * Wraps a handler in a span that continues the caller's trace (W3C Trace Context); the response states the trace in `Server-Timing`. Takes
 * almost no time without an OpenTelemetry SDK in the process.
 */
export function inSpan(method: string, path: string, handle: Handle): Handle {
	const attributes = { "http.request.method": method, "http.route": path };
	return (request, reply) => {
		const options = { kind: SpanKind.SERVER, attributes };
		return tracer.startActiveSpan(`${method} ${path}`, options, parentOf(request), async (span) => {
			let status = 500;
			try {
				exposeTrace(span, request, reply);
				const result = await handle(request, reply);
				status = reply.statusCode;
				return result;
			} catch (error) {
				if (error instanceof AppError) status = error.status;
				// The message is not recorded, because it can contain a secret. It is in the log, with the same trace.
				else span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
				throw error;
			} finally {
				end(span, status);
			}
		});
	};
}

/** The span of a call within the span of an MCP message. */
export function inCallSpan<T extends { status: number }>(
	{ http }: HttpOperation,
	id: string,
	work: () => Promise<T>,
): Promise<T> {
	const attributes = { "http.request.method": http.method, "http.route": http.path };
	return tracer.startActiveSpan(`${http.method} ${http.path}`, { kind: SpanKind.SERVER, attributes }, async (span) => {
		let status = 500;
		try {
			if (isSpanContextValid(span.spanContext())) span.setAttribute("http.response.header.x-request-id", [id]);
			const result = await work();
			status = result.status;
			return result;
		} finally {
			end(span, status);
		}
	});
}

function end(span: Span, status: number): void {
	span.setAttribute("http.response.status_code", status);
	if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
	span.end();
}

/** The context of the caller's trace, without the caller's `baggage`. */
function parentOf({ headers: { traceparent, tracestate } }: FastifyRequest): Context {
	const active = context.active();
	if (trace.getSpan(active) !== undefined || traceparent === undefined) return active;
	return propagation.extract(ROOT_CONTEXT, { traceparent, tracestate });
}

function exposeTrace(span: Span, request: FastifyRequest, reply: FastifyReply): void {
	const spanContext = span.spanContext();
	if (!isSpanContextValid(spanContext)) return;
	traces.set(request, { trace_id: spanContext.traceId, span_id: spanContext.spanId });
	span.setAttribute("http.response.header.x-request-id", [request.id]);
	const flags = spanContext.traceFlags.toString(16).padStart(2, "0");
	reply.header("server-timing", `traceparent;desc="00-${spanContext.traceId}-${spanContext.spanId}-${flags}"`);
}
