import { within } from "#libs/contract/within.ts";
import type { Logger } from "#libs/service/logger.ts";
import { Breaker } from "./breaker.ts";

export interface LedgerOptions {
	countUsed(subject: string, period: string): Promise<number>;
	now: () => number;
	log: Pick<Logger, "warn">;
	timeoutMs?: number;
}

/** Undefined if the count cannot be read now. Never throws. */
export type ReadLedger = (subject: string, period: string) => Promise<number | undefined>;

export function openLedger({ countUsed, now, log, timeoutMs = 1_000 }: LedgerOptions): ReadLedger {
	const breaker = new Breaker({ now });
	const underWay = new Map<string, Promise<number | undefined>>();

	async function ask(subject: string, period: string): Promise<number | undefined> {
		const pass = breaker.enter();
		if (pass === undefined) return undefined;
		try {
			const counted = await within(countUsed(subject, period), timeoutMs);
			if (counted === undefined) throw new Error(`no answer in ${timeoutMs} ms`);
			if (!Number.isSafeInteger(counted.value) || counted.value < 0) throw new Error("the answer is not a count");
			breaker.succeeded(pass);
			return counted.value;
		} catch (error) {
			if (!breaker.open) log.warn({ err: error }, "the month's count is unknown: the quota is not enforced meanwhile");
			breaker.failed(pass);
			return undefined;
		}
	}

	return (subject, period) => {
		const key = `${period} ${subject}`;
		const joined = underWay.get(key);
		if (joined !== undefined) return joined;
		const reading = ask(subject, period).finally(() => underWay.delete(key));
		underWay.set(key, reading);
		return reading;
	};
}
