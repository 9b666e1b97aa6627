/** Summary of several requests: their number, capacity (MW) and main technology. Pure. */

interface CountedRequest {
	technology: string;
	status: string;
	score: number | null;
	capacity: number | null;
}

export interface Statistics {
	count: number;
	/** MW. */
	capacity: number;
	technologies: Map<string, number>;
	statuses: Map<string, number>;
	/** Requests that have a score. */
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
	raise(statistics.technologies, technology, 1);
	raise(statistics.statuses, status, 1);
	if (score === null) return;
	statistics.scores.count++;
	statistics.scores.sum += score;
}

export function merge(into: Statistics, from: Statistics): void {
	into.count += from.count;
	into.capacity += from.capacity;
	for (const [name, count] of from.technologies) raise(into.technologies, name, count);
	for (const [name, count] of from.statuses) raise(into.statuses, name, count);
	into.scores.count += from.scores.count;
	into.scores.sum += from.scores.sum;
}

function raise(counts: Map<string, number>, name: string, by: number): void {
	counts.set(name, (counts.get(name) ?? 0) + by);
}

/** The most frequent one; the first by name among equals. */
export function dominant(counts: Map<string, number>): string {
	let best = "";
	let most = 0;
	for (const [name, count] of counts)
		if (count > most || (count === most && name < best)) {
			best = name;
			most = count;
		}
	return best;
}
