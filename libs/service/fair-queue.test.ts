import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FairQueue, type QueueCaller } from "./fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { what: "statements", slots: 2, slotsPerCaller: 2, waiting: 8, waitingPerCaller: 4, waitMs: 2_000 };
const account = (name: string, address?: string): QueueCaller => ({ account: name, address, plan: "Growth" });
const busy = { status: 503, retryAfterSeconds: 2 };
const tooMany = { status: 429, retryAfterSeconds: 1 };

/** The order in which requests get their slots; each gives it back as soon as `next` is called. */
function watched(queue: FairQueue) {
	const order: string[] = [];
	const held: Disposable[] = [];
	return {
		order,
		ask(name: string, caller: QueueCaller) {
			return queue.acquire(caller).then((slot) => {
				order.push(name);
				held.push(slot);
			});
		},
		async next() {
			held.shift()?.[Symbol.dispose]();
			await vi.advanceTimersByTimeAsync(0);
		},
	};
}

describe("waiting callers", () => {
	test("takes turns with other callers, however many requests one of them has", async () => {
		const queue = new FairQueue({ ...limits, slots: 1 });
		const { order, ask, next } = watched(queue);
		const all = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map((name) => ask(name, account(name[0] ?? "")));
		for (let number = 0; number < all.length; number++) await next();
		await Promise.all(all);
		expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
		await next();
		expect(queue.load).toEqual({ running: 0, waiting: 0 });
	});

	test("for slots reserved for it does not block callers from free slots", async () => {
		const queue = new FairQueue({ ...limits, slotsPerCaller: 1 });
		const { order, ask, next } = watched(queue);
		const all = ["a1", "a2", "b1"].map((name) => ask(name, account(name[0] ?? "")));
		await vi.advanceTimersByTimeAsync(0);
		expect(order).toEqual(["a1", "b1"]);
		await next();
		await Promise.all(all);
		expect(order).toEqual(["a1", "b1", "a2"]);
	});

	test("times out after `waitMs`, and leaves the queue when it aborts", async () => {
		const queue = new FairQueue({ ...limits, slots: 1 });
		const slot = await queue.acquire(account("a"));
		const gone = new AbortController();
		const waiting = [queue.acquire(account("b")), queue.acquire(account("c"), gone.signal)];
		const ended = Promise.allSettled(waiting);
		gone.abort(new Error("gone"));
		await vi.advanceTimersByTimeAsync(2_000);
		expect((await ended).map((each) => each.status === "rejected" && each.reason)).toEqual([
			expect.objectContaining(busy),
			new Error("gone"),
		]);
		await expect(queue.acquire(account("d"), gone.signal)).rejects.toThrow("gone");
		expect(queue.load).toEqual({ running: 1, waiting: 0 });
		slot[Symbol.dispose]();
		slot[Symbol.dispose]();
		expect(queue.load).toEqual({ running: 0, waiting: 0 });
	});
});

describe("a share", () => {
	test.each([
		["an account, from wherever", [account("a", "1"), account("a", "2")], account("a", "3"), account("b", "1")],
		["an address without an account", [{ address: "1" }, { address: "1" }], { address: "1" }, { address: "2" }],
		["an address, with whatever account", [account("a", "1"), account("b", "1")], account("c", "1"), account("c", "2")],
	])("of %s is bounded", async (_whose, taken, more, other) => {
		const queue = new FairQueue({ ...limits, slots: 9, waitingPerCaller: 0 });
		await Promise.all(taken.map((caller) => queue.acquire(caller)));
		await expect(queue.acquire(more)).rejects.toMatchObject(tooMany);
		expect(await queue.acquire(other)).toBeDefined();
	});

	test("of an address may be larger than that of each of its accounts", async () => {
		const queue = new FairQueue({ ...limits, slots: 9, slotsPerAddress: 3, waitingPerCaller: 0 });
		for (const name of ["a", "a", "b"]) await queue.acquire(account(name, "1"));
		await expect(queue.acquire(account("b", "1"))).rejects.toMatchObject(tooMany);
		for (const _ of [1, 2]) await queue.acquire({ address: "2" });
		await expect(queue.acquire({ address: "2" })).rejects.toMatchObject(tooMany);
	});

	test("is used up sooner by requests that take several slots; one that takes more than exist runs alone", async () => {
		const queue = new FairQueue({ ...limits, slots: 9, slotsPerCaller: 4, waitingPerCaller: 0 });
		const large = await queue.acquire(account("a"), undefined, 3);
		const small = await queue.acquire(account("a"));
		await expect(queue.acquire(account("a"))).rejects.toMatchObject(tooMany);
		small[Symbol.dispose]();
		await expect(queue.acquire(account("a"), undefined, 2)).rejects.toMatchObject(tooMany);
		large[Symbol.dispose]();
		expect(queue.load.running).toBe(0);
		using _all = await queue.acquire(account("a"), undefined, 20);
		expect(queue.load.running).toBe(20);
	});

	test("is reserved until all slots that a request needs are free", async () => {
		const queue = new FairQueue({ ...limits, slots: 3, slotsPerCaller: 3 });
		const { order, ask, next } = watched(queue);
		const all = [ask("a1", account("a")), ask("a2", account("a"))];
		const large = queue.acquire(account("b"), undefined, 3);
		all.push(ask("c1", account("c")), ask("c2", account("c")));
		await vi.advanceTimersByTimeAsync(0);
		await next();
		expect(queue.load).toEqual({ running: 1, waiting: 3 });
		await next();
		expect(queue.load).toEqual({ running: 3, waiting: 2 });
		(await large)[Symbol.dispose]();
		await Promise.all(all);
		expect(order).toEqual(["a1", "a2", "c1", "c2"]);
	});

	test("of waiting requests is bounded; anonymous callers are bounded only by the whole queue", async () => {
		const queue = new FairQueue({ ...limits, waiting: 9, waitingPerCaller: 1 });
		for (const _ of [1, 2]) await queue.acquire({});
		const waiting = [queue.acquire(account("a")), ...[1, 2, 3].map(() => queue.acquire({}))];
		await expect(queue.acquire(account("a"))).rejects.toMatchObject(tooMany);
		expect(queue.load).toEqual({ running: 2, waiting: 4 });
		const ended = Promise.allSettled(waiting);
		await vi.advanceTimersByTimeAsync(2_000);
		expect((await ended).map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
	});
});

test("in a full queue, the caller with the most requests loses one to a caller with fewer, but not to one with as many", async () => {
	const queue = new FairQueue({ ...limits, slots: 1, waiting: 4 });
	const { order, ask, next } = watched(queue);
	const ended = Promise.allSettled(["a1", "a2", "a3", "b1", "b2"].map((name) => ask(name, account(name[0] ?? ""))));
	const late = ask("c1", account("c"));
	await expect(ask("b3", account("b"))).rejects.toMatchObject(busy);
	for (let number = 0; number < 5; number++) await next();
	await late;
	expect((await ended).map(({ status }) => status)).toEqual([
		"fulfilled",
		"fulfilled",
		"rejected",
		"fulfilled",
		"fulfilled",
	]);
	expect(order).toEqual(["a1", "a2", "b1", "c1", "b2"]);
});

describe("slots for paid plans only", () => {
	const reserved = { ...limits, slots: 3, slotsUnpaid: 2, waiting: 4 };
	/** With an odd number it has no key, with an even one a free one. */
	const unpaid = (number: string): QueueCaller =>
		Number(number) % 2 === 1 ? { address: number } : { account: number, plan: "Free" };

	test("other callers leave these free, however many requests they have", async () => {
		const queue = new FairQueue(reserved);
		const { order, ask, next } = watched(queue);
		const all = ["1", "2", "3"].map((name) => ask(name, unpaid(name)));
		all.push(ask("a", account("a")));
		await vi.advanceTimersByTimeAsync(0);
		expect(order).toEqual(["1", "2", "a"]);
		await next();
		await Promise.all(all);
		expect(order.at(-1)).toBe("3");
		for (let number = 0; number < 3; number++) await next();
		expect(queue.load).toEqual({ running: 0, waiting: 0 });
	});

	test("a slot that becomes free goes to a paid plan first", async () => {
		const queue = new FairQueue({ ...reserved, slots: 1, slotsUnpaid: 1 });
		const { order, ask, next } = watched(queue);
		const all = ["1", "2"].map((name) => ask(name, unpaid(name)));
		all.push(ask("a", account("a")), ask("b", account("b")));
		for (let number = 0; number < 4; number++) await next();
		await Promise.all(all);
		expect(order).toEqual(["1", "a", "b", "2"]);
	});

	test("in a full queue paid plans displace other callers, never the reverse", async () => {
		const queue = new FairQueue({ ...reserved, slots: 1, slotsUnpaid: 1 });
		using _slot = await queue.acquire(account("z"));
		const waiting = ["1", "2", "3", "4"].map((name) => queue.acquire(unpaid(name)));
		const accounts = ["a", "a", "a", "a"].map((name) => queue.acquire(account(name)));
		const ended = Promise.allSettled([...waiting, ...accounts]);
		await expect(queue.acquire(unpaid("5"))).rejects.toMatchObject(busy);
		await expect(Promise.all(waiting)).rejects.toMatchObject(busy);
		expect(queue.load).toEqual({ running: 1, waiting: 4 });
		await vi.advanceTimersByTimeAsync(2_000);
		expect((await ended).map(({ status }) => status)).toEqual(Array(8).fill("rejected"));
	});
});
