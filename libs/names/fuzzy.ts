/** Step 4 of matching: finds names with almost the same spelling. This corrects typing errors; it does not find new names of a company. */
import type { KnownName } from "./known-names.ts";
import type { NameKeys } from "./normalise.ts";
import { isBrandMistyped, jaroWinkler, sharedTrigrams, slipBetween, trigrams } from "./similarity.ts";
import { contextWords, looseWords, organizationWords } from "./words.ts";

export interface FuzzyMatch {
	name: KnownName;
	/** Similarity of the distinct keys, from 0 to 1. */
	jaroWinkler: number;
	/** Similarity of the full keys, from 0 to 1. */
	trigram: number;
}

/** Minimum similarities to accept a name, and to present it to a person for review. */
const acceptFrom = { jaroWinkler: 0.92, trigram: 0.6 };
const reviewFrom = { jaroWinkler: 0.8, trigram: 0.45 };
/** Minimum Jaro-Winkler similarity of the first distinctive words. */
const minFirstWordSimilarity = 0.85;
/** Two developers are tied if their similarities differ by no more than this. */
export const tieWithin = 0.03;
/**
 * Minimum trigrams that two first words must share, as a fraction of the larger word's trigrams. A short word with a typing error shares about
 * half.
 */
const minSharedFraction = 0.35;
/** Maximum known names that a name is compared with. */
const maxCompared = 64;
/** Maximum known names whose trigrams are compared too. This is much slower, so it is done for the closest names only. */
const maxTrigramsCompared = 6;

export interface Fuzzy {
	/** Finds the closest name of each developer, best match first. */
	findSimilar(name: NameKeys): FuzzyMatch[];
}

/**
 * Indexes names by their first distinctive word ("silicon" ranch, "great" river), because it identifies a company. Without it, all "... Electric
 * Cooperative" would be similar.
 */
export function indexFuzzy(names: readonly KnownName[]): Fuzzy {
	const byWord = new Map<string, Map<string, KnownName>>();
	for (const name of names) {
		const word = distinctiveWord(name.distinctKey);
		if (word === undefined) continue;
		const entries = byWord.get(word) ?? new Map<string, KnownName>();
		byWord.set(word, entries.set(`${name.developer.id} ${name.fullKey}`, name));
	}
	const similarWords = indexWords([...byWord.keys()]);
	return {
		findSimilar(name) {
			const word = distinctiveWord(name.distinctKey);
			if (word === undefined) return [];
			const entries = similarWords(word).flatMap((similar) => [...(byWord.get(similar)?.values() ?? [])]);
			return closestNames(name, entries.slice(0, maxCompared));
		},
	};
}

const distinctiveWord = (distinctKey: string): string | undefined =>
	distinctKey.split(" ").find((word) => word !== "" && !organizationWords.has(word));

/** Returns a function that finds similar words, the most similar first. */
function indexWords(words: readonly string[]): (word: string) => string[] {
	const sizes = new Uint16Array(words.length);
	const postings = new Map<string, number[]>();
	for (const [at, word] of words.entries()) {
		const wordTrigrams = trigrams(word);
		sizes[at] = wordTrigrams.size;
		for (const trigram of wordTrigrams) {
			const list = postings.get(trigram);
			if (list) list.push(at);
			else postings.set(trigram, [at]);
		}
	}
	const counts = new Uint16Array(words.length);
	return (word) => {
		const wordTrigrams = trigrams(word);
		const candidates: number[] = [];
		for (const trigram of wordTrigrams)
			for (const at of postings.get(trigram) ?? []) {
				const count = (counts[at] ?? 0) + 1;
				if (count === 1) candidates.push(at);
				counts[at] = count;
			}
		const similar: { word: string; similarity: number }[] = [];
		for (const at of candidates) {
			const isClose = (counts[at] ?? 0) >= minSharedFraction * Math.max(wordTrigrams.size, sizes[at] ?? 0);
			counts[at] = 0;
			const other = words[at] ?? "";
			const similarity = isClose ? jaroWinkler(word, other) : 0;
			if (similarity >= minFirstWordSimilarity) similar.push({ word: other, similarity });
		}
		return similar.sort((a, b) => b.similarity - a.similarity).map((match) => match.word);
	};
}

function closestNames(name: NameKeys, entries: readonly KnownName[]): FuzzyMatch[] {
	const compared = entries
		.map((known) => ({ known, similarity: jaroWinkler(name.distinctKey, known.distinctKey) }))
		.filter(({ similarity }) => similarity >= reviewFrom.jaroWinkler)
		.sort((a, b) => b.similarity - a.similarity);
	const nameTrigrams = trigrams(name.fullKey);
	const reviewable = compared
		.slice(0, maxTrigramsCompared)
		.map(({ known, similarity }) => ({
			name: known,
			jaroWinkler: similarity,
			trigram: sharedTrigrams(nameTrigrams, trigrams(known.fullKey)),
		}))
		.filter(({ trigram }) => trigram >= reviewFrom.trigram)
		.sort((a, b) => b.jaroWinkler - a.jaroWinkler || b.trigram - a.trigram);
	const closest = new Map<number, FuzzyMatch>();
	for (const match of reviewable)
		if (!closest.has(match.name.developer.id)) closest.set(match.name.developer.id, match);
	return [...closest.values()];
}

/** Whether the name can be accepted without review: both similarities are high, and the difference can only be a typing error. */
export function isSlip(name: NameKeys, { name: known, jaroWinkler, trigram }: FuzzyMatch): boolean {
	if (known.ambiguous || jaroWinkler < acceptFrom.jaroWinkler || trigram < acceptFrom.trigram) return false;
	if (!differOnlyInLooseWords(name.generic, known.generic)) return false;
	const [words, knownWords] = [name.distinctKey.split(" "), known.distinctKey.split(" ")];
	if (words.length !== knownWords.length) return false;
	const differing = words.flatMap((word, at) =>
		word === knownWords[at] ? [] : [[word, knownWords[at] ?? ""] as const],
	);
	const [pair] = differing;
	if (pair === undefined || differing.length > 1) return false;
	const [wrong, right] = pair;
	if (wrong[0] !== right[0]) return false;
	const isBrandOnly = words.every((word) => word === wrong || organizationWords.has(word) || contextWords.has(word));
	if (isBrandOnly) return isBrandMistyped(wrong, right);
	// A short word that differs in one letter is a different word, even among other equal words.
	return Math.max(wrong.length, right.length) >= 6 && slipBetween(wrong, right) !== undefined;
}

/** Whether the generic words differ only in words that do not distinguish companies. "Apex Energy Storage" is not "Apex Clean Energy". */
export function differOnlyInLooseWords(a: readonly string[], b: readonly string[]): boolean {
	const surplus = (from: readonly string[], other: readonly string[]) => from.filter((word) => !other.includes(word));
	return [...surplus(a, b), ...surplus(b, a)].every((word) => looseWords.has(word));
}
