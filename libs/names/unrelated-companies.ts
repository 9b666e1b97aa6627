/** Words beside a known brand that show that the name is not that developer's: another trade, or a sister abroad. */
import { foreignForms, foreignPlaces } from "./foreign-places.ts";
import {
	energyWords,
	gasWords,
	genericWords,
	legalForms,
	legalTails,
	otherTrades,
	plantTechnologies,
	siteWords,
} from "./words.ts";

/** Do the words behind a brand name a trade that has nothing to do with power? A plant may stand in School Street. */
export function isOtherTrade(rest: readonly string[]): boolean {
	const lastPlant = rest.findLastIndex((word) => plantTechnologies.has(word));
	return rest.some((word, at) => {
		if (word === "system" || word === "systems") return !energyWords.has(rest[at - 1] ?? "");
		if (siteWords.has(word) && at < lastPlant) return false;
		return otherTrades.has(word) || otherTrades.has(`${word} ${rest[at + 1]}`);
	});
}

/** Is one of the words in the list? Gas is burnt by a power company where generation is meant; else it is sold or drilled for. */
export function mentionsAny(words: readonly string[], list: ReadonlySet<string>): boolean {
	const isBurnt = (at: number) => gasWords.has(words[at - 1] ?? "") || gasWords.has(words[at + 1] ?? "");
	return words.some((word, at) => list.has(word) && (word !== "gas" || isBurnt(at)));
}

/**
 * Does the name point abroad where none of the developer's names does? By a country ("NextEra Energy Canada"), or a form of
 * incorporation ("EDF Energy plc"). Behind a whole known name a list of power companies may add one: "Iberdrola SA".
 */
export function isAbroad(
	words: readonly string[],
	known: ReadonlySet<string>,
	{ isWhole, isPowerList }: { isWhole: boolean; isPowerList: boolean },
): boolean {
	if (placesIn(words).some((place) => !place.every((word) => known.has(word)))) return true;
	if (isWhole && isPowerList) return false;
	const tails = words.slice(words.findLastIndex((word) => !legalTails.has(word) && !foreignForms.has(word)) + 1);
	if (tails.some((tail) => foreignForms.has(tail) && !known.has(tail))) return true;
	if (isWhole) return false;
	// A partnership of Texas has a name of its own besides: "Tenaska Frontier Partners Ltd".
	const isLimited = tails.some((tail) => tail === "ltd" || tail === "limited") && !tails.includes("partnership");
	return isLimited && words.every((word) => known.has(word) || genericWords.has(word) || legalTails.has(word));
}

/** The places abroad, each as its words. */
function placesIn(words: readonly string[]): string[][] {
	return words.flatMap((_, at) => {
		if (words[at - 1] === "new") return [];
		const lengths = [3, 2, 1].map((length) => words.slice(at, at + length));
		const place = lengths.find((part) => foreignPlaces.has(part.join(" ")));
		if (place === undefined) return [];
		const isAmericanToo = foreignPlaces.get(place.join(" ")) === true;
		return !isAmericanToo || words.slice(at + place.length).every(saysNothing) ? [place] : [];
	});
}

/** A word behind which no plant and no longer place name is: "… Panama Energy Ltd", but not "… Scotland Neck". */
const saysNothing = (word: string): boolean =>
	!plantTechnologies.has(word) &&
	(legalForms.has(word) || legalTails.has(word) || genericWords.has(word) || foreignForms.has(word));
