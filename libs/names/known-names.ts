/** The names of all known developers, indexed by key and by first word. */
import { type NameKeys, normaliseName } from "./normalise.ts";

export interface KnownDeveloper {
	id: number;
	canonical: string;
	/** Whether the canonical name is one ordinary word, or shared with something else ("Eolian", "PPL"). */
	ambiguous: boolean;
	aliases: { alias: string; ambiguous: boolean }[];
	/** A name that begins with one of these belongs to a company of this developer. In the original spelling: "Invenergy", "KCE". */
	prefixes: string[];
}

export interface KnownName extends Pick<NameKeys, "fullKey" | "distinctKey" | "generic" | "tails"> {
	developer: KnownDeveloper;
	text: string;
	isCanonical: boolean;
	ambiguous: boolean;
}

export interface KnownPrefix {
	developer: KnownDeveloper;
	text: string;
	words: string[];
	/** Whether the prefix is one ordinary word ("Pattern"), which counts only if a word about energy follows. */
	isOrdinary: boolean;
	/** Whether the prefix is a few capitals ("KCE"), which certainly mean this company only in lists of developers and plant owners. */
	isAcronym: boolean;
	/** Whether one of the developer's names contains "gas", so that the names of its companies may contain it too. */
	sellsGas: boolean;
}

export interface KnownNames {
	names: KnownName[];
	byFullKey: Map<string, KnownName[]>;
	/** `fullKey` without blanks: "pinegaterenewables". */
	byJoinedKey: Map<string, KnownName[]>;
	byDistinctKey: Map<string, KnownName[]>;
	prefixesByFirstWord: Map<string, KnownPrefix[]>;
	/** The first words of prefixes by their first letter, to find mistyped ones. */
	firstWordsByLetter: Map<string, string[]>;
	/** The words of all names and prefixes of a developer, by the developer's ID. */
	wordsById: Map<number, Set<string>>;
	/** `<developer id> <first word> <second word>` of every name. */
	openings: Set<string>;
	/** Prefixes of one distinctive word, which identify a company together with any generic words. */
	distinctiveWords: Set<string>;
}

export function indexNames(developers: readonly KnownDeveloper[]): KnownNames {
	const names = developers.flatMap(namesOf);
	const prefixes = developers.flatMap(prefixesOf);
	const prefixesByFirstWord = groupByKey(prefixes, (prefix) => prefix.words[0] ?? "");
	return {
		names,
		byFullKey: groupByKey(names, (name) => name.fullKey),
		byJoinedKey: groupByKey(names, (name) => name.fullKey.replaceAll(" ", "")),
		byDistinctKey: groupByKey(names, (name) => name.distinctKey),
		prefixesByFirstWord,
		firstWordsByLetter: groupByKey([...prefixesByFirstWord.keys()], (word) => word[0] ?? ""),
		wordsById: new Map(developers.map((developer) => [developer.id, wordsOfDeveloper(developer)])),
		openings: new Set(names.map((name) => openingKey(name.developer, name.fullKey.split(" ")))),
		distinctiveWords: new Set(
			prefixes.flatMap(({ words, isOrdinary, isAcronym }) =>
				words.length > 1 || isOrdinary || isAcronym ? [] : words,
			),
		),
	};
}

export const openingKey = (developer: KnownDeveloper, [first, second]: readonly string[]): string =>
	`${developer.id} ${first} ${second}`;

function namesOf(developer: KnownDeveloper): KnownName[] {
	const canonical = { alias: developer.canonical, ambiguous: developer.ambiguous };
	return [canonical, ...developer.aliases].map(({ alias, ambiguous }) => {
		const { fullKey, distinctKey, generic, tails } = normaliseName(alias);
		const isCanonical = alias === developer.canonical;
		return { developer, text: alias, isCanonical, ambiguous, fullKey, distinctKey, generic, tails };
	});
}

const wordsOfDeveloper = ({ canonical, aliases, prefixes }: KnownDeveloper): Set<string> =>
	new Set([canonical, ...aliases.map(({ alias }) => alias), ...prefixes].flatMap((name) => normaliseName(name).words));

function prefixesOf(developer: KnownDeveloper): KnownPrefix[] {
	const ambiguous = new Set(
		namesOf(developer)
			.filter((name) => name.ambiguous)
			.map((name) => name.fullKey),
	);
	const sellsGas = wordsOfDeveloper(developer).has("gas");
	return developer.prefixes.map((text) => {
		const { words } = normaliseName(text);
		const isAcronym = /^[A-Z0-9&]{2,5}$/.test(text);
		return { developer, text, words, isOrdinary: !isAcronym && ambiguous.has(words.join(" ")), isAcronym, sellsGas };
	});
}

/** Groups items by key. Items whose key is empty are omitted. */
function groupByKey<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
	const groups = Map.groupBy(items, keyOf);
	groups.delete("");
	return groups;
}
