/** Similarities of two strings, from 0 to 1: Jaro-Winkler, and the trigram similarity of PostgreSQL's `pg_trgm`. */

/** Jaro-Winkler similarity with p = 0.1 and a common prefix of at most 4. Compares UTF-16 units; 1 for two empty strings. */
export function jaroWinkler(a: string, b: string): number {
	if (a === b) return 1;
	const jaro = jaroSimilarity(a, b);
	let prefix = 0;
	while (prefix < 4 && prefix < a.length && a[prefix] === b[prefix]) prefix++;
	return jaro + prefix * 0.1 * (1 - jaro);
}

function jaroSimilarity(a: string, b: string): number {
	if (a.length === 0 || b.length === 0) return 0;
	const reach = Math.max(0, (Math.max(a.length, b.length) >> 1) - 1);
	const taken = new Uint8Array(b.length);
	const matchedA: number[] = [];
	for (let at = 0; at < a.length; at++) {
		const unit = a.charCodeAt(at);
		const end = Math.min(b.length, at + reach + 1);
		for (let other = Math.max(0, at - reach); other < end; other++) {
			if (taken[other] === 1 || b.charCodeAt(other) !== unit) continue;
			taken[other] = 1;
			matchedA.push(unit);
			break;
		}
	}
	const matches = matchedA.length;
	if (matches === 0) return 0;
	let displaced = 0;
	let next = 0;
	for (let other = 0; other < b.length; other++) {
		if (taken[other] === 0) continue;
		if (matchedA[next++] !== b.charCodeAt(other)) displaced++;
	}
	return (matches / a.length + matches / b.length + (matches - displaced / 2) / matches) / 3;
}

/**
 * The same trigrams as `pg_trgm` in the C locale: lower case, split at all characters except ASCII letters and digits, each word padded with two
 * spaces before and one after it. Letters with diacritics must be replaced first.
 */
export function trigrams(text: string): Set<string> {
	const result = new Set<string>();
	for (const word of text.toLowerCase().split(/[^a-z0-9]+/)) {
		if (word === "") continue;
		const padded = `  ${word} `;
		for (let at = 0; at + 3 <= padded.length; at++) result.add(padded.slice(at, at + 3));
	}
	return result;
}

/** Shared trigrams divided by all trigrams of both texts; 0 if neither has any. */
export const trigramSimilarity = (a: string, b: string): number => sharedTrigrams(trigrams(a), trigrams(b));

/** `trigramSimilarity` of texts whose trigrams are already computed. */
export function sharedTrigrams(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
	let shared = 0;
	for (const trigram of a) if (b.has(trigram)) shared++;
	const union = a.size + b.size - shared;
	return union === 0 ? 0 : shared / union;
}

/**
 * A typing error: a letter doubled by mistake or not doubled, two adjacent letters exchanged, a letter too many or too few, or a wrong vowel.
 */
export type Slip = "doubled" | "exchanged" | "letter" | "vowel";

/** The typing error that turns one word into the other; undefined for equal words and for larger differences. */
export function slipBetween(a: string, b: string): Slip | undefined {
	if (a === b || Math.abs(a.length - b.length) > 1) return undefined;
	let start = 0;
	while (start < a.length && a[start] === b[start]) start++;
	let end = 0;
	while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
	const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
	if (left.length + right.length === 1) return left + right === a[start - 1] ? "doubled" : "letter";
	if (left.length === 2 && right.length === 2)
		return left[0] === right[1] && left[1] === right[0] ? "exchanged" : undefined;
	return left.length === 1 && right.length === 1 && isVowel(left) && isVowel(right) ? "vowel" : undefined;
}

const isVowel = (letter: string): boolean => "aeiouy".includes(letter);

/**
 * Minimum letters of a brand in which a different letter is a typing error. In shorter words, it makes a different brand ("Avantis" and "Avantus",
 * "Nexterra" and "NextEra").
 */
const minBrandLetters = 9;

/** Whether one of two single-word brands is certainly a misspelling of the other. */
export function isBrandMistyped(a: string, b: string): boolean {
	const slip = slipBetween(a, b);
	if (slip === undefined) return false;
	const isSmall = slip === "doubled" || slip === "exchanged";
	return (isSmall ? Math.max(a.length, b.length) : Math.min(a.length, b.length)) >= minBrandLetters;
}
