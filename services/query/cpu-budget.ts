/**
 * CPU time of statements without a key, by address. A budget refills steadily; the statement that overdraws it finishes, and the next one
 * has to wait until the overdraft is paid back. Of this process alone, like the slots.
 */
import { tooManyRequests } from "#libs/contract/errors.ts";

export interface CpuLimits {
	/** A full budget (ms). */
	keylessCpuMs: number;
	/** How much of it refills in a minute (ms). */
	keylessCpuMsPerMinute: number;
}

export class CpuBudget {
	readonly #limits: CpuLimits;
	readonly #now: () => number;
	/** CPU time that has not refilled yet (ms), and when that was so. The address that spent least recently first. */
	readonly #spent = new Map<string, { ms: number; at: number }>();

	/** @param now a monotonic clock (ms). */
	constructor(limits: CpuLimits, now: () => number = () => performance.now()) {
		this.#limits = limits;
		this.#now = now;
	}

	/** @throws AppError 429 for an address that has nothing left. */
	check(address: string): void {
		const { keylessCpuMs: full, keylessCpuMsPerMinute: perMinute } = this.#limits;
		const over = this.#spentBy(address) - full;
		if (over < 0) return;
		const seconds = Math.floor((over / perMinute) * 60) + 1;
		throw tooManyRequests(
			`statements without a key have used the CPU time of this address, ${full / 1_000} s, of which ${perMinute / 1_000} s come back in a minute: send a key, or try again in ${seconds} s`,
			seconds,
		);
	}

	spend(address: string, ms: number): void {
		const spent = this.#spentBy(address) + ms;
		this.#spent.delete(address);
		this.#spent.set(address, { ms: spent, at: this.#now() });
		for (const oldest of this.#spent.keys()) {
			if (this.#spentBy(oldest) > 0) return;
			this.#spent.delete(oldest);
		}
	}

	#spentBy(address: string): number {
		const spent = this.#spent.get(address);
		const refilled = ((this.#now() - (spent?.at ?? 0)) / 60_000) * this.#limits.keylessCpuMsPerMinute;
		return Math.max(0, (spent?.ms ?? 0) - refilled);
	}
}
