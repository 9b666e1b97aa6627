/** Statistics of several requests: number, capacity, technologies, statuses and scores. Pure. */

export interface CountedRequest {
	technology: string;
	status: string;
	/** Null if it is not scored. */
	score: number | null;
	/** MW. */
	capacity: number | null;
}

export interface Statistics {
	count: number;
	/** MW. */
	capacity: number;
	technologies: Map<string, number>;
	statuses: Map<string, number>;
	/** Number of scored requests, and the sum of their scores. */
	scores: { count: number; sum: number };
}

export const newStatistics = (): Statistics => ({
	count: 0,
	capacity: 0,
	technologies: new Map(),
	statuses: new Map(),
	scores: { count: 0, sum: 0 },
});

export function addRequest(statistics: Statistics, { technology, status, score, capacity }: CountedRequest): void {
	statistics.count++;
	statistics.capacity += capacity ?? 0;
	increase(statistics.technologies, technology, 1);
	increase(statistics.statuses, status, 1);
	if (score === null) return;
	statistics.scores.count++;
	statistics.scores.sum += score;
}

export function merge(into: Statistics, from: Statistics): void {
	into.count += from.count;
	into.capacity += from.capacity;
	for (const [name, count] of from.technologies) increase(into.technologies, name, count);
	for (const [name, count] of from.statuses) increase(into.statuses, name, count);
	into.scores.count += from.scores.count;
	into.scores.sum += from.scores.sum;
}

function increase(counts: Map<string, number>, name: string, by: number): void {
	counts.set(name, (counts.get(name) ?? 0) + by);
}

/** Returns the name with the highest count; of several, the first in alphabetical order. */
export function mostFrequent(counts: Map<string, number>): string {
	let best = "";
	let bestCount = 0;
	for (const [name, count] of counts)
		if (count > bestCount || (count === bestCount && name < best)) {
			best = name;
			bestCount = count;
		}
	return best;
}
