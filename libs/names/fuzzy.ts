/** Step 4 of matching: names with almost the same spelling. It corrects typing errors; it does not find rebrands. */
import type { KnownName } from "./known-names.ts";
import type { NameKeys } from "./normalise.ts";
import { isBrandMistyped, jaroWinkler, sharedTrigrams, slipBetween, trigrams } from "./similarity.ts";
import { contextWords, looseWords, organisationWords } from "./words.ts";

export interface FuzzyMatch {
	name: KnownName;
	/** Similarity of the distinct keys, from 0 to 1. */
	jaroWinkler: number;
	/** Similarity of the full keys, from 0 to 1. */
	trigram: number;
}

/** Thresholds for accepting a name, and for review by a person. */
const acceptFrom = { jaroWinkler: 0.92, trigram: 0.6 };
const reviewFrom = { jaroWinkler: 0.8, trigram: 0.45 };
/** Least Jaro-Winkler similarity of the first words. */
const sameStart = 0.85;
/** Two developers whose similarity differs by less than this are a tie. */
export const tieWithin = 0.03;
/**
 * Least share of the larger trigram set that two first words have in common: a typing error leaves a short word about half of its trigrams.
 */
const sharedShare = 0.35;
/** Most known names that one name is compared with. */
const maxCompared = 64;
/** Most known names whose trigrams are compared too; this is much slower, so only the closest are compared. */
const maxMeasured = 6;

export interface Fuzzy {
	/** Candidates: the closest name of each developer, best first. */
	alike(name: NameKeys): FuzzyMatch[];
}

/**
 * Finds names by their first distinctive word ("silicon" ranch, "great" river), because it identifies a company; otherwise all "... Electric
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
		alike(name) {
			const word = distinctiveWord(name.distinctKey);
			if (word === undefined) return [];
			const entries = similarWords(word).flatMap((similar) => [...(byWord.get(similar)?.values() ?? [])]);
			return best(name, entries.slice(0, maxCompared));
		},
	};
}

const distinctiveWord = (distinctKey: string): string | undefined =>
	distinctKey.split(" ").find((word) => word !== "" && !organisationWords.has(word));

/** Returns a function that finds similar words, the most similar first. */
function indexWords(words: readonly string[]): (word: string) => string[] {
	const sizes = new Uint16Array(words.length);
	const postings = new Map<string, number[]>();
	for (const [at, word] of words.entries()) {
		const own = trigrams(word);
		sizes[at] = own.size;
		for (const trigram of own) {
			const list = postings.get(trigram);
			if (list) list.push(at);
			else postings.set(trigram, [at]);
		}
	}
	const counts = new Uint16Array(words.length);
	return (word) => {
		const own = trigrams(word);
		const candidates: number[] = [];
		for (const trigram of own)
			for (const at of postings.get(trigram) ?? []) {
				const count = (counts[at] ?? 0) + 1;
				if (count === 1) candidates.push(at);
				counts[at] = count;
			}
		const similar: { word: string; similarity: number }[] = [];
		for (const at of candidates) {
			const isClose = (counts[at] ?? 0) >= sharedShare * Math.max(own.size, sizes[at] ?? 0);
			counts[at] = 0;
			const other = words[at] ?? "";
			const similarity = isClose ? jaroWinkler(word, other) : 0;
			if (similarity >= sameStart) similar.push({ word: other, similarity });
		}
		return similar.sort((a, b) => b.similarity - a.similarity).map((found) => found.word);
	};
}

function best(name: NameKeys, entries: readonly KnownName[]): FuzzyMatch[] {
	const compared = entries
		.map((known) => ({ known, similarity: jaroWinkler(name.distinctKey, known.distinctKey) }))
		.filter(({ similarity }) => similarity >= reviewFrom.jaroWinkler)
		.sort((a, b) => b.similarity - a.similarity);
	const own = trigrams(name.fullKey);
	const reviewable = compared
		.slice(0, maxMeasured)
		.map(({ known, similarity }) => ({
			name: known,
			jaroWinkler: similarity,
			trigram: sharedTrigrams(own, trigrams(known.fullKey)),
		}))
		.filter(({ trigram }) => trigram >= reviewFrom.trigram)
		.sort((a, b) => b.jaroWinkler - a.jaroWinkler || b.trigram - a.trigram);
	const closest = new Map<number, FuzzyMatch>();
	for (const alike of reviewable)
		if (!closest.has(alike.name.developer.id)) closest.set(alike.name.developer.id, alike);
	return [...closest.values()];
}

/** Whether the name is accepted without review: both similarities are high, and the difference can only be a typing error. */
export function isSlip(name: NameKeys, { name: known, jaroWinkler, trigram }: FuzzyMatch): boolean {
	if (known.ambiguous || jaroWinkler < acceptFrom.jaroWinkler || trigram < acceptFrom.trigram) return false;
	if (!differOnlyLoosely(name.generic, known.generic)) return false;
	const [mine, theirs] = [name.distinctKey.split(" "), known.distinctKey.split(" ")];
	if (mine.length !== theirs.length) return false;
	const differing = mine.flatMap((word, at) => (word === theirs[at] ? [] : [[word, theirs[at] ?? ""] as const]));
	const [pair] = differing;
	if (pair === undefined || differing.length > 1) return false;
	const [wrong, right] = pair;
	if (wrong[0] !== right[0]) return false;
	const isBrandAlone = mine.every((word) => word === wrong || organisationWords.has(word) || contextWords.has(word));
	if (isBrandAlone) return isBrandMistyped(wrong, right);
	// A short word that differs in one letter is another word, even beside others.
	return Math.max(wrong.length, right.length) >= 6 && slipBetween(wrong, right) !== undefined;
}

/** Whether the generic words differ only in words without meaning. "Apex Energy Storage" is not "Apex Clean Energy". */
export function differOnlyLoosely(a: readonly string[], b: readonly string[]): boolean {
	const surplus = (from: readonly string[], other: readonly string[]) => from.filter((word) => !other.includes(word));
	return [...surplus(a, b), ...surplus(b, a)].every((word) => looseWords.has(word));
}
