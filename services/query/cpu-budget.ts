/**
 * Budgets of CPU time for unpaid statements, one for each account (with a key of the Free plan) or client address (without a key). A budget
 * refills steadily. A statement may overdraw it; the next one is then refused until the budget is positive again. Each replica has separate
 * budgets.
 */
import { tooManyRequests } from "#libs/contract/errors.ts";
import { keyOf, type QueueCaller } from "#libs/service/fair-queue.ts";

export interface CpuLimits {
	/** Size of a budget (ms). */
	unpaidCpuMs: number;
	/** CPU time that refills in a minute (ms). */
	unpaidCpuMsPerMinute: number;
}

export class CpuBudget {
	readonly #limits: CpuLimits;
	readonly #now: () => number;
	/** The part of each caller's budget that was used up at the time `at` (ms), in the order of the callers' last statements. */
	readonly #spent = new Map<string, { ms: number; at: number }>();

	/** @param now a monotonic clock (ms). */
	constructor(limits: CpuLimits, now: () => number = () => performance.now()) {
		this.#limits = limits;
		this.#now = now;
	}

	/** @throws AppError 429 if the caller's budget is used up. */
	check(caller: QueueCaller): void {
		const { unpaidCpuMs: full, unpaidCpuMsPerMinute: perMinute } = this.#limits;
		const overdrawnMs = this.#spentBy(keyOf(caller)) - full;
		if (overdrawnMs < 0) return;
		const seconds = Math.floor((overdrawnMs / perMinute) * 60) + 1;
		const [cause, remedy] =
			caller.account === undefined
				? ["without a key have used up the CPU time of this address", "send a key of a paid plan"]
				: ["with keys of the Free plan have used up the CPU time of this account", "take a paid plan"];
		throw tooManyRequests(
			`statements ${cause} (${full / 1_000} s, refilled by ${perMinute / 1_000} s a minute): ${remedy}, or try again in ${seconds} s`,
			seconds,
		);
	}

	spend(caller: QueueCaller, ms: number): void {
		const key = keyOf(caller);
		const spent = this.#spentBy(key) + ms;
		this.#spent.delete(key);
		this.#spent.set(key, { ms: spent, at: this.#now() });
		for (const oldest of this.#spent.keys()) {
			if (this.#spentBy(oldest) > 0) return;
			this.#spent.delete(oldest);
		}
	}

	#spentBy(key: string): number {
		const spent = this.#spent.get(key);
		const refilled = ((this.#now() - (spent?.at ?? 0)) / 60_000) * this.#limits.unpaidCpuMsPerMinute;
		return Math.max(0, (spent?.ms ?? 0) - refilled);
	}
}
