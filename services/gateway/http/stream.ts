/** How an answer goes out that is as long as it needs to be: in step with the reader, and never a clean end after a failure. */
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "#libs/contract/errors.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import type { Logger } from "#libs/service/logger.ts";

export interface Streamed {
	/** Resolves at the first chunk; throws AppError when there is none. The signal fires when the caller has gone. */
	open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>;
	/** Of an answer, not of an error: set when the first chunk is there. */
	headers: Record<string, string>;
	log: Logger;
}

/**
 * Sends the chunks. Fastify destroys the socket when they fail midway, so that the caller sees a broken transfer, and
 * destroys the source when the caller goes away.
 */
export async function sendStream(
	request: FastifyRequest,
	reply: FastifyReply,
	{ open, headers, log }: Streamed,
): Promise<FastifyReply> {
	const gone = new AbortController();
	// Nobody reads this answer; as an AppError it is not taken for a fault of ours.
	reply.raw.once("close", () => gone.abort(new AppError(499, "the caller has gone")));
	const body = Readable.from(await open(gone.signal), { objectMode: false });
	body.once("error", (error) => {
		if (!gone.signal.aborted) log.warn({ err: error, request_id: request.id }, "a stream broke off");
	});
	return reply.headers(headers).send(body);
}

/** What the answer is saved as: `/export/projects` in CSV is `projects.csv`. */
export function attachment(http: HttpBinding, mediaType: string): string {
	const extension = mediaType.split(";", 1)[0]?.split("/")[1] ?? "bin";
	return `attachment; filename="${http.path.split("/").at(-1)}.${extension}"`;
}
