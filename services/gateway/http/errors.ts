/** Every failure becomes a problem with a `detail`; what is not meant for the caller is logged and becomes a plain 500. */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "#libs/contract/error-codes.ts";
import { AppError, badRequest, codeOf } from "#libs/contract/errors.ts";
import { maskSecrets } from "#libs/contract/key.ts";
import { problemOf, problemType } from "#libs/contract/problem.ts";
import type { Logger } from "#libs/service/logger.ts";
import { everyAnswer } from "./headers.ts";
import { wantsPage } from "./negotiation.ts";
import { traceOf } from "./span.ts";

/** Fastify's own refusals, before a handler runs. */
const refusals: Record<string, AppError> = {
	FST_ERR_BAD_URL: badRequest("the path is not valid percent-encoded UTF-8"),
	FST_ERR_MAX_PARAM_LENGTH: new AppError(414, "the address is too long"),
	FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, "the body is too large"),
	FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, "the body's media type is not supported"),
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: badRequest("the body is not as long as announced"),
};

/** Whether a body was refused, or its client reset the connection, before a handler ran. */
export const isBodyFault = (error: unknown): boolean => /^(FST_ERR_CTP_|ECONNRESET$)/.test(codeOf(error));

const serverFault = new AppError(500, "something went wrong on our side; the request id helps to find it");

export interface Refusal {
	status: number;
	headers: Record<string, string>;
	/** JSON, without secrets. */
	body: string;
}

/** What a caller gets for an error. `log` gets the cause of what is not an AppError, with `fields`. */
export function refusalOf(error: unknown, log: Logger, fields: () => object): Refusal {
	const known = error instanceof AppError ? error : refusals[codeOf(error)];
	if (known === undefined) log.error({ err: error, ...fields() }, "a request failed");
	const answer = known ?? serverFault;
	const { status, retryAfterSeconds, headers } = answer;
	return {
		status,
		headers: {
			"content-type": "application/json; charset=utf-8",
			...(retryAfterSeconds !== undefined && { "retry-after": String(Math.ceil(retryAfterSeconds)) }),
			...headers,
		},
		body: maskSecrets(JSON.stringify(answer)),
	};
}

export interface ShownError {
	status: number;
	code: ErrorCode;
	/** Without secrets. */
	detail: string;
	requestId: string;
}

/** An error for who prefers pages: HTML, and the Content-Security-Policy that it needs. */
export type ErrorPage = (error: ShownError) => { body: string; policy: string };

export interface ErrorOptions {
	log: Logger;
	/** Without it every error is JSON. */
	pageOf?: ErrorPage;
}

/** Writes the error: as JSON, or as a page for who prefers one. */
export function sendError(
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	{ log, pageOf }: ErrorOptions,
): void {
	// No client reads the answer, and what failed because the client disconnected is no fault of ours.
	if (reply.raw.destroyed) {
		reply.hijack();
		return;
	}
	const fields = () => ({ request_id: request.id, ...traceOf(request), path: pathOf(request) });
	const { status, headers, body } = refusalOf(error, log, fields);
	reply
		.headers({ ...everyAnswer, "x-request-id": request.id, "cache-control": "no-store" })
		.code(status)
		.headers({ ...headers, "content-type": problemType });
	const problem = problemOf(JSON.parse(body) as { detail: string }, status, request.id);
	if (pageOf === undefined || !wantsPage(request)) {
		reply.send(JSON.stringify(problem));
		return;
	}
	const { code, detail } = problem;
	const page = pageOf({ status, code, detail, requestId: request.id });
	reply
		.headers({
			"content-type": "text/html; charset=utf-8",
			"content-security-policy": page.policy,
			vary: "Accept",
		})
		.send(page.body);
}

/** Without the query, which can hold a key, and without what was put into the path by mistake. */
export const pathOf = (request: FastifyRequest): string => maskSecrets(request.raw.url?.split("?", 1)[0] ?? "");

/**
 * What Node's HTTP parser refuses has neither request nor reply: the answer is written by hand. `count` counts it for the address of the
 * connection, and rejects with what is to be answered instead.
 */
export async function refuseConnection(
	error: Error & { code?: string },
	socket: Socket,
	count: (address: string) => Promise<void>,
): Promise<void> {
	if (error.code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
	const [status, detail] =
		error.code === "HPE_HEADER_OVERFLOW"
			? ["431 Request Header Fields Too Large", "the address and headers are too long"]
			: isLate
				? ["408 Request Timeout", "the request did not arrive in time"]
				: ["400 Bad Request", "this is not an HTTP request"];
	// Nothing was asked on a connection that only waited.
	const isRequest = !isLate || socket.bytesRead > 0;
	const refusal = isRequest ? await count(socket.remoteAddress ?? "").catch(tooManyOf) : undefined;
	if (refusal === undefined) endConnection(socket, status, detail);
	else
		endWith(socket, "429 Too Many Requests", JSON.stringify(problemOf(refusal.toJSON(), 429)), {
			...refusal.headers,
			"retry-after": String(refusal.retryAfterSeconds ?? 1),
		});
}

/** What cannot be counted is not refused for it. */
const tooManyOf = (error: unknown): AppError | undefined =>
	error instanceof AppError && error.status === 429 ? error : undefined;

/** Answers by hand, whatever is still to come of the request. `status`: with its name. */
export function endConnection(socket: Socket, status: string, detail: string): void {
	const error = new AppError(Number.parseInt(status, 10), detail);
	endWith(socket, status, JSON.stringify(problemOf(error.toJSON(), error.status)));
}

function endWith(socket: Socket, status: string, body: string, more: AppError["headers"] = {}): void {
	const headers = {
		...everyAnswer,
		...more,
		"content-type": problemType,
		"content-length": Buffer.byteLength(body),
		connection: "close",
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}
