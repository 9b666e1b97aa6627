/** Measures two things in turn, A B A B, so that what else the machine does meets both alike. */

/** The figure of one turn. `null`: this turn has nothing to compare with. */
export type RunTurn = () => Promise<number>;

export interface Compared {
	ours: number[];
	baseline: number[];
}

/** Runs `warmUps` turns of each that do not count, then `rounds` that do. */
export async function interleave(
	{ rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
	ours: RunTurn,
	baseline: RunTurn,
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

/** The same for any number of things, by name. */
export async function takeTurns<K extends string, T>(
	{ rounds, warmUps = 1 }: { rounds: number; warmUps?: number },
	turns: Record<K, () => Promise<T>>,
): Promise<Record<K, T[]>> {
	const names = Object.keys(turns) as K[];
	const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
	for (let round = -warmUps; round < rounds; round++)
		for (const name of names) {
			const result = await turns[name]();
			if (round >= 0) results[name].push(result);
		}
	return results;
}

/** The value that `share` of them lie below. */
export function quantile(values: readonly number[], share: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
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
