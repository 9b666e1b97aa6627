/**
 * A streamed reply on the wire.
 *
 * The owner sends messages to the requester's inbox, each with a header `Stream-Chunk`. Chunk `0` is empty: it tells the requester that the
 * owner has accepted the request, and its reply subject receives the requester's messages. Chunks `1`, `2`, … follow, and finally a message
 * with the header `Stream-End` (the number of chunks) or the headers of an error. Chunk 1 (or the end of an empty stream) has the response
 * headers in `Stream-Head`. While an owner prepares a slow chunk, it repeats chunk `0` to report progress.
 *
 * The requester grants credit: it sends the number of the last chunk that may be sent. It repeats the grant, so silence means that it has
 * gone. NATS reports a grant that has no subscriber, so the requester also notices if the owner has ended. The message `cancel` ends the
 * stream.
 */

import type { Msg } from "@nats-io/transport-node";

export const chunkHeader = "Stream-Chunk";
export const endHeader = "Stream-End";
export const headHeader = "Stream-Head";
/** In the request: the last chunk that may be sent before the first grant. */
export const creditHeader = "Stream-Credit";
export const cancelText = "cancel";

/** Maximum size of a chunk (bytes). The client copies a message once for each socket read that it spans; most chunks of this size span one. */
export const chunkBytes = 32 * 1024;
/** Maximum chunks in transit. With `chunkBytes`, this limits a stream to 1 MiB of memory. */
export const windowChunks = 32;
/** The requester repeats its grant this often (ms). */
export const renewMs = 5_000;
/** Minimum time between two progress reports of an owner (ms). */
export const progressMs = 1_000;
/** An owner stops if it receives nothing from the requester for this long (ms). */
export const goneMs = 20_000;
/** Maximum duration of a stream (ms), because it holds a slot and a cursor that others wait for. */
export const longestMs = 3_600_000;

/** The response headers, if this message has them (chunk 1, or the end of an empty stream). */
export function headOf(message: Msg): Record<string, string> | undefined {
	const text = message.headers?.get(headHeader) ?? "";
	return text === "" ? undefined : (JSON.parse(text) as Record<string, string>);
}

/** The owner's message; undefined for an error, which is neither a chunk nor the end. */
export function streamMessage(message: Msg): { kind: "chunk" | "end"; number: number } | undefined {
	const chunk = message.headers?.get(chunkHeader) ?? "";
	if (chunk !== "") return { kind: "chunk", number: Number(chunk) };
	const end = message.headers?.get(endHeader) ?? "";
	return end === "" ? undefined : { kind: "end", number: Number(end) };
}

const encoder = new TextEncoder();

/**
 * Yields the same bytes in pieces of exactly `size`. The last piece may be shorter, and so may a piece that is sent because `patienceMs` have
 * passed: a client would mistake a longer silence for a lost connection.
 */
export async function* inChunks(
	source: AsyncIterable<string | Uint8Array>,
	size = chunkBytes,
	patienceMs = 5_000,
): AsyncGenerator<Uint8Array> {
	let chunk = new Uint8Array(size);
	let used = 0;
	let sentAt = performance.now();
	for await (const piece of source) {
		let rest = typeof piece === "string" ? encoder.encode(piece) : piece;
		while (rest.length > 0) {
			const part = rest.subarray(0, size - used);
			chunk.set(part, used);
			used += part.length;
			rest = rest.subarray(part.length);
			if (used < size) break;
			yield chunk;
			sentAt = performance.now();
			// The buffer is not reused, because the NATS client may still be sending it.
			chunk = new Uint8Array(size);
			used = 0;
		}
		if (used === 0 || performance.now() - sentAt < patienceMs) continue;
		yield chunk.subarray(0, used);
		sentAt = performance.now();
		chunk = new Uint8Array(size);
		used = 0;
	}
	if (used > 0) yield chunk.subarray(0, used);
}
