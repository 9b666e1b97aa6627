/** Maps values to pixels. A domain of width 0 maps to the start of the range. */
export function linear([first, last]: [number, number], [from, to]: [number, number]): (value: number) => number {
	const width = last - first;
	return (value) => {
		const share = width === 0 ? 0 : (value - first) / width;
		return Math.round((from + share * (to - from)) * 100) / 100;
	};
}

/** Returns about `targetCount` round values, from 0 to at least `max`: 0, 200, 400, 600. */
export function ticksTo(max: number, targetCount = 4): number[] {
	if (!(max > 0)) return [0];
	const rough = max / targetCount;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
	const steps = Math.ceil(max / step - 1e-9);
	return Array.from({ length: steps + 1 }, (_, at) => at * step);
}

/** Like `ticksTo`, but starts below zero if `min` is negative. */
export function ticksBetween(min: number, max: number): number[] {
	const above = ticksTo(Math.max(max, -min));
	const step = above[1] ?? 0;
	const below = step === 0 ? 0 : Math.max(0, Math.ceil(-min / step - 1e-9));
	const ticks = [...Array.from({ length: below }, (_, at) => (at - below) * step), ...above];
	return ticks.filter((tick) => tick <= 0 || tick - step < max);
}

/** Returns up to `maxYears` evenly spaced years that begin between two times (ms since 1970, UTC). */
export function yearsBetween(from: number, to: number, maxYears: number): number[] {
	const first = new Date(from).getUTCFullYear() + 1;
	const last = new Date(to).getUTCFullYear();
	const count = Math.max(0, last - first + 1);
	const every = Math.max(1, Math.ceil(count / Math.max(1, maxYears)));
	return Array.from({ length: count }, (_, at) => first + at).filter((year) => year % every === 0);
}

/** Midnight (UTC, in ms) of an ISO day or time. */
export const startOfDay = (text: string): number => Date.parse(text.slice(0, 10));

/** Width that an axis needs for the longest of its labels (CSS pixels). */
export const axisWidth = (texts: readonly string[]): number =>
	14 + 7 * Math.max(1, ...texts.map((text) => text.length));
