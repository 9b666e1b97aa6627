/** Rules for merging two versions of one record. Each is commutative, associative and idempotent: order and repetition do not matter. */

/** Prefers a text to null, a longer text to a shorter one, and between equally long texts (arbitrarily) the one that sorts last. */
export function mergeText(a: string | null, b: string | null): string | null {
	if (a === null || b === null) return a ?? b;
	if (a.length !== b.length) return a.length > b.length ? a : b;
	return a > b ? a : b;
}

/** Returns the larger number; if one is null, the other. */
export function mergeNumber(a: number | null, b: number | null): number | null {
	return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

export function mergeFlag(a: boolean | null, b: boolean | null): boolean | null {
	return a === null || b === null ? (a ?? b) : a || b;
}

/** Returns the longer list; of equally long lists, the one whose JSON sorts last. */
export function mergeList<T>(a: T[], b: T[]): T[] {
	if (a.length !== b.length) return a.length > b.length ? a : b;
	return JSON.stringify(a) >= JSON.stringify(b) ? a : b;
}

export function union(a: readonly string[], b: readonly string[]): string[] {
	return [...new Set([...a, ...b])].sort();
}

export function earlier(a: string, b: string): string {
	return a < b ? a : b;
}

/** Returns the items by key. Items with the same key are merged. */
export function mergeBy<T>(items: Iterable<T>, key: (item: T) => string, merge: (a: T, b: T) => T): Map<string, T> {
	const merged = new Map<string, T>();
	for (const item of items) {
		const known = merged.get(key(item));
		merged.set(key(item), known === undefined ? item : merge(known, item));
	}
	return merged;
}
