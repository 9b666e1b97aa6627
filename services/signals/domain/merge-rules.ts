/**
 * What two deliveries of one thing say together. Each rule is commutative, associative and idempotent, so that neither order nor
 * repetition of deliveries changes the outcome. Pure.
 */

/** What is said rather than nothing; of two texts the longer, else the later in the alphabet: which one does not matter, that it is always the same does. */
export function mergeText(a: string | null, b: string | null): string | null {
	if (a === null || b === null) return a ?? b;
	if (a.length !== b.length) return a.length > b.length ? a : b;
	return a > b ? a : b;
}

/** What is said rather than nothing; the larger of two numbers. */
export function mergeNumber(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** True when either says so, null when neither says anything. */
export function mergeFlag(a: boolean | null, b: boolean | null): boolean | null {
	return a === null || b === null ? (a ?? b) : a || b;
}

/** The longer list; of equally long ones the one that is later as text. */
export function mergeList<T>(a: T[], b: T[]): T[] {
	if (a.length !== b.length) return a.length > b.length ? a : b;
	return JSON.stringify(a) >= JSON.stringify(b) ? a : b;
}

/** Everything that either holds, sorted. */
export function union(a: readonly string[], b: readonly string[]): string[] {
	return [...new Set([...a, ...b])].sort();
}

/** The earlier of two days or moments of one format. */
export function earlier(a: string, b: string): string {
	return a < b ? a : b;
}
