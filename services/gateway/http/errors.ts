/** Turns errors into problem responses (RFC 9457). Unexpected errors are logged and become a plain 500. */
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "#libs/contract/error-codes.ts";
import { AppError, badRequest, codeOf, problemOf, problemType } from "#libs/contract/errors.ts";
import { maskSecrets } from "#libs/contract/key.ts";
import type { Logger } from "#libs/service/logger.ts";
import { commonHeaders } from "./headers.ts";
import { wantsPage } from "./negotiation.ts";
import { traceOf } from "./span.ts";

/** Responses to errors of Fastify itself, which occur before a handler runs. */
const refusals: Record<string, AppError> = {
	FST_ERR_BAD_URL: badRequest("the path is not valid percent-encoded UTF-8"),
	FST_ERR_MAX_PARAM_LENGTH: new AppError(414, "the address is too long"),
	FST_ERR_CTP_BODY_TOO_LARGE: new AppError(413, "the body is too large"),
	FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, "the body's media type is not supported"),
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: badRequest("the length of the body differs from Content-Length"),
};

/** Whether the body was refused, or the client reset the connection, before a handler ran. */
const isBodyError = (error: unknown): boolean => /^(FST_ERR_CTP_|ECONNRESET$)/.test(codeOf(error));

const internalError = new AppError(500, "something went wrong on our side; the request id helps to find it");

export interface Refusal {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/** The response to an error. Errors other than AppError are logged with `fields`. */
export function refusalOf(error: unknown, log: Logger, fields: () => object): Refusal {
	const expected = error instanceof AppError ? error : refusals[codeOf(error)];
	if (expected === undefined) log.error({ err: error, ...fields() }, "a request failed");
	const refusal = expected ?? internalError;
	const { status, retryAfterSeconds, headers } = refusal;
	return {
		status,
		headers: {
			"content-type": "application/json; charset=utf-8",
			...(retryAfterSeconds !== undefined && { "retry-after": String(Math.ceil(retryAfterSeconds)) }),
			...headers,
		},
		body: maskSecrets(JSON.stringify(refusal)),
	};
}

export interface ShownError {
	status: number;
	code: ErrorCode;
	detail: string;
	requestId: string;
}

/** An error as HTML, with the Content-Security-Policy that the page needs. */
export type ErrorPage = (error: ShownError) => { body: string; policy: string };

export interface ErrorOptions {
	log: Logger;
	pageOf?: ErrorPage;
}

export function sendError(
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	{ log, pageOf }: ErrorOptions,
): void {
	// No client reads the response, and an error caused by the disconnection is not a failure of the service.
	if (reply.raw.destroyed) {
		reply.hijack();
		return;
	}
	const fields = () => ({ request_id: request.id, ...traceOf(request), path: pathOf(request) });
	const { status, headers, body } = refusalOf(error, log, fields);
	reply
		.headers({ ...commonHeaders, "x-request-id": request.id, "cache-control": "no-store" })
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

/** Counts a free request against the limit of its address. @throws AppError 429 */
export type CountFree = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export function answerErrors(app: FastifyInstance, countFree: CountFree, errorOptions: ErrorOptions): void {
	app.setErrorHandler((error, request, reply) => {
		// A route with `countsItself` counts requests in its handler. These errors occurred before the handler, so the request is counted here.
		if ((isBodyError(error) || error instanceof AppError) && request.routeOptions.config.countsItself === true)
			void sendWhenCounted(countFree(request, reply), error, request, reply, errorOptions);
		else sendError(error, request, reply, errorOptions);
	});
}

/** Sends the error, or instead the 429 with which `counted` rejects. */
export async function sendWhenCounted(
	counted: Promise<void>,
	error: unknown,
	request: FastifyRequest,
	reply: FastifyReply,
	errorOptions: ErrorOptions,
): Promise<void> {
	const tooMany = await counted.catch((refusal: unknown) => refusal);
	sendError(tooMany ?? error, request, reply, errorOptions);
}

/** The path for logs: without the query, which can contain a key, and with masked secrets and tokens of mailed links. */
export const pathOf = (request: FastifyRequest): string =>
	maskSecrets(request.raw.url?.split("?", 1)[0] ?? "").replace(/\bml_[0-9A-Za-z]{8,}/g, "ml_***");

/**
 * Responds to bytes that Node's HTTP parser refused, for which Fastify has no request object. `count` counts them as a request of the
 * connection's address, and rejects with a 429 that is sent instead.
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
	// If a connection timed out before its first byte, there was no request to count.
	const isRequest = !isLate || socket.bytesRead > 0;
	const refusal = isRequest ? await count(socket.remoteAddress ?? "").catch(tooManyOf) : undefined;
	if (refusal === undefined) endConnection(socket, status, detail);
	else
		endWith(socket, "429 Too Many Requests", JSON.stringify(problemOf(refusal.toJSON(), 429)), {
			...refusal.headers,
			"retry-after": String(refusal.retryAfterSeconds ?? 1),
		});
}

/** The 429 with which counting rejects; undefined if counting fails otherwise, because the original error is then sent. */
const tooManyOf = (error: unknown): AppError | undefined =>
	error instanceof AppError && error.status === 429 ? error : undefined;

/** Writes a response to the socket and closes the connection. `status` includes the reason phrase. */
export function endConnection(socket: Socket, status: string, detail: string): void {
	const error = new AppError(Number.parseInt(status, 10), detail);
	endWith(socket, status, JSON.stringify(problemOf(error.toJSON(), error.status)));
}

function endWith(socket: Socket, status: string, body: string, more: AppError["headers"] = {}): void {
	const headers = {
		...commonHeaders,
		...more,
		"content-type": problemType,
		"content-length": Buffer.byteLength(body),
		connection: "close",
	};
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
	socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
}
