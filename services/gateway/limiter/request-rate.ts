/**
 * Counts every request of an address before anything else is done for it: in this process and by one number an address, so that it
 * costs less than what it refuses. What plans and free requests are worth is counted exactly, among all replicas, by the limiter.
 */
import { LRUCache } from "lru-cache";
import { type TooMany, tooMany } from "./rate-headers.ts";

const windowMs = 60_000;
/** Most addresses that are remembered; beyond it the one least recently seen is evicted. */
const capacity = 50_000;

export class RequestRate {
	readonly #perMinute: number;
	readonly #ticks: () => number;
	/** When an address that had sent its requests evenly would have sent the last one (monotonic ms). */
	readonly #sentUntil = new LRUCache<string, number>({ max: capacity });

	/** `perMinute`: at once, or evenly; 0 for no limit. */
	constructor(perMinute: number, ticks = () => performance.now()) {
		this.#perMinute = perMinute;
		this.#ticks = ticks;
	}

	/** Answers the refusal of one too many, which counts nothing. */
	count(address: string): TooMany | undefined {
		if (this.#perMinute === 0) return undefined;
		const now = this.#ticks();
		const next = Math.max(now, this.#sentUntil.get(address) ?? 0) + windowMs / this.#perMinute;
		const tooEarlyMs = next - now - windowMs;
		// A sum of fractions is not exact.
		if (tooEarlyMs <= 1e-6) {
			this.#sentUntil.set(address, next);
			return undefined;
		}
		const resetSeconds = Math.max(1, Math.ceil(tooEarlyMs / 1_000));
		const minute = { limit: this.#perMinute, remaining: 0, resetSeconds, windowSeconds: windowMs / 1_000 };
		return tooMany({ allowed: false, violated: "minute", minute, degraded: false }, "requests of this address");
	}
}
