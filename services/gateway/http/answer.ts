/** How an answer that is complete goes out: validators, what may be kept and for how long, 304. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OperationShape } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { pagePolicy } from "../pages/policy.ts";
import type { Answered } from "../registry/answered.ts";

const json = "application/json; charset=utf-8";

/** The headers that follow from the declaration alone. */
export function headersOf(operation: OperationShape): Record<string, string> {
	const mediaType = operation.mediaType ?? json;
	return {
		"content-type": mediaType,
		...deprecation(operation.http?.deprecated),
		...(mediaType.startsWith("text/html") ? { "content-security-policy": pagePolicy } : {}),
	};
}

/** RFC 9745 and RFC 8594. */
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
 * For a browser or a proxy. What costs nothing may be shared between callers. Without `maxAgeMs` an answer is as old as the
 * data, which only the gateway knows: it may be kept but must be asked for again, and the ETag makes that cheap.
 */
export function cacheControl(operation: OperationShape, ageMs: number): string {
	const scope = operation.http?.price === "free" ? "public" : "private";
	if (operation.maxAgeMs === undefined) return `${scope}, no-cache`;
	return `${scope}, max-age=${Math.max(0, Math.floor((operation.maxAgeMs - ageMs) / 1000))}`;
}

/** Sends the bytes untouched, or 304 when the caller has them; a stream as it comes. */
export function send(request: FastifyRequest, reply: FastifyReply, { status, headers, body }: Answered): FastifyReply {
	reply.headers(headers);
	// What is kept for who has no key must not be given to who has one: a bad key is refused, a good one counted.
	if (headers["cache-control"]?.startsWith("public"))
		reply.header("vary", ["X-API-Key", "Authorization", headers.vary].filter(Boolean).join(", "));
	if (headers.etag !== undefined && hasIt(request.headers["if-none-match"], headers.etag)) {
		if (body instanceof Readable) body.destroy();
		// They are of the answer that is not sent.
		return reply.removeHeader("content-length").removeHeader("content-range").code(304).send();
	}
	return reply.code(status).send(body);
}

export function sendTagged(request: FastifyRequest, reply: FastifyReply, bytes: Buffer, etag: string): FastifyReply {
	reply.header("etag", etag);
	if (hasIt(request.headers["if-none-match"], etag)) return reply.code(304).send();
	return reply.send(bytes);
}

/** Weak comparison, as RFC 9110 asks for here: a proxy that compressed the answer may have weakened the tag. */
function hasIt(ifNoneMatch: string | undefined, etag: string): boolean {
	if (ifNoneMatch === undefined) return false;
	return ifNoneMatch.split(",").some((tag) => {
		const trimmed = tag.trim();
		return trimmed === "*" || trimmed === etag || trimmed === `W/${etag}`;
	});
}
