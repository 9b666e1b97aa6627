/** Measures two things in turn, A B A B, so that what else the machine does meets both alike. */

/** What one turn came to. `null`: this turn has nothing to compare with. */
export type Turn = () => Promise<number>;

export interface Compared {
	ours: number[];
	baseline: number[];
}

/** Runs `warmUps` turns of each that do not count, then `rounds` that do. */
export async function interleave(
	{ rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
	ours: Turn,
	baseline: Turn,
): Promise<Compared> {
	const compared: Compared = { ours: [], baseline: [] };
	for (let round = -warmUps; round < rounds; round++) {
		const [a, b] = [await ours(), await baseline()];
		if (round < 0) continue;
		compared.ours.push(a);
		compared.baseline.push(b);
	}
	return compared;
}

export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
	return (low + high) / 2;
}

/** Milliseconds that `work` took. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await work();
	return performance.now() - started;
}
