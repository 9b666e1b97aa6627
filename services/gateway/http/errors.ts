/** Every failure becomes JSON with a `detail`; what is not meant for the caller is logged and becomes a plain 500. */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, badRequest, codeOf } from "#libs/contract/errors.ts";
import { maskSecrets } from "#libs/contract/key.ts";
import type { Logger } from "#libs/service/logger.ts";
import { everyAnswer } from "./headers.ts";
import { traceOf } from "./span.ts";

/** Fastify's own refusals, before a handler runs. */
const refusals: Record<string, AppError> = {
	FST_ERR_BAD_URL: badRequest("the path is not valid percent-encoded UTF-8"),
	FST_ERR_MAX_PARAM_LENGTH: new AppError(414, "the address is too long"),
	FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, "the body is too large"),
	FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, "the body's media type is not supported"),
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: badRequest("the body is not as long as announced"),
};

const serverFault = new AppError(500, "something went wrong on our side; the request id helps to find it");

/** Writes the error. `log` gets the cause of what is not an AppError. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
	const known = error instanceof AppError ? error : refusals[codeOf(error)];
	if (known === undefined)
		log.error({ err: error, request_id: request.id, ...traceOf(request), path: pathOf(request) }, "a request failed");
	const answer = known ?? serverFault;
	if (answer.retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(answer.retryAfterSeconds)));
	reply
		.headers({ ...everyAnswer, "x-request-id": request.id, "cache-control": "no-store" })
		.code(answer.status)
		.headers({ "content-type": "application/json; charset=utf-8", ...answer.headers })
		.send(maskSecrets(JSON.stringify(answer)));
}

/** Without the query, which can hold a key, and without what was put into the path by mistake. */
export const pathOf = (request: FastifyRequest): string => maskSecrets(request.raw.url?.split("?", 1)[0] ?? "");

/** What Node's HTTP parser refuses has neither request nor reply: the answer is written by hand. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const [status, detail] =
		error.code === "HPE_HEADER_OVERFLOW"
			? ["431 Request Header Fields Too Large", "the address and headers are too long"]
			: error.code === "ERR_HTTP_REQUEST_TIMEOUT"
				? ["408 Request Timeout", "the request did not arrive in time"]
				: ["400 Bad Request", "this is not an HTTP request"];
	const body = JSON.stringify({ detail });
	const headers = {
		...everyAnswer,
		"content-type": "application/json; charset=utf-8",
		"content-length": Buffer.byteLength(body),
		connection: "close",
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}
