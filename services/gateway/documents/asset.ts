/** A file that a page of the service names, kept in memory. */
import type { FastifyInstance } from "fastify";
import { sendTagged } from "../http/answer.ts";
import { etagOf } from "../response-cache/response-cache.ts";

/** Serves it under that path, to be asked for again after an hour unless said otherwise. */
export function addAsset(
	app: FastifyInstance,
	path: string,
	mediaType: string,
	bytes: Buffer,
	cacheControl = "public, max-age=3600",
): void {
	const headers = { "content-type": mediaType, "cache-control": cacheControl };
	const etag = etagOf(bytes);
	app.get(path, async (request, reply) => sendTagged(request, reply.headers(headers), bytes, etag));
}
