/** A file that a page of the service names, kept in memory. */
import type { FastifyInstance } from "fastify";
import { CodedBytes, codingOf, etagOfCoded, isCompressible, leastToCompress } from "../codings/codings.ts";
import { sendTagged } from "../http/answer.ts";
import { etagOf } from "../response-cache/response-cache.ts";

/** Serves it under that path, compressed where that is shorter, to be asked for again after an hour unless `more` says otherwise. */
export function addAsset(
	app: FastifyInstance,
	path: string,
	mediaType: string,
	bytes: Buffer,
	more: Record<string, string> = {},
): void {
	const etag = etagOf(bytes);
	const isCompressed = bytes.length >= leastToCompress && isCompressible(mediaType);
	const headers = {
		"content-type": mediaType,
		"cache-control": "public, max-age=3600",
		...more,
		...(isCompressed && { vary: "Accept-Encoding" }),
	};
	const coded = new CodedBytes(bytes);
	app.get(path, async (request, reply) => {
		reply.headers(headers);
		const coding = isCompressed ? codingOf(request.headers["accept-encoding"]) : undefined;
		if (coding === undefined) return sendTagged(request, reply, bytes, etag);
		reply.header("content-encoding", coding);
		return sendTagged(request, reply, await coded.in(coding), etagOfCoded(etag, coding));
	});
}
