/** Measures of how well a score orders and predicts: area under the ROC curve, Brier score, isotonic calibration, bootstrap. Pure. */

/** The number of positives and negatives by score, from 0. */
export interface Counts {
	positives: Float64Array;
	negatives: Float64Array;
}

/** Larger than any score; scores are counted in arrays. */
const tooMany = 1_000_000;

/** Counts by group. Throws `RangeError` for a score that is not a whole number from 0. */
export function countsBy(
	groups: readonly string[],
	scores: readonly number[],
	positive: readonly boolean[],
): Map<string, Counts> {
	const counts = new Map<string, Counts>();
	const size = 1 + scores.reduce((most, score) => Math.max(most, checked(score)), 0);
	for (const [at, score] of scores.entries()) {
		const group = groups[at] ?? "";
		let known = counts.get(group);
		if (known === undefined) {
			known = { positives: new Float64Array(size), negatives: new Float64Array(size) };
			counts.set(group, known);
		}
		const side = positive[at] ? known.positives : known.negatives;
		side[score] = (side[score] ?? 0) + 1;
	}
	return counts;
}

function checked(score: number): number {
	if (!Number.isInteger(score) || score < 0 || score >= tooMany)
		throw new RangeError(`${score} is no score: a whole number from 0`);
	return score;
}

/** The same order in the least whole numbers: 3, 70, 3 are 0, 1, 0. */
export function ranks(scores: readonly number[]): number[] {
	const places = new Map([...new Set(scores)].sort((a, b) => a - b).map((score, place) => [score, place]));
	return scores.map((score) => places.get(score) ?? 0);
}

/**
 * Area under the ROC curve: the share of all pairs of a positive and a negative in which the positive has the higher score, a tie
 * counting half. Null where there is no such pair. Of several counts only pairs within one count.
 */
export function area(counts: Iterable<Counts>): number | null {
	let won = 0;
	let pairs = 0;
	for (const { positives, negatives } of counts) {
		let below = 0;
		let total = 0;
		for (let score = 0; score < positives.length; score++) {
			const [p, n] = [positives[score] ?? 0, negatives[score] ?? 0];
			won += p * (below + n / 2);
			below += n;
			total += p;
		}
		pairs += total * below;
	}
	return pairs === 0 ? null : won / pairs;
}

/** `area` of scores; with `groups`, over the pairs of one group. */
export function auc(
	scores: readonly number[],
	positive: readonly boolean[],
	groups: readonly string[] = [],
): number | null {
	return area(countsBy(groups, scores, positive).values());
}

/** Mean squared difference of probability and outcome: 0 is perfect, 0.25 what always saying one half comes to. Null for nothing. */
export function brier(probabilities: readonly number[], positive: readonly boolean[]): number | null {
	if (probabilities.length === 0) return null;
	const sum = probabilities.reduce((total, p, at) => total + (p - (positive[at] ? 1 : 0)) ** 2, 0);
	return sum / probabilities.length;
}

/**
 * Isotonic regression by pooling adjacent violators: the share of positives at each score such that a higher score never means less.
 * Answers the probability of a score: that of the highest fitted score not above it, of the lowest where it is below all. Throws
 * `RangeError` without observations.
 */
export function isotonic(scores: readonly number[], positive: readonly boolean[]): (score: number) => number {
	const byScore = new Map<number, { n: number; positives: number }>();
	for (const [at, score] of scores.entries()) {
		const seen = byScore.get(score) ?? { n: 0, positives: 0 };
		byScore.set(score, { n: seen.n + 1, positives: seen.positives + (positive[at] ? 1 : 0) });
	}
	if (byScore.size === 0) throw new RangeError("no observations to calibrate on");
	const steps: { from: number; n: number; positives: number }[] = [];
	for (const [from, count] of [...byScore].sort(([a], [b]) => a - b)) {
		let step = { from, ...count };
		for (let last = steps.at(-1); last !== undefined && share(last) >= share(step); last = steps.at(-1)) {
			steps.pop();
			step = { from: last.from, n: last.n + step.n, positives: last.positives + step.positives };
		}
		steps.push(step);
	}
	return (score) => {
		const step = steps.findLast(({ from }) => from <= score) ?? steps[0];
		return step === undefined ? 0 : share(step);
	};
}

const share = ({ n, positives }: { n: number; positives: number }): number => positives / n;

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

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Uniform numbers from 0 to 1, the same for the same seed (mulberry32). */
export function uniform(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

export interface Interval {
	low: number;
	high: number;
}

/**
 * 95 % bootstrap interval of a statistic: whole clusters are drawn with replacement. `statistic` gets how often each cluster was drawn, and
 * answers null where it is not defined; the interval is null where that is so in more than half of the draws.
 */
export function clusterInterval(
	clusters: readonly string[],
	statistic: (times: ReadonlyMap<string, number>) => number | null,
	{ draws, seed }: { draws: number; seed: number },
): Interval | null {
	const random = uniform(seed);
	const values: number[] = [];
	for (let draw = 0; draw < draws; draw++) {
		const times = new Map<string, number>();
		for (let n = 0; n < clusters.length; n++) {
			const drawn = clusters[Math.floor(random() * clusters.length)] ?? "";
			times.set(drawn, (times.get(drawn) ?? 0) + 1);
		}
		const value = statistic(times);
		if (value !== null) values.push(value);
	}
	if (values.length === 0 || values.length < draws / 2) return null;
	values.sort((a, b) => a - b);
	const at = (quantile: number) => values[Math.round(quantile * (values.length - 1))] ?? 0;
	return { low: at(0.025), high: at(0.975) };
}

/** The counts of the drawn clusters, added up by the group of each. `counts` are of one call of `countsBy`. */
export function drawnCounts(
	counts: ReadonlyMap<string, Counts>,
	times: ReadonlyMap<string, number>,
	groupOf: (cluster: string) => string,
): Counts[] {
	const groups = new Map<string, Counts>();
	for (const [cluster, count] of times) {
		const drawn = counts.get(cluster);
		if (drawn === undefined) continue;
		const size = drawn.positives.length;
		const group = groupOf(cluster);
		const sum = groups.get(group) ?? { positives: new Float64Array(size), negatives: new Float64Array(size) };
		for (let score = 0; score < size; score++) {
			sum.positives[score] = (sum.positives[score] ?? 0) + count * (drawn.positives[score] ?? 0);
			sum.negatives[score] = (sum.negatives[score] ?? 0) + count * (drawn.negatives[score] ?? 0);
		}
		groups.set(group, sum);
	}
	return [...groups.values()];
}
