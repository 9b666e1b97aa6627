import { headers } from "@nats-io/transport-node";
import { expect, test } from "vitest";
import { request } from "#libs/bus/requests/request.ts";
import { type ServeOptions, serve } from "#libs/bus/requests/serve.ts";
import { requestStream } from "#libs/bus/requests/stream.ts";
import { chunkBytes, progressMs, windowChunks } from "#libs/bus/requests/stream-wire.ts";
import { notFound } from "#libs/contract/errors.ts";
import type { Handler } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, handlersWith, versioned } from "./parties.ts";

const nats = await startNats();
const gateway = await busOf(nats.url, "gateway");
const service = await busOf(nats.url, "queue-ingest");

const exporting = (exportProjects: Handler<"exportProjects">, options: ServeOptions = {}) =>
	serve(service, "queue-ingest", handlersWith({ exportProjects, getStats: async () => versioned("{}") }), options);
const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => Buffer.concat(await Array.fromAsync(chunks));
const chunk = (fill = 1) => new Uint8Array(chunkBytes).fill(fill);

/** A source that counts how often it was asked, and notes how it ended. */
function counted(length = Number.POSITIVE_INFINITY) {
	const seen = { pulled: 0, cancelled: false, closed: false };
	const source: Handler<"exportProjects"> = async function* (_params, { signal }) {
		signal.addEventListener("abort", () => {
			seen.cancelled = true;
		});
		try {
			while (seen.pulled < length) {
				seen.pulled++;
				yield chunk(seen.pulled % 256);
			}
		} finally {
			seen.closed = true;
		}
	};
	return { seen, source };
}

test("a streamed reply arrives complete and in order, in chunks of at most 32 KiB", async () => {
	const pieces = [
		"ü".repeat(200_000),
		"",
		new Uint8Array([1, 2, 3]),
		"x".repeat(700_000),
		...Array(5_000).fill("row\n"),
	];
	await using _ = await exporting(async function* () {
		yield* pieces;
	});
	const chunks = await Array.fromAsync(await requestStream(gateway, "exportProjects", {}));
	expect(Buffer.concat(chunks).equals(Buffer.concat(pieces.map((piece) => Buffer.from(piece))))).toBe(true);
	expect(chunks.slice(0, -1).every(({ length }) => length === chunkBytes)).toBe(true);
});

test("an empty stream is a reply without chunks", async () => {
	await using _ = await exporting(async function* () {});
	expect(await read(await requestStream(gateway, "exportProjects", {}))).toHaveLength(0);
});

test("an error before the first chunk is thrown with its status instead of a stream", async () => {
	// biome-ignore lint/correctness/useYield: it fails before it could.
	await using _ = await exporting(async function* () {
		throw notFound("No such state.");
	});
	await expect(requestStream(gateway, "exportProjects", {})).rejects.toMatchObject({
		status: 404,
		message: "No such state.",
	});
	await expect(requestStream(gateway, "exportProjects", { limit: 0 })).rejects.toMatchObject({ status: 422 });
});

test("an error after the first chunk is thrown to the reader after the preceding chunks", async () => {
	await using _ = await exporting(async function* () {
		yield chunk(1);
		yield chunk(2);
		throw notFound("The cursor is gone.");
	});
	const chunks = await requestStream(gateway, "exportProjects", {});
	expect((await chunks.next()).value?.at(-1)).toBe(1);
	expect((await chunks.next()).value?.at(-1)).toBe(2);
	await expect(chunks.next()).rejects.toMatchObject({ status: 404, message: "The cursor is gone." });
});

test("a stream without a responder is 503", async () => {
	await expect(requestStream(gateway, "exportProjects", {})).rejects.toMatchObject({ status: 503 });
});

test("a late first chunk is 503 and cancels the source", async () => {
	const { promise: cancelled, resolve } = Promise.withResolvers<void>();
	await using _ = await exporting(async function* (_params, { signal }) {
		signal.addEventListener("abort", () => resolve());
		await cancelled;
	});
	await expect(requestStream(gateway, "exportProjects", {}, { timeoutMs: 200 })).rejects.toMatchObject({ status: 503 });
	await cancelled;
});

test("a source runs at most a window ahead of its reader", async () => {
	const length = 3 * windowChunks;
	const { seen, source } = counted(length);
	await using _ = await exporting(source);
	const chunks = await requestStream(gateway, "exportProjects", {});
	await eventually(() => seen.pulled === windowChunks);
	// Chunks that the source sent by now would have arrived before these replies.
	for (let i = 0; i < 50; i++) await request(gateway, "getStats", {});
	expect(seen.pulled).toBe(windowChunks);
	for (let taken = 1; taken <= length; taken++) {
		await chunks.next();
		expect(seen.pulled).toBeLessThanOrEqual(taken + windowChunks);
	}
	expect(await chunks.next()).toEqual({ done: true, value: undefined });
});

test("memory remains constant during a long stream", { tags: ["campaign"] }, async () => {
	const { source } = counted(12_800);
	await using _ = await exporting(source);
	const before = process.memoryUsage().rss;
	let bytes = 0;
	let highest = before;
	for await (const { length } of await requestStream(gateway, "exportProjects", {})) {
		bytes += length;
		highest = Math.max(highest, process.memoryUsage().rss);
	}
	expect(bytes).toBe(12_800 * chunkBytes);
	// 400 MiB have passed: both ends, and what the collector has not got round to.
	expect(highest - before).toBeLessThan(150 * 1024 ** 2);
});

test("leaving the loop cancels the source", async () => {
	const { seen, source } = counted();
	await using serving = await exporting(source);
	for await (const _chunk of await requestStream(gateway, "exportProjects", {})) break;
	await eventually(() => seen.cancelled && seen.closed && serving.inFlight === 0);
});

test("the reader's signal ends the stream and cancels the source", async () => {
	const { seen, source } = counted();
	await using _ = await exporting(source);
	const stop = new AbortController();
	const chunks = await requestStream(gateway, "exportProjects", {}, { signal: stop.signal });
	await chunks.next();
	stop.abort(new Error("the browser was closed"));
	await expect(chunks.next()).rejects.toThrow("the browser was closed");
	await eventually(() => seen.cancelled && seen.closed);
});

test("a reader that dies silently cancels the source", async () => {
	const { seen, source } = counted();
	await using serving = await exporting(source, { streamGoneMs: 300 });
	const other = await busOf(nats.url, "gateway");
	const chunks = await requestStream(other, "exportProjects", {});
	await chunks.next();
	await other.nats.close();
	await eventually(() => seen.cancelled && seen.closed && serving.inFlight === 0);
});

test("the source waits for a slow but live reader", async () => {
	const { seen, source } = counted(2 * windowChunks);
	await using _ = await exporting(source, { streamGoneMs: 2_500 });
	// Its reader reports every second.
	const chunks = await requestStream(gateway, "exportProjects", {}, { timeoutMs: 2_000 });
	const started = performance.now();
	await eventually(() => performance.now() - started > 3_000);
	expect(seen.cancelled).toBe(false);
	expect(await read(chunks)).toHaveLength(2 * windowChunks * chunkBytes);
});

test("a reader detects that the owner died mid-stream", async () => {
	const { source } = counted();
	const other = await busOf(nats.url, "queue-ingest");
	await serve(other, "queue-ingest", handlersWith({ exportProjects: source }));
	const chunks = await requestStream(gateway, "exportProjects", {}, { timeoutMs: 1_000 });
	await other.nats.close();
	await expect(read(chunks)).rejects.toMatchObject({ status: 503, message: "the stream broke off" });
});

test("a missing chunk fails the stream", async () => {
	const subscription = service.nats.subscribe("rpc.queue-ingest.exportProjects", {
		callback: (_error, message) => {
			for (const number of ["1", "3"]) {
				const written = headers();
				written.set("Stream-Chunk", number);
				message.respond("x", { headers: written });
			}
		},
	});
	await service.nats.flush();
	const chunks = await requestStream(gateway, "exportProjects", {});
	await chunks.next();
	await expect(chunks.next()).rejects.toMatchObject({ status: 503, message: "the stream broke off" });
	subscription.unsubscribe();
});

test.each([
	["with its first chunk", ["a", "b"]],
	["with its end, where it is empty", []],
])("the head of a stream arrives %s", async (_, pieces) => {
	await using _serving = await exporting(async function* (_params, { head }) {
		head?.({ "x-data-version": "7", etag: '"ü"' });
		yield* pieces;
	});
	const reply = await requestStream(gateway, "exportProjects", {});
	expect(reply.head).toEqual({ "x-data-version": "7", etag: '"ü"' });
	expect(String(await read(reply))).toBe(pieces.join(""));
});

test("a stream without a head has an empty one", async () => {
	await using _ = await exporting(async function* () {
		yield "a";
	});
	expect((await requestStream(gateway, "exportProjects", {})).head).toEqual({});
});

test("the reader waits longer for an owner that reports progress than for a silent one", async () => {
	const timeoutMs = 2 * progressMs;
	await using _ = await exporting(async function* (_params, { progress }) {
		const until = performance.now() + 1.2 * timeoutMs;
		while (performance.now() < until) {
			await new Promise((resolve) => setTimeout(resolve, 20));
			progress?.();
		}
		yield "late";
	});
	const reply = await requestStream(gateway, "exportProjects", {}, { timeoutMs });
	expect(String(await read(reply))).toBe("late");
});

test("a stream that is read for too long ends at its source, and fails for its reader", async () => {
	const state = { ended: false };
	await using serving = await exporting(
		async function* () {
			try {
				for (;;) yield new Uint8Array(chunkBytes);
			} finally {
				state.ended = true;
			}
		},
		{ streamLongestMs: 200 },
	);
	const reply = await requestStream(gateway, "exportProjects", {}, { timeoutMs: 500 });
	await reply.next();
	await eventually(() => state.ended && serving.inFlight === 0);
	const rest = async () => {
		while ((await reply.next()).done !== true);
	};
	await expect(rest()).rejects.toMatchObject({ status: 503 });
});
