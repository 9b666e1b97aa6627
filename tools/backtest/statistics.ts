/** Measures of how well a chance orders and predicts. Pure. */

/**
 * Area under the ROC curve: the share of all pairs of a positive and a negative in which the positive has the higher value, a tie counting
 * half. Null where there is no such pair.
 */
export function auc(values: readonly number[], positive: readonly boolean[]): number | null {
	const sorted = values.map((value, at) => ({ value, hit: positive[at] ?? false })).sort((a, b) => a.value - b.value);
	let [won, below, positives] = [0, 0, 0];
	for (let from = 0; from < sorted.length; ) {
		let [to, hits] = [from, 0];
		for (; to < sorted.length && sorted[to]?.value === sorted[from]?.value; to++) if (sorted[to]?.hit) hits++;
		const misses = to - from - hits;
		won += hits * (below + misses / 2);
		below += misses;
		positives += hits;
		from = to;
	}
	return positives * below === 0 ? null : won / (positives * below);
}

export interface Bin {
	n: number;
	/** Mean of the probabilities. */
	predicted: number;
	/** Share of positives. */
	observed: number;
}

/** At most `count` bins of about as many observations each, by rising probability; equal probabilities are never parted. */
export function calibration(probabilities: readonly number[], positive: readonly boolean[], count = 10): Bin[] {
	const sorted = probabilities.map((p, at) => ({ p, hit: positive[at] ? 1 : 0 })).sort((a, b) => a.p - b.p);
	const bins: Bin[] = [];
	let from = 0;
	while (from < sorted.length) {
		let to = from + Math.max(1, Math.round((sorted.length - from) / Math.max(1, count - bins.length)));
		while (to < sorted.length && sorted[to]?.p === sorted[to - 1]?.p) to++;
		const members = sorted.slice(from, to);
		bins.push({
			n: members.length,
			predicted: mean(members.map(({ p }) => p)),
			observed: mean(members.map((m) => m.hit)),
		});
		from = to;
	}
	return bins;
}

export const mean = (values: readonly number[]): number =>
	values.reduce((sum, value) => sum + value, 0) / values.length;
