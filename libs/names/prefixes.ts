/** Step 3 of matching: finds the prefix of a known sponsor at the start of the name of one of its companies. */
import { type KnownNames, type KnownPrefix, openingKey } from "./known-names.ts";
import type { NameKeys } from "./normalise.ts";
import { isBrandMistyped, slipBetween } from "./similarity.ts";
import { isOtherTrade, mentionsAny } from "./unrelated-companies.ts";
import {
	contextWords,
	distinctiveTails,
	energyWords,
	legalTails,
	plantTechnologies,
	plantWords,
	technologyWords,
} from "./words.ts";

export interface PrefixMatch {
	prefix: KnownPrefix;
	mistyped: boolean;
	/** If false, the match needs review: a short word that seems mistyped may be a different word. */
	isSure: boolean;
}

/** Finds the longest prefix with which the name begins; undefined if there is none, or if two developers have the same prefix. */
export function matchPrefix(known: KnownNames, name: NameKeys, isPowerList: boolean): PrefixMatch | undefined {
	const { words } = name;
	const candidates = [words, splitFirstWord(known, words), joinFirstWords(words)]
		.flatMap((spelling) => findCandidates(known, spelling, isPowerList))
		.sort((a, b) => b.words.length - a.words.length);
	const [longest] = candidates;
	// In other sources, companies write their own names, so that "Allient Inc" is not a typing error.
	if (longest === undefined) return isPowerList ? mistypedPrefix(known, words) : undefined;
	const rival = candidates.find(
		({ words, developer }) => words.length === longest.words.length && developer !== longest.developer,
	);
	return rival === undefined ? { prefix: longest, mistyped: false, isSure: true } : undefined;
}

function findCandidates(known: KnownNames, words: readonly string[], isPowerList: boolean): KnownPrefix[] {
	const withFirstWord = known.prefixesByFirstWord.get(words[0] ?? "") ?? [];
	return withFirstWord.filter((prefix) => {
		if (!prefix.words.every((word, at) => words[at] === word)) return false;
		const rest = words.slice(prefix.words.length);
		if (isPlantName(prefix, rest[0]) || isPartnership(prefix, rest[0]) || isOtherTrade(rest)) return false;
		const mentions = (list: ReadonlySet<string>) =>
			mentionsAny(rest, list) || (prefix.sellsGas && rest.includes("gas"));
		if (prefix.isOrdinary) return mentions(isPowerList ? contextWords : plantTechnologies);
		if (prefix.isAcronym && !isPowerList) return mentions(energyWords);
		return !prefix.isAcronym || mentions(contextWords) || rest.some((word) => word !== "gas" && !legalTails.has(word));
	});
}

/** "East Point Energy Center" is a plant at East Point, not a company of East Point Energy. */
const isPlantName = ({ words }: KnownPrefix, next: string | undefined): boolean =>
	words.length > 1 && technologyWords.has(words.at(-1) ?? "") && next !== undefined && plantWords.has(next);

/** "Green Mountain Power Partners" may be any company in those mountains. */
const isPartnership = ({ words }: KnownPrefix, next: string | undefined): boolean =>
	words.length > 1 && words.at(-1) === "power" && next !== undefined && distinctiveTails.has(next);

/** Turns "talenenergy susquehanna" into "talen energy susquehanna" if Talen is a prefix. */
function splitFirstWord(known: KnownNames, words: readonly string[]): string[] {
	const [first = "", ...rest] = words;
	for (const ending of ["energy", "power", "solar", "wind", "renewables"]) {
		const stem = first.slice(0, -ending.length);
		if (stem.length >= 5 && first.endsWith(ending) && known.prefixesByFirstWord.has(stem))
			return [stem, ending, ...rest];
	}
	return [];
}

/** Turns "next era energy" into "nextera energy". */
function joinFirstWords(words: readonly string[]): string[] {
	const [first = "", second = "", ...rest] = words;
	return first.length + second.length >= 6 ? [first + second, ...rest] : [];
}

/**
 * Finds a long, mistyped first word: "Qinubrook Foo Wind", "Hectate Energy Cider Solar". If more than vowels differ, the next word must
 * follow the correct spelling in a name of that developer.
 */
function mistypedPrefix(known: KnownNames, words: readonly string[]): PrefixMatch | undefined {
	const [first = "", second = ""] = words;
	if (first.length < 6 || second === "" || legalTails.has(second) || isOtherTrade(words.slice(1))) return undefined;
	const matches = new Map<number, PrefixMatch>();
	for (const right of known.firstWordsByLetter.get(first[0] ?? "") ?? []) {
		if (right.length < 6 || Math.max(right.length, first.length) < 7 || !slipBetween(first, right)) continue;
		const differsInVowels = first.length === right.length && skeleton(first) === skeleton(right);
		for (const prefix of known.prefixesByFirstWord.get(right) ?? []) {
			const isBrand = prefix.words.length === 1 && !prefix.isOrdinary && !prefix.isAcronym;
			const isOpening = contextWords.has(second) && known.openings.has(openingKey(prefix.developer, [right, second]));
			if (!(differsInVowels && isBrand) && !isOpening) continue;
			matches.set(prefix.developer.id, { prefix, mistyped: true, isSure: isBrandMistyped(first, right) });
		}
	}
	const [match] = matches.values();
	return matches.size === 1 ? match : undefined;
}

const skeleton = (word: string): string => word.replace(/[aeiouy]/g, "");
