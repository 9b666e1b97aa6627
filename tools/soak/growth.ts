/** Whether a number that was read again and again has grown for good: its ups and downs do not count, its level does. */
import { median } from "../bench/measure.ts";

export interface Growth {
	name: string;
	/** Level after warming up, and at the end. */
	early: number;
	late: number;
	/** Most that `late` may be above `early`. */
	allowed: number;
	grew: boolean;
}

/** Measures by how they may move: megabytes of memory, megabytes of heap, or counts. */
export type Measure = "memory" | "heap" | "count";

/** A rise over the first level that is not growth: a share of it, or a small amount where it is small, because the work under way varies. */
const allowances: Record<Measure, { share: number; least: number }> = {
	memory: { share: 0.1, least: 12 },
	heap: { share: 0.1, least: 4 },
	count: { share: 0.1, least: 10 },
};

/** Readings before this share of the time are warming up: caches fill, code is compiled. */
const warmShare = 1 / 4;

/** A quarter's level is this quantile of its readings: the level at the least load, past the one reading that is too low. */
const lowShare = 1 / 10;

/**
 * Compares the second quarter of the readings with the last. Of memory the median counts; of a heap (read after a collection) and of what
 * is counted the low readings: requests and events under way come and go, what is never let go of stays. A few may be missing; what could
 * mostly not be read is as bad as what grew.
 */
export function growthOf(name: string, measure: Measure, all: readonly number[]): Growth {
	const readings = all.filter(Number.isFinite);
	const at = (share: number) => Math.floor(readings.length * share);
	const level = (some: readonly number[]) => (measure === "memory" ? median(some) : low(some));
	const early = level(readings.slice(at(warmShare), at(warmShare * 2)));
	const late = level(readings.slice(at(1 - warmShare)));
	const { share, least } = allowances[measure];
	const allowed = Math.max(early * share, least);
	const isKnown = readings.length > all.length / 2;
	return { name, early, late, allowed, grew: !isKnown || late - early > allowed };
}

const low = (some: readonly number[]): number =>
	[...some].sort((a, b) => a - b)[Math.floor(some.length * lowShare)] ?? Number.NaN;
