/** How firm the ground of a score is: how narrow its chance is known, and how old the list is that it was read in. Never part of the score. Pure. */
import type { Chance } from "./score/index.ts";

/** Lists that may have been missed before an old one counts for less. */
const missedLists = 3;

/** 0 to 1, two decimals; null where the day of the list is not known. `listDays`: from one list of the operator to the next. */
export function confidenceOf(
	chance: Pick<Chance, "low" | "high"> | null,
	ageDays: number | null,
	listDays: number,
): number | null {
	if (ageDays === null) return null;
	const width = chance === null ? 0 : chance.high - chance.low;
	const freshness = Math.min(1, (missedLists * listDays) / Math.max(ageDays, 1));
	return Math.round(100 * (1 - width) * freshness) / 100;
}
