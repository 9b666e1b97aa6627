/** The span of an HTTP request, from the parse to the answer (of a stream: to its first chunk). */
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#libs/contract/errors.ts";

const tracer = trace.getTracer("gateway");

type Handle = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Continues the caller's trace, if it has one. Without an OpenTelemetry SDK in the process it costs next to nothing. */
export function inSpan(method: string, path: string, handle: Handle): Handle {
	const attributes = { "http.request.method": method, "http.route": path };
	return (request, reply) => {
		const parent = propagation.extract(context.active(), request.headers);
		return tracer.startActiveSpan(`${method} ${path}`, { kind: SpanKind.SERVER, attributes }, parent, async (span) => {
			let status = 500;
			try {
				const answered = await handle(request, reply);
				status = reply.statusCode;
				return answered;
			} catch (error) {
				if (error instanceof AppError) status = error.status;
				else if (error instanceof Error) span.recordException(error);
				throw error;
			} finally {
				span.setAttribute("http.response.status_code", status);
				if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
				span.end();
			}
		});
	};
}
