import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FairQueue, type QueueCaller } from "./fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { what: "statements", slots: 2, slotsPerCaller: 2, waiting: 8, waitingPerCaller: 4, waitMs: 2_000 };
const account = (name: string, address?: string): QueueCaller => ({ account: name, address });
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

describe("whoever waits", () => {
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

	test("for a slot of its own does not keep others from those that are free", async () => {
		const queue = new FairQueue({ ...limits, slotsPerCaller: 1 });
		const { order, ask, next } = watched(queue);
		const all = ["a1", "a2", "b1"].map((name) => ask(name, account(name[0] ?? "")));
		await vi.advanceTimersByTimeAsync(0);
		expect(order).toEqual(["a1", "b1"]);
		await next();
		await Promise.all(all);
		expect(order).toEqual(["a1", "b1", "a2"]);
	});

	test("has waited long enough after `waitMs`, and has left when it says so", async () => {
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

	test("of the waiting is bounded; who is nobody in particular is bounded by the whole alone", async () => {
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

test("a full queue: who has most in it gives way to who has less, and to nobody who has as much", async () => {
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
