/** Sends responses, complete or streamed: headers and caching, 304, the format of a file, and how the transfer ended. */

import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpBinding, OperationShape } from "#libs/contract/operation.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Sending } from "../payments/settle.ts";
import type { CallResponse } from "../registry/bindings.ts";
import { pagePolicy } from "./headers.ts";
import { quality } from "./negotiation.ts";

const json = "application/json; charset=utf-8";

export function headersOf(operation: OperationShape): Record<string, string> {
	const mediaType = operation.mediaType ?? json;
	return {
		"content-type": mediaType,
		...deprecation(operation.http?.deprecated),
		...(mediaType.startsWith("text/html") ? { "content-security-policy": pagePolicy } : {}),
	};
}

/** The headers of a deprecated operation (RFC 9745, RFC 8594). */
function deprecation(deprecated: HttpBinding["deprecated"]): Record<string, string> {
	if (deprecated === undefined) return {};
	const { since, sunset, successor } = deprecated;
	return {
		deprecation: `@${Date.parse(since) / 1_000}`,
		sunset: new Date(sunset).toUTCString(),
		link: `<${successor}>; rel="successor-version"`,
	};
}

/**
 * `Cache-Control` for browsers and proxies. Responses of free operations may be shared between callers. Without `maxAgeMs`, a response is valid
 * while the data is unchanged. Only the gateway knows that, so caches must revalidate the response, which the ETag makes cheap.
 */
export function cacheControl(operation: OperationShape, ageMs: number): string {
	const scope = operation.http?.price === "free" ? "public" : "private";
	if (operation.maxAgeMs === undefined) return `${scope}, no-cache`;
	return `${scope}, max-age=${Math.max(0, Math.floor((operation.maxAgeMs - ageMs) / 1000))}`;
}

/** Sends a response, or 304 if the client already has the body. */
export function send(
	request: FastifyRequest,
	reply: FastifyReply,
	{ status, headers, body }: CallResponse,
): FastifyReply {
	reply.headers(headers);
	// A response that is cached for callers without a key must not be used for a caller with one: the key may be invalid, or the call must be counted.
	if (headers["cache-control"]?.startsWith("public"))
		reply.header("vary", ["X-API-Key", "Authorization", headers.vary].filter(Boolean).join(", "));
	if (headers.etag !== undefined && matchesEtag(request.headers["if-none-match"], headers.etag)) {
		if (body instanceof Readable) body.destroy();
		// These headers describe the body, which is not sent.
		return reply.removeHeader("content-length").removeHeader("content-range").code(304).send();
	}
	return reply.code(status).send(body);
}

export function sendTagged(request: FastifyRequest, reply: FastifyReply, bytes: Buffer, etag: string): FastifyReply {
	reply.header("etag", etag);
	if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
	return reply.send(bytes);
}

/** Weak comparison (RFC 9110, 13.1.2), because a proxy that compressed the response may have weakened the tag. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch.split(",").some((tag) => {
		const trimmed = tag.trim();
		return trimmed === "*" || trimmed === etag || trimmed === `W/${etag}`;
	});
}

/**
 * Reports once how the transfer of a response ended. When a stream fails, Fastify destroys the socket, so that the caller sees that the transfer
 * is incomplete. When the caller disconnects, Fastify destroys the stream.
 */
export function whenSent(reply: FastifyReply, body: Buffer | Readable, report: (how: Sending) => void): void {
	if (reply.raw.closed) {
		// The client disconnected during the payment.
		report("left");
		return;
	}
	let hasFailed = false;
	if (!(body instanceof Uint8Array)) body.once("error", () => (hasFailed = !reply.raw.closed));
	whenEnded(reply, () => {
		// A server that closes cuts slow transfers, so their end is not a disconnection by the caller.
		const isBroken = hasFailed || !reply.server.server.listening;
		report(reply.raw.writableFinished ? "delivered" : isBroken ? "broken" : "left");
	});
}

/** Logs a stream that fails, unless its client has disconnected. */
export function watchStream(request: FastifyRequest, reply: FastifyReply, body: Readable, log: Logger): void {
	body.once("error", (error) => {
		if (!reply.raw.closed) log.warn({ err: error, request_id: request.id }, "a stream broke off");
	});
}

/** If the operation has several formats and the parameter `format` is missing, adds it: the format that `Accept` ranks highest. */
export function withFormat<P extends object>({ mediaTypes }: OperationShape, params: P, accept = ""): P {
	if (mediaTypes === undefined || ("format" in params && params.format !== undefined)) return params;
	const ranks = Object.entries(mediaTypes).map(([format, mediaType]) => {
		const [type = "", subtype = ""] = essence(mediaType).split("/");
		return { format, rank: quality(accept, type, subtype) };
	});
	const best = ranks.reduce((first, next) => (next.rank > first.rank ? next : first));
	return { ...params, format: best.format };
}

export function streamHeaders(operation: OperationShape, http: HttpBinding, params: object): Record<string, string> {
	const format = "format" in params ? String(params.format) : "";
	const mediaType = operation.mediaTypes?.[format] ?? operation.mediaType;
	const shown = mediaType === undefined ? operation : { ...operation, mediaType };
	return {
		...headersOf(shown),
		"cache-control": "private, no-cache",
		...(mediaType !== undefined && { "content-disposition": attachment(http, mediaType, format, params) }),
		...(operation.mediaTypes !== undefined && { vary: "Accept" }),
	};
}

/** Names the file of the response: `/export/projects` as CSV is `projects.csv`, as compressed CSV `projects.csv.gz`. */
function attachment(http: HttpBinding, mediaType: string, format: string, params: object): string {
	const last = http.path.split("/").at(-1) ?? "";
	// If the path ends with a parameter, that is the name of the file. The parameter's schema restricts its characters.
	const [, parameter] = /^\{(\w+)\}$/.exec(last) ?? [];
	if (parameter !== undefined) return `attachment; filename="${(params as Record<string, unknown>)[parameter]}"`;
	const extension = format || (essence(mediaType).split(/[/.]/).at(-1) ?? "bin");
	return `attachment; filename="${last}.${extension}"`;
}

const essence = (mediaType: string): string => mediaType.split(";", 1)[0] ?? "";

/** Status that is recorded for a client that disconnected before the response. */
export const disconnected = 499;

/** HTTP status of a response that has ended. */
export const endedStatus = ({ raw, statusCode }: FastifyReply): number => (raw.headersSent ? statusCode : disconnected);

const endCallbacks = Symbol("endCallbacks");

type Watched = ServerResponse & { [endCallbacks]?: (() => void)[] };

/**
 * Calls `then` when the response ends; callbacks run in the order of registration. Does nothing if the response has already ended. All
 * callbacks share one listener, because adding a listener takes longer than the lookup of a cached response.
 */
export function whenEnded(reply: FastifyReply, then: () => void): void {
	const raw: Watched = reply.raw;
	const others = raw[endCallbacks];
	if (others !== undefined) {
		others.push(then);
		return;
	}
	const all = [then];
	raw[endCallbacks] = all;
	raw.once("close", () => {
		for (const each of all) each();
	});
}
