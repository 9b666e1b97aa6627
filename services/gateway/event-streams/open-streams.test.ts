import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { QueueCaller } from "#libs/service/fair-queue.ts";
import { createLogger } from "#libs/service/logger.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { type Channel, Feed, type Sequenced } from "./feed.ts";
import { OpenStreams } from "./open-streams.ts";

/** A log of so many events of which none is chosen. Its pages are at hand, as those of the response cache are. */
const head = 40;

test("streams that catch up take turns, paid plans first, without blocking other work", async () => {
	using streams = new OpenStreams({
		EVENT_STREAMS_MAX: 100,
		EVENT_STREAMS_PER_CALLER: 20,
		EVENT_STREAMS_PER_NETWORK: 100,
		EVENT_STREAMS_KEYLESS: 100,
		EVENT_STREAM_HEARTBEAT_MS: 60_000,
		EVENT_STREAM_BUFFER_BYTES: 1_000,
	});
	const pages: { account: string; turn: number }[] = [];
	let turn = 0;
	let isOver = false;
	const count = (async () => {
		for (; !isOver; turn++) await immediate();
	})();
	const source = { name: "test", head: async () => head, after: async (seq: number) => ({ items: [], next: seq }) };
	const feed = new Feed<Sequenced>(
		{ ...source, watch: () => ({ [Symbol.dispose]() {} }) },
		createLogger({ name: "test", level: "silent" }),
	);
	const channelOf = (account: string): Channel<object, Sequenced> => ({
		feed,
		readAfter: async (seq) => {
			pages.push({ account, turn });
			return { items: [], next: seq + 1 };
		},
		filterFor: () => () => false,
		bytesOf: () => () => Buffer.alloc(0),
		noticeOf: () => Buffer.alloc(0),
	});
	const open = async (caller: QueueCaller & { account: string }) => {
		const options = { name: "streamChanges", channel: channelOf(caller.account), params: {}, caller } as const;
		const after = { seq: 0, loc: ["query", "after"] as [string, string] };
		const acquireSlot = async () => ({ [Symbol.dispose]() {} });
		return streams.open({ ...options, after, network: undefined, acquireSlot, isAllowed: async () => true });
	};
	const free = await Promise.all(Array.from({ length: 10 }, () => open({ account: "free" })));
	const other = await open({ account: "other" });
	// It leaves the queue.
	(await open({ account: "gone" })).destroy();
	const paid = await open({ account: "paid", plan: "Enterprise" });
	await eventually(async () => [...free, other, paid].every(({ isLive }) => isLive));
	isOver = true;
	await count;

	const turns = Map.groupBy(pages, (page) => page.turn);
	expect(Math.max(...[...turns.values()].map((all) => all.length))).toBeLessThanOrEqual(3);
	// Among 480 pages, those of the paid plan and of the account with one stream are not the last.
	expect(pages).toHaveLength(12 * head);
	const last = (account: string) => pages.findLastIndex((page) => page.account === account);
	expect([last("paid") < 3 * head, last("other") < 4 * head]).toEqual([true, true]);
});
