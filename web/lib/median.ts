/** Of what is known; null of nothing. */
export function median(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
	const [lower, upper] = [known[Math.ceil(known.length / 2) - 1], known[Math.floor(known.length / 2)]];
	return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}
