/** The head of a streamed reply, which comes before its first chunk, and how a slow head is waited for. */
import { expect, test } from "vitest";
import { type ServeOptions, serve } from "#libs/bus/requests/serve.ts";
import { requestStream } from "#libs/bus/requests/stream.ts";
import { chunkBytes, progressMs } from "#libs/bus/requests/stream-wire.ts";
import type { Handler } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { startNats } from "../support/servers.ts";
import { busOf, handlersWith, versioned } from "./parties.ts";

const nats = await startNats();
const gateway = await busOf(nats.url, "gateway");
const service = await busOf(nats.url, "queue-ingest");

const exporting = (exportProjects: Handler<"exportProjects">, options: ServeOptions = {}) =>
	serve(service, "queue-ingest", handlersWith({ exportProjects, getStats: async () => versioned("{}") }), options);

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
	expect(Buffer.concat(await Array.fromAsync(reply)).toString()).toBe(pieces.join(""));
});

test("a stream without a head has an empty one", async () => {
	await using _ = await exporting(async function* () {
		yield "a";
	});
	expect((await requestStream(gateway, "exportProjects", {})).head).toEqual({});
});

test("an owner that reports progress is waited for longer than a silent one", async () => {
	const timeoutMs = 3 * progressMs;
	await using _ = await exporting(async function* (_params, { progress }) {
		const until = performance.now() + 2 * timeoutMs;
		while (performance.now() < until) {
			await new Promise((resolve) => setTimeout(resolve, 20));
			progress?.();
		}
		yield "late";
	});
	const reply = await requestStream(gateway, "exportProjects", {}, { timeoutMs });
	expect(Buffer.concat(await Array.fromAsync(reply)).toString()).toBe("late");
});

test("a stream that is read for too long ends at its source, and not like a whole one for its reader", async () => {
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
