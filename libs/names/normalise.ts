/**
 * Converts a company name as filed to the keys by which it is compared. Steps: normalize letters; cut off "d/b/a", brackets and the like;
 * replace punctuation with spaces; write out abbreviations; remove legal tails; detect project companies and their families; form the two keys.
 */
import { withoutPaste } from "./tidy-name.ts";
import {
	abbreviations,
	corporateWords,
	facilityWords,
	genericWords,
	legalForms,
	legalTails,
	phaseWords,
	plantTechnologies,
	states,
	technologyWords,
} from "./words.ts";

/** Maximum length that is read (UTF-16 units). The longest name in the operators' and EIA's files has 97. */
export const maxNameLength = 300;

export interface NameKeys {
	/** All words, including legal tails. */
	words: string[];
	/** Words without legal tails, joined by spaces: "pine gate renewables". */
	fullKey: string;
	/** Words without legal tails and generic words: "pine gate". Empty for "Renewable Energy Holdings LLC". */
	distinctKey: string;
	/** The generic words that `distinctKey` leaves out, in order. */
	generic: string[];
	/** The legal tails that were stripped, in order. */
	tails: string[];
	/** Other names in the text, which were cut off: after "d/b/a", in brackets, before a dash. */
	alternates: string[];
	/** Both sides of a slash, as in "Vistra Energy/Luminant"; empty for other names. */
	sides: string[];
	/** Whether this looks like the name of a company that owns a single project (a shell). */
	isShell: boolean;
	/** A shell's name without its numeral and facility word: "Blue Jay Solar I" and "Blue Jay Solar II" have the same family. */
	family: string | null;
	/** The numeral that `family` omits ("ii", "3", "b"). */
	numeral: string | null;
}

/** Never throws. Text beyond `maxNameLength` is ignored. */
export function normaliseName(raw: string): NameKeys {
	const { name, alternates, sides } = cutAlternates(withoutPaste(fold(raw.slice(0, maxNameLength))));
	const words = wordsOf(name);
	const core = withoutTails(words);
	const generic = core.filter((word) => genericWords.has(word));
	const distinct = core.filter((word) => !genericWords.has(word) && !isFiller(word));
	return {
		words,
		fullKey: core.join(" "),
		distinctKey: distinct.join(" "),
		generic,
		tails: words.slice(core.length),
		alternates,
		sides,
		...shellOf(words),
	};
}

/**
 * The family of a project's name, or of its company's name. The last words do not matter: it is "abeja solar" for "Abeja Solar", "Abeja Solar
 * Farm" and "Abeja Solar II, LLC".
 */
export function projectFamily(raw: string): string {
	const keys = normaliseName(raw);
	return keys.family ?? normaliseName(`${raw} LLC`).family ?? keys.fullKey;
}

/** Lower case without diacritics, "&" as a word. */
function fold(text: string): string {
	return text
		.normalize("NFKD")
		.replace(/\p{M}+/gu, "")
		.toLowerCase()
		.replace(/[øæœßłđ]/g, (letter) => letters[letter] ?? letter)
		.replace(/&/g, " and ")
		.replace(/[\s\p{C}]+/gu, " ")
		.trim();
}

const letters: Readonly<Record<string, string>> = { ø: "o", æ: "ae", œ: "oe", ß: "ss", ł: "l", đ: "d" };

/** "d/b/a", also mistyped, and other connectors between two names of one company. */
const connector =
	/(?:^|[\s,;])(?:d[/.\\-] ?[bd][/.\\-] ?a[/.\\]?|dba|d b a|[fan][/.] ?k[/.] ?a[/.]?|fka|aka|nka|c[/.]o|doing business as|trading as|formerly(?: known as)?|also known as|an? (?:indirect |wholly owned )?(?:affiliate|subsidiary|division) of)(?=[\s,:;]|$)/;
const inBrackets = /[([{]([^()[\]{}]*)(?:[)\]}]|$)/g;

function cutAlternates(folded: string): Pick<NameKeys, "alternates" | "sides"> & { name: string } {
	const alternates: string[] = [];
	let state = "";
	let name = folded.replace(inBrackets, (_, inside: string) => {
		const stateName = states.get(inside.trim());
		if (stateName !== undefined) state = ` ${stateName}`;
		else alternates.push(inside.replace(connector, " "));
		return " ";
	});
	const [first = "", ...others] = name.split(connector);
	alternates.unshift(...others);
	name = [first, ...alternates].find((part) => part.trim() !== "") ?? "";
	// The SEC appends states: "PACIFICORP /OR/".
	name = name.replace(/ \/[a-z]{2,3}\/?$/, "");
	const slashed = name.split("/").map((side) => side.trim());
	const sides = slashed.length === 2 && slashed.every((side) => side.length >= 3) ? slashed : [];
	// "Northern States Power Co - Minnesota", "Calpine Corp - Hidalgo"
	const dash = name.search(/ [-–—] ?| ?[–—] /);
	if (dash > 0) alternates.push(name.slice(0, dash) + state);
	return { name: name + state, sides, alternates: alternates.map((part) => part.trim()).filter((part) => part !== "") };
}

/** Splits a text into words of letters and digits, and writes out abbreviations. */
function wordsOf(text: string): string[] {
	const spaced = text
		.replace(/['’‘`´]/g, "")
		.replace(/\ba\/s\b/g, "as")
		.replace(/\bco-op\b/g, "coop")
		.replace(/(?<![\p{L}\p{N}])\p{L}(?:\. ?\p{L}(?![\p{L}\p{N}]))+/gu, (dotted) => dotted.replace(/[. ]/g, ""))
		.replace(/[^\p{L}\p{N}]+/gu, " ")
		.replace(/\bl l c\b/g, "llc")
		.replace(/\bl p\b/g, "lp")
		.trim();
	const words = spaced === "" ? [] : spaced.split(" ");
	if (words.length > 1 && words[0] === "the") words.shift();
	return words.flatMap((word, at) => expandAbbreviation(word, words[at - 1], words[at + 1]).split(" "));
}

function expandAbbreviation(word: string, before: string | undefined, after: string | undefined): string {
	if (before === "of" && states.has(word)) return states.get(word) ?? word;
	if (word === "st" && after === "of") return "state";
	return abbreviations.get(word) ?? word;
}

/** Removes legal tails, but leaves at least one word. */
function withoutTails(words: string[]): string[] {
	let end = words.length;
	while (end > 1 && legalTails.has(words[end - 1] ?? "")) end--;
	return words.slice(0, end);
}

const isFiller = (word: string): boolean => word === "and" || word === "of" || word === "the" || legalForms.has(word);

const romans = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");
const spelled = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const numerals = new Set([...romans, ...spelled, "a", "b", "c", "d", "e"]);
const isNumeral = (word: string): boolean => numerals.has(word) || /^\d{1,4}[a-e]?$/.test(word);

const noShell = { isShell: false, family: null, numeral: null };

/**
 * Parses the name of a project company: `<place or theme> <technology>+ <facility>* <phase>? <numeral>? <legal form>`. Without a legal form, a
 * facility or a numeral must follow the technology: "Juhl Wind" may be any company. A numeral counts only in that position, not in "IV Solar".
 */
function shellOf(nameWords: string[]): Pick<NameKeys, "isShell" | "family" | "numeral"> {
	const { words, isSplit } = splitTrailingNumber(nameWords);
	let end = words.length;
	const takeFromEnd = (matches: (word: string) => boolean, maxWords: number): string[] => {
		const last = end;
		while (end > 0 && last - end < maxWords && matches(words[end - 1] ?? "")) end--;
		return words.slice(end, last);
	};
	const isFacility = (word: string) => facilityWords.has(word);
	const hasLegal = takeFromEnd((word) => legalForms.has(word), 3).length > 0;
	const trailingFacility = takeFromEnd(isFacility, 3);
	const [numeral = null] = takeFromEnd(isNumeral, 1);
	takeFromEnd((word) => phaseWords.has(word), 1);
	const facility = [...takeFromEnd(isFacility, 3), ...trailingFacility];
	const familyEnd = end;
	const technology = takeFromEnd((word) => technologyWords.has(word), 4);
	const place = words.slice(0, end);
	if (!place.some((word) => !genericWords.has(word) && !isFiller(word))) return noShell;
	if (!hasLegal && facility.length === 0 && numeral === null) return noShell;
	if (technology.length === 0) {
		// Without a technology in its name, only a numbered company is a shell: "Tidwell Prairie III LLC", "SMT14 LLC".
		if (!hasLegal || numeral === null || (place.length < 2 && !isSplit)) return noShell;
	} else if (numeral === null && !facility.some((word) => !corporateWords.has(word))) {
		// "Mission Clean Energy LLC", "Bear Peak Power LLC", "Renesola Power Holdings": any company may have such a name.
		if (!technology.some((word) => plantTechnologies.has(word))) return noShell;
	}
	return { isShell: true, family: words.slice(0, familyEnd).join(" "), numeral };
}

/** Legal forms of companies that own a single project. "Ltd" is not one: "South32 Ltd" is a coal mining company. */
const projectForms = new Set(["llc", "lp", "llp", "lllp"]);

/** Splits a number from the last word before the legal form: "Hopkins Solar Holdings1 LLC", "SMT14 LLC". */
function splitTrailingNumber(words: string[]): { words: string[]; isSplit: boolean } {
	const last = words.findLastIndex((word) => !legalForms.has(word));
	if (!projectForms.has(words.at(-1) ?? "")) return { words, isSplit: false };
	const [, word, number] = /^(\p{L}{3,})(\d{1,2})$/u.exec(words[last] ?? "") ?? [];
	if (word === undefined || number === undefined) return { words, isSplit: false };
	return { words: [...words.slice(0, last), word, number, ...words.slice(last + 1)], isSplit: true };
}
