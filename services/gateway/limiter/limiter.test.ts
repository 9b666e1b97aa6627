import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type LimiterOptions, openLedger, openLimiter } from "./limiter.ts";

const silent = { warn: () => {}, info: () => {} };

function limiterAt(at: string, options: Partial<LimiterOptions> = {}) {
	const clock = { now: new Date(at) };
	const requests: string[] = [];
	const ledger = { used: 0 };
	const limiter = openLimiter({
		redisUrl: undefined,
		timeoutMs: 50,
		instances: 1,
		log: silent,
		now: () => clock.now,
		async countUsedRequests(subject, month) {
			requests.push(`${subject} ${month}`);
			return ledger.used;
		},
		...options,
	});
	const forward = (ms: number) => {
		clock.now = new Date(clock.now.getTime() + ms);
	};
	return { limiter, clock, ledger, requests, forward };
}

const free = { perMinute: 10, periodQueries: 50 };

describe("a limiter without Redis", () => {
	it("limits by itself, and does not count as degraded", async () => {
		const { limiter } = limiterAt("2026-11-21T12:00:00Z");
		const decisions = [];
		for (let index = 0; index < 12; index++) decisions.push(await limiter.take("account:1", free, false));
		expect(decisions.map(({ allowed }) => allowed)).toEqual([...Array(10).fill(true), false, false]);
		expect(decisions.at(-1)).toEqual({
			allowed: false,
			violated: "minute",
			minute: { limit: 10, remaining: 0, resetSeconds: 60, windowSeconds: 60 },
			degraded: false,
		});
		expect(limiter.degraded).toBe(false);
	});

	it("separates the month from the minute, and a refused request uses neither", async () => {
		const { limiter, ledger, forward } = limiterAt("2026-11-21T12:00:00Z");
		ledger.used = 48;
		const limits = { perMinute: 3, periodQueries: 50 };
		const take = async () => limiter.take("account:1", limits, true);
		expect(await take()).toMatchObject({ allowed: true, month: { limit: 50, remaining: 1 }, minute: { remaining: 2 } });
		expect(await take()).toMatchObject({ allowed: true, month: { remaining: 0 } });
		for (let index = 0; index < 5; index++) {
			expect(await take()).toMatchObject({ allowed: false, violated: "month", minute: { remaining: 1 } });
		}
		// Requests that do not count against the month go on, and have the minute that the refused ones did not take.
		expect(await limiter.take("account:1", limits, false)).toMatchObject({ allowed: true, minute: { remaining: 0 } });
		forward(60_000);
		expect(await take()).toMatchObject({
			violated: "month",
			month: { remaining: 0, resetSeconds: 820_740, windowSeconds: 2_592_000, resetsAt: "2026-12-01T00:00:00Z" },
		});
	});

	it("starts a new month at midnight UTC with the ledger's count", async () => {
		const { limiter, clock, ledger, requests } = limiterAt("2026-11-30T23:59:59.999Z");
		ledger.used = 50;
		expect(await limiter.take("account:1", free, true)).toMatchObject({ allowed: false, violated: "month" });
		clock.now = new Date("2026-12-01T00:00:00Z");
		ledger.used = 0;
		expect(await limiter.take("account:1", free, true)).toMatchObject({ allowed: true, month: { remaining: 49 } });
		expect(requests).toEqual(["account:1 2026-11", "account:1 2026-12"]);
		expect(await limiter.used("account:1")).toBe(1);
	});

	it("reads the ledger again after ten seconds and adds the requests accepted since", async () => {
		const { limiter, ledger, requests, forward } = limiterAt("2026-11-21T12:00:00Z");
		const take = async () =>
			(await limiter.take("account:1", { perMinute: null, periodQueries: 50 }, true)).month?.remaining;
		expect([await take(), await take()]).toEqual([49, 48]);
		forward(9_999);
		expect(await take()).toBe(47);
		expect(requests).toHaveLength(1);
		forward(1);
		ledger.used = 30;
		// This one does not wait for the answer, the next one has it.
		expect(await take()).toBe(46);
		await turn();
		expect(requests).toHaveLength(2);
		expect(await take()).toBe(19);
		// A ledger that lags takes nothing back.
		forward(10_000);
		ledger.used = 2;
		await take();
		await turn();
		expect(await take()).toBe(17);
	});

	it("does not enforce the month, only the minute, while the ledger is unavailable", async () => {
		const { limiter } = limiterAt("2026-11-21T12:00:00Z", {
			countUsedRequests: async () => {
				throw new Error("billing is away");
			},
		});
		const decisions = [];
		for (let index = 0; index < 11; index++)
			decisions.push(await limiter.take("account:1", { perMinute: 10, periodQueries: 1 }, true));
		expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
		expect(decisions.every(({ month }) => month === undefined)).toBe(true);
		expect(await limiter.used("account:1")).toBeUndefined();
	});

	it("refunds a query of the month, and never more than was used", async () => {
		const { limiter } = limiterAt("2026-11-21T12:00:00Z");
		await limiter.take("account:1", free, true);
		limiter.add("account:1", -1);
		limiter.add("account:1", -1);
		expect(await limiter.used("account:1")).toBe(0);
		expect(await limiter.take("account:1", free, true)).toMatchObject({
			month: { remaining: 49 },
			minute: { remaining: 8 },
		});
	});

	it("takes its share of a limit among several replicas, at least one request", async () => {
		const { limiter } = limiterAt("2026-11-21T12:00:00Z", { instances: 4 });
		const accepted = async (subject: string, perMinute: number) => {
			let count = 0;
			while ((await limiter.take(subject, { perMinute, periodQueries: null }, false)).allowed) count++;
			return count;
		};
		expect(await accepted("address:192.0.2.1", 10)).toBe(2);
		expect(await accepted("address:192.0.2.2", 3)).toBe(1);
	});

	it("supports other windows", async () => {
		const { limiter, forward } = limiterAt("2026-11-21T12:00:00Z");
		const limits = { perMinute: 2, periodQueries: null, windowSeconds: 3_600 };
		const take = async () => (await limiter.take("register:192.0.2.1", limits, false)).allowed;
		expect([await take(), await take(), await take()]).toEqual([true, true, false]);
		forward(3_599_999);
		expect(await take()).toBe(false);
		forward(1);
		expect(await take()).toBe(true);
	});

	it("allows exactly the quota when a thousand concurrent requests begin an uncounted month", async () => {
		const { limiter, ledger, requests } = limiterAt("2026-11-21T12:00:00Z");
		ledger.used = 40;
		const decisions = await Promise.all(
			Array.from({ length: 1_000 }, () => limiter.take("account:1", { perMinute: null, periodQueries: 50 }, true)),
		);
		expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(10);
		expect(requests).toHaveLength(1);
	});

	it("evicts the least recently used subject", async () => {
		const { limiter } = limiterAt("2026-11-21T12:00:00Z", { maxSubjects: 2 });
		const take = async (subject: string) =>
			(await limiter.take(subject, { perMinute: 1, periodQueries: null }, false)).allowed;
		expect([await take("a"), await take("b"), await take("a"), await take("c")]).toEqual([true, true, false, true]);
		expect([await take("a"), await take("b")]).toEqual([false, true]);
	});

	it("calls neither Redis nor the ledger for an unlimited subject", async () => {
		const { limiter, requests } = limiterAt("2026-11-21T12:00:00Z");
		const unlimited = { perMinute: null, periodQueries: null };
		expect(await limiter.take("account:1", unlimited, false)).toEqual({ allowed: true, degraded: false });
		expect(await limiter.take("account:1", unlimited, true)).toEqual({ allowed: true, degraded: false });
		expect(requests).toEqual([]);
	});
});

describe("reading the ledger", () => {
	function ledgerOf(countUsedRequests: (subject: string, month: string) => Promise<number>, timeoutMs = 1_000) {
		const clock = { ms: 0 };
		const warnings: unknown[] = [];
		const log = { warn: (...words: unknown[]) => void warnings.push(words) };
		return { clock, warnings, ask: openLedger({ countUsedRequests, now: () => clock.ms, log, timeoutMs }) };
	}

	it("happens once for concurrent callers of the same month and subject", async () => {
		const requests: string[] = [];
		const { ask } = ledgerOf(async (subject, month) => requests.push(`${subject} ${month}`));
		const counts = await Promise.all([
			ask("a", "2026-11"),
			ask("a", "2026-11"),
			ask("b", "2026-11"),
			ask("a", "2026-12"),
		]);
		expect(counts).toEqual([1, 1, 2, 3]);
		expect(requests).toEqual(["a 2026-11", "b 2026-11", "a 2026-12"]);
	});

	it("pauses for a second after a failure, which is logged once", async () => {
		let requests = 0;
		const { ask, clock, warnings } = ledgerOf(async () => {
			requests++;
			throw new Error("billing is away");
		});
		for (let index = 0; index < 10; index++) expect(await ask(`a${index}`, "2026-11")).toBeUndefined();
		expect(requests).toBe(1);
		clock.ms = 1_000;
		await ask("a", "2026-11");
		expect(requests).toBe(2);
		expect(warnings).toHaveLength(1);
	});

	it("does not wait for a ledger that hangs", async () => {
		const { ask } = ledgerOf(() => new Promise(() => {}), 1);
		expect(await ask("a", "2026-11")).toBeUndefined();
	});

	it("accepts only counts", async () => {
		for (const nonsense of [-1, Number.NaN, 1.5]) {
			const { ask } = ledgerOf(async () => nonsense);
			expect(await ask("a", "2026-11")).toBeUndefined();
		}
	});
});
