import { describe, expect, it } from "vitest";
import { Breaker } from "./breaker.ts";

describe("a breaker", () => {
	function breakerAt(start: number) {
		const clock = { ms: start };
		return { clock, breaker: new Breaker({ now: () => clock.ms }) };
	}
	/** Fails the next call, which must be allowed. */
	function fail(breaker: Breaker) {
		const pass = breaker.enter();
		if (pass === undefined) throw new Error("no pass");
		breaker.failed(pass);
	}

	it("lets every call through until one fails, and none for a second after it", () => {
		const { clock, breaker } = breakerAt(0);
		expect([breaker.enter(), breaker.enter()]).not.toContain(undefined);
		fail(breaker);
		clock.ms = 999;
		expect(breaker.enter()).toBeUndefined();
		expect(breaker.open).toBe(true);
		clock.ms = 1_000;
		expect(breaker.enter()).toBeDefined();
	});

	it("lets one call try, and no other beside it", () => {
		const { clock, breaker } = breakerAt(0);
		fail(breaker);
		clock.ms = 5_000;
		const passes = Array.from({ length: 100 }, () => breaker.enter());
		expect(passes.filter((pass) => pass !== undefined)).toHaveLength(1);
	});

	it("waits twice as long after each try that fails, ten seconds at most", () => {
		const { clock, breaker } = breakerAt(0);
		const waits: number[] = [];
		fail(breaker);
		while (waits.length < 6) {
			const from = clock.ms;
			let pass = breaker.enter();
			for (; pass === undefined; pass = breaker.enter()) clock.ms += 100;
			waits.push(clock.ms - from);
			breaker.failed(pass);
		}
		expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
	});

	it("closes for all when the try succeeds, and begins with a second again", () => {
		const { clock, breaker } = breakerAt(0);
		fail(breaker);
		clock.ms = 1_000;
		fail(breaker);
		clock.ms = 3_000;
		const pass = breaker.enter();
		breaker.succeeded(pass ?? -1);
		expect(breaker.open).toBe(false);
		fail(breaker);
		clock.ms = 4_000;
		expect(breaker.enter()).toBeDefined();
	});

	it("takes a hundred calls that fail together for one failure", () => {
		const { clock, breaker } = breakerAt(0);
		const passes = Array.from({ length: 100 }, () => breaker.enter());
		for (const pass of passes) breaker.failed(pass ?? -1);
		clock.ms = 1_000;
		expect(breaker.enter()).toBeDefined();
	});

	it("is not closed by an answer to a call from before it opened", () => {
		const { breaker } = breakerAt(0);
		const slow = breaker.enter();
		fail(breaker);
		breaker.succeeded(slow ?? -1);
		expect(breaker.open).toBe(true);
	});

	it("lets a call try at once after a sign of life", () => {
		const { breaker } = breakerAt(0);
		fail(breaker);
		breaker.retry();
		expect(breaker.enter()).toBeDefined();
		expect(breaker.enter()).toBeUndefined();
	});

	it("does not wait for a clock that was put back", () => {
		const { clock, breaker } = breakerAt(3_600_000);
		fail(breaker);
		clock.ms = 0;
		expect(breaker.enter()).toBeDefined();
	});
});
