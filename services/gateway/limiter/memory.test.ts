import { describe, expect, it } from "vitest";
import { SlidingLogs } from "./memory.ts";

/** The same numbers each time (mulberry32). */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const window = 60_000;

/** Takes one if there is room. */
function take(logs: SlidingLogs, limit: number, at: number, key = "a"): boolean {
	if (logs.check(key, limit, window, at).taken >= limit) return false;
	logs.record(key, window, at);
	return true;
}

/** Most moments that lie in any half-open window. */
function mostInAWindow(moments: number[]): number {
	let first = 0;
	let most = 0;
	for (const [index, moment] of moments.entries()) {
		while ((moments[first] ?? moment) <= moment - window) first++;
		most = Math.max(most, index - first + 1);
	}
	return most;
}

describe("a sliding log", () => {
	it("accepts exactly the limit in any window of a random history", () => {
		for (const seed of [1, 2, 3]) {
			const random = randomOf(seed);
			const logs = new SlidingLogs();
			const limit = 1 + Math.floor(random() * 20);
			const accepted: number[] = [];
			let mistakes = 0;
			let at = 1_000_000;
			for (let request = 0; request < 20_000; request++) {
				// Bursts, trickles and pauses.
				at += random() < 0.7 ? Math.floor(random() * 50) : Math.floor(random() * 20_000);
				const hasRoom = (accepted.at(-limit) ?? Number.NEGATIVE_INFINITY) <= at - window;
				if (take(logs, limit, at) !== hasRoom) mistakes++;
				if (hasRoom) accepted.push(at);
			}
			expect({ mistakes, most: mostInAWindow(accepted) }).toEqual({ mistakes: 0, most: limit });
		}
	});

	it("states when the next request is possible, to the millisecond", () => {
		const logs = new SlidingLogs();
		for (const at of [0, 10_000, 20_000]) take(logs, 3, at);
		const { resetMs } = logs.check("a", 3, window, 25_000);
		expect(resetMs).toBe(35_000);
		expect(take(logs, 3, 25_000 + resetMs - 1)).toBe(false);
		expect(take(logs, 3, 25_000 + resetMs)).toBe(true);
	});

	it("waits for several entries to expire after the limit was lowered", () => {
		const logs = new SlidingLogs();
		for (const at of [0, 10_000, 20_000]) take(logs, 3, at);
		expect(logs.check("a", 1, window, 25_000).resetMs).toBe(55_000);
	});

	it("pauses if the clock is set back a little, and restarts if it is set back far", () => {
		const logs = new SlidingLogs();
		for (let index = 0; index < 3; index++) take(logs, 3, 100_000);
		expect(take(logs, 3, 70_000)).toBe(false);
		expect(take(logs, 3, 1_000)).toBe(true);
	});

	it("separates subjects and windows", () => {
		const logs = new SlidingLogs();
		expect(take(logs, 1, 0, "a 60")).toBe(true);
		expect(take(logs, 1, 0, "b 60")).toBe(true);
		expect(take(logs, 1, 0, "a 60")).toBe(false);
	});

	it("evicts only the least recently used subject", () => {
		const logs = new SlidingLogs({ maxSubjects: 3 });
		for (const key of ["a", "b", "c"]) take(logs, 1, 0, key);
		// Being refused is use as well.
		expect(take(logs, 1, 1, "a")).toBe(false);
		take(logs, 1, 2, "d");
		expect(logs.subjects).toBe(3);
		expect(["a", "c", "d"].map((key) => take(logs, 1, 3, key))).toEqual([false, false, false]);
		expect(take(logs, 1, 3, "b")).toBe(true);
	});

	it("bounds the number of timestamps of all subjects together", () => {
		const logs = new SlidingLogs({ maxTimes: 100 });
		for (let index = 0; index < 60; index++) take(logs, 60, index, "a");
		for (let index = 0; index < 60; index++) take(logs, 60, index, "b");
		expect(logs.check("a", 60, window, 60).taken).toBe(0);
		expect(logs.check("b", 60, window, 60).taken).toBe(60);
	});

	it("does not count expired timestamps against that bound", () => {
		const logs = new SlidingLogs({ maxTimes: 400 });
		take(logs, 1, 0, "other");
		for (let index = 0; index < 5_000; index++) take(logs, 100, index * 1_000, "a");
		expect(logs.subjects).toBe(2);
	});
});
