/** Suggests the value that a caller probably meant, for the message of a 422. */

/** Common names, in lower case, of parameters and values that have a different name here. */
const synonyms: Readonly<Record<string, string>> = {
	technology: "fuel_type",
	type: "fuel_type",
	fuel: "fuel_type",
	min_mw: "capacity_min",
	max_mw: "capacity_max",
	operator: "region",
	search: "q",
	limit: "per_page",
	offset: "page",
	sort_by: "sort",
	json: "ndjson",
	battery: "Storage",
	batteries: "Storage",
	bess: "Storage",
	pv: "Solar",
	"natural gas": "Gas",
	onshore: "Wind",
	cancelled: "Withdrawn",
	canceled: "Withdrawn",
	operating: "Operational",
	"in service": "Operational",
};

/**
 * Returns `; did you mean "x"?` if one of the words is a synonym of the given word, or differs from it by at most two typing errors (one if it is
 * short). Otherwise returns an empty string.
 */
export function didYouMean(given: unknown, words: readonly string[]): string {
	if (typeof given !== "string") return "";
	const synonym = synonyms[given.trim().toLowerCase()];
	const [best] = synonym !== undefined && words.includes(synonym) ? [synonym] : nearestWords(given, words);
	return best === undefined ? "" : `; did you mean "${best}"?`;
}

/** Returns the words that differ from the given one by the fewest typing errors, but by no more than two (one if it is short). */
export function nearestWords(given: string, words: readonly string[]): string[] {
	if (given.length > 60) return [];
	const normalized = given.trim().toLowerCase();
	const near = words
		.map((word) => ({ word, slips: typingErrorsBetween(normalized, word.toLowerCase()) }))
		.filter(({ slips }) => slips <= (normalized.length < 5 ? 1 : 2));
	const fewest = Math.min(...near.map(({ slips }) => slips));
	return near.filter(({ slips }) => slips === fewest).map(({ word }) => word);
}

/** Damerau-Levenshtein distance (optimal string alignment). */
function typingErrorsBetween(a: string, b: string): number {
	let older: number[] = [];
	let last = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const same = a[i - 1] === b[j - 1];
			let slips = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
			if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
				slips = Math.min(slips, (older[j - 2] ?? 0) + 1);
			row.push(slips);
		}
		[older, last] = [last, row];
	}
	return last[b.length] ?? 0;
}
