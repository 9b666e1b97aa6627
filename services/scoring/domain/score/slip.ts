/** How far the projected date of commercial operation has moved, by the moves in the change feed. Dates are `YYYY-MM-DD`. Pure. */
import type { CodChange } from "../facts.ts";

/**
 * Whole months by which `cod` is later than the date projected at the end of the day `since`; 0 where it is not later, is not stated, or
 * nothing was moved after that day. Where no date was stated then, the first that was stated after it counts. `changes`: oldest first.
 */
export function slippedMonths(changes: readonly CodChange[], cod: string | null, since: string): number {
	if (cod === null) return 0;
	const then = firstStated(changes, since);
	return then === null || then >= cod ? 0 : monthsBetween(then, cod);
}

/**
 * Days by which the date is later in all than first projected; 0 where it is not. A move back counts against the moves before it, so that
 * a corrected slip of the pen is none. Where the date is no longer stated, the last one stands.
 */
export function cumulativeSlipDays(changes: readonly CodChange[], cod: string | null): number {
	const first = firstStated(changes, "");
	const last = cod ?? lastStated(changes);
	if (first === null || last === null || first >= last) return 0;
	return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000);
}

function firstStated(changes: readonly CodChange[], since: string): string | null {
	for (const change of changes) {
		if (change.on <= since) continue;
		const stated = change.old ?? change.new;
		if (stated !== null) return stated;
	}
	return null;
}

function lastStated(changes: readonly CodChange[]): string | null {
	const stated = changes.findLast((change) => change.new !== null || change.old !== null);
	return stated?.new ?? stated?.old ?? null;
}

/** Whole months from an earlier day to a later one; the last day of a month is as good as any later day of another. */
function monthsBetween(from: string, to: string): number {
	const [fromYear, fromMonth, fromDay] = partsOf(from);
	const [toYear, toMonth, toDay] = partsOf(to);
	const months = (toYear - fromYear) * 12 + toMonth - fromMonth;
	const lastDay = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
	return toDay < Math.min(fromDay, lastDay) ? months - 1 : months;
}

function partsOf(day: string): [year: number, month: number, day: number] {
	return [Number(day.slice(0, 4)), Number(day.slice(5, 7)), Number(day.slice(8, 10))];
}
