/** Spans of what crosses the bus; without an OpenTelemetry SDK in the process they do nothing. */

import type { MsgHdrs } from "@nats-io/transport-node";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

const tracer = trace.getTracer("bus");

const writer = { set: (carrier: MsgHdrs, key: string, value: string) => carrier.set(key, value) };
const reader = {
	get: (carrier: MsgHdrs | undefined, key: string) => carrier?.get(key) || undefined,
	keys: (carrier: MsgHdrs | undefined) => carrier?.keys() ?? [],
};

/** Runs `work` in a client span whose context is written into `headers`. */
export function sending<T>(name: string, headers: MsgHdrs, work: () => Promise<T>): Promise<T> {
	return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, (span) => {
		propagation.inject(context.active(), headers, writer);
		return ended(span, work);
	});
}

/** Runs `work` in a span that continues the trace of the message it was set off by. */
export function receiving<T>(
	name: string,
	headers: MsgHdrs | undefined,
	kind: "request" | "event",
	work: () => Promise<T>,
): Promise<T> {
	const parent = propagation.extract(context.active(), headers, reader);
	const options = { kind: kind === "request" ? SpanKind.SERVER : SpanKind.CONSUMER };
	return tracer.startActiveSpan(name, options, parent, (span) => ended(span, work));
}

async function ended<T>(
	span: {
		recordException(error: Error): void;
		setStatus(status: { code: SpanStatusCode }): unknown;
		end(): void;
	},
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof Error) span.recordException(error);
		span.setStatus({ code: SpanStatusCode.ERROR });
		throw error;
	} finally {
		span.end();
	}
}
