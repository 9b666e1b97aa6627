/** A file that a page of the service names, kept in memory. */
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { acceptsGzip, etagOfGzip, sendTagged } from "../http/answer.ts";
import { etagOf, leastToCompress } from "../response-cache/response-cache.ts";

/** Serves it under that path, compressed where that is shorter, to be asked for again after an hour unless `more` says otherwise. */
export function addAsset(
	app: FastifyInstance,
	path: string,
	mediaType: string,
	bytes: Buffer,
	more: Record<string, string> = {},
): void {
	const etag = etagOf(bytes);
	const isCompressed = bytes.length >= leastToCompress && /^text\/|json|xml/.test(mediaType);
	const headers = {
		"content-type": mediaType,
		"cache-control": "public, max-age=3600",
		...more,
		...(isCompressed && { vary: "Accept-Encoding" }),
	};
	let gzipped: Buffer | undefined;
	app.get(path, async (request, reply) => {
		reply.headers(headers);
		if (!isCompressed || !acceptsGzip(request.headers["accept-encoding"]))
			return sendTagged(request, reply, bytes, etag);
		// When it is first asked for: a start does not wait for it.
		gzipped ??= gzipSync(bytes, { level: 9 });
		return sendTagged(request, reply.header("content-encoding", "gzip"), gzipped, etagOfGzip(etag));
	});
}
