import { describe, expect, it } from "vitest";
import { Breaker } from "./breaker.ts";

describe("a circuit breaker", () => {
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

	it("lets one trial call through at a time", () => {
		const { clock, breaker } = breakerAt(0);
		fail(breaker);
		clock.ms = 5_000;
		const passes = Array.from({ length: 100 }, () => breaker.enter());
		expect(passes.filter((pass) => pass !== undefined)).toHaveLength(1);
	});

	it("doubles its pause after each failed trial, up to ten seconds", () => {
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

	it("closes when the trial succeeds, and then starts with a pause of one second again", () => {
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

	it("counts a hundred calls that fail together as one failure", () => {
		const { clock, breaker } = breakerAt(0);
		const passes = Array.from({ length: 100 }, () => breaker.enter());
		for (const pass of passes) breaker.failed(pass ?? -1);
		clock.ms = 1_000;
		expect(breaker.enter()).toBeDefined();
	});

	it("is not closed by a result of a call made before it opened", () => {
		const { breaker } = breakerAt(0);
		const slow = breaker.enter();
		fail(breaker);
		breaker.succeeded(slow ?? -1);
		expect(breaker.open).toBe(true);
	});

	it("allows a trial at once after a sign of life", () => {
		const { breaker } = breakerAt(0);
		fail(breaker);
		breaker.retry();
		expect(breaker.enter()).toBeDefined();
		expect(breaker.enter()).toBeUndefined();
	});

	it("does not wait longer if the clock is set back", () => {
		const { clock, breaker } = breakerAt(3_600_000);
		fail(breaker);
		clock.ms = 0;
		expect(breaker.enter()).toBeDefined();
	});
});
