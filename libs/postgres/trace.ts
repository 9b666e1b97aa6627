/** Spans of statements; without an OpenTelemetry SDK in the process they do nothing. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

const tracer = trace.getTracer("postgres");

/** Runs `work` in a span of this name. */
export function traced<T>(name: string, work: () => Promise<T>): Promise<T> {
	return tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
		try {
			return await work();
		} catch (error) {
			span.setStatus({ code: SpanStatusCode.ERROR });
			throw error;
		} finally {
			span.end();
		}
	});
}

/** The running trace as a `traceparent`, for a message that is sent later; undefined when there is none. */
export function currentTraceparent(): string | undefined {
	const carrier: { traceparent?: string } = {};
	propagation.inject(context.active(), carrier);
	return carrier.traceparent;
}
