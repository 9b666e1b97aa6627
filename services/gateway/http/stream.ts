/** How an answer goes out that is as long as it needs to be: in step with the reader, and never a clean end after a failure. */
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpBinding, OperationShape } from "#libs/contract/operation.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Sending } from "../payments/settle.ts";
import { headersOf } from "./answer.ts";
import { whenEnded } from "./ended.ts";
import { quality } from "./prefers-page.ts";

/**
 * Reports once how the sending of an answer ended. Fastify destroys the socket when a stream fails midway, so that the caller sees a
 * broken transfer, and destroys the source when the caller goes away.
 */
export function whenSent(reply: FastifyReply, body: Buffer | Readable, tell: (how: Sending) => void): void {
	if (reply.raw.closed) {
		// While it was paid for.
		tell("left");
		return;
	}
	let broken = false;
	if (!(body instanceof Uint8Array)) body.once("error", () => (broken = !reply.raw.closed));
	whenEnded(reply, () => {
		// A server that is closing cuts off what takes too long: that is no caller who left.
		const cut = broken || !reply.server.server.listening;
		tell(reply.raw.writableFinished ? "delivered" : cut ? "broken" : "left");
	});
}

/** Says when a stream broke off through no fault of its reader. */
export function watchStream(request: FastifyRequest, reply: FastifyReply, body: Readable, log: Logger): void {
	body.once("error", (error) => {
		if (!reply.raw.closed) log.warn({ err: error, request_id: request.id }, "a stream broke off");
	});
}

/** The parameters, and in them the format where there are several: that which is asked for, or which `Accept` ranks above the first. */
export function withFormat<P extends object>({ mediaTypes }: OperationShape, params: P, accept = ""): P {
	if (mediaTypes === undefined || ("format" in params && params.format !== undefined)) return params;
	const ranks = Object.entries(mediaTypes).map(([format, mediaType]) => {
		const [type = "", subtype = ""] = essence(mediaType).split("/");
		return { format, rank: quality(accept, type, subtype) };
	});
	const best = ranks.reduce((first, next) => (next.rank > first.rank ? next : first));
	return { ...params, format: best.format };
}

/** Headers of a streamed answer, as far as they follow from its declaration and parameters. */
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

/** What the answer is saved as: `/export/projects` in CSV is `projects.csv`, compressed `projects.csv.gz`. */
function attachment(http: HttpBinding, mediaType: string, format: string, params: object): string {
	const last = http.path.split("/").at(-1) ?? "";
	// A file that has a name: its characters are those that the declaration allows.
	const [, parameter] = /^\{(\w+)\}$/.exec(last) ?? [];
	if (parameter !== undefined) return `attachment; filename="${(params as Record<string, unknown>)[parameter]}"`;
	const extension = format || (essence(mediaType).split(/[/.]/).at(-1) ?? "bin");
	return `attachment; filename="${last}.${extension}"`;
}

const essence = (mediaType: string): string => mediaType.split(";", 1)[0] ?? "";
