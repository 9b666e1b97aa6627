/** Compares an operator's name of a request with the EIA's name of a plant. Pure. */
import { slipBetween } from "#libs/names/similarity.ts";

export interface PlantName {
	words: string[];
	/** Numbers of phases: 2 for "Blue Jay Solar II". */
	numbers: number[];
}

/** Words that any plant could have in its name, whatever its technology, and legal forms. */
const common = new Set(
	`a an and at by for in of on the de del el la los las
	solar wind offshore storage battery batteries bess ess pv photovoltaic photovoltaics hydro hydroelectric nuclear geothermal gas
	fired combined cycle peaker peaking turbine turbines cc ct pp wf sf es wec sec cogen cogeneration thermal landfill
	energy power electric electricity electrical renewable renewables clean green generating generation generator generators
	project projects plant plants station facility facilities farm farms park center centre site array complex works
	alternate hybrid expansion expanded extension ext uprate increase addition repower repowering replacement upgrade unit units phase stage
	mw kw kv llc lp llp inc incorporated corp corporation co company ltd limited holdings holdco holding
	community net metering dg dgr csg fka dba re windfarm windpark windpower windfield`
		.split(/\s+/)
		.filter((word) => word !== ""),
);

const romans = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi"];
const numberWords = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const maxName = 200;

/** Text in brackets can be another name ("SOLAR STAR CALIFORNIA XIII (QUINTO)") and never makes the first one differ. */
export function namesOf(filed: string | null): PlantName[] {
	const text = (filed ?? "").slice(0, maxName);
	const inner = [...text.matchAll(/\(([^()]*)\)/g)].map((found) => found[1] ?? "");
	const outer = text.replace(/\([^()]*\)/g, " ");
	return [outer, ...inner].map(nameOf).filter((name) => name.words.length > 0);
}

function nameOf(text: string): PlantName {
	const plain = text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/['’`.]/g, "")
		.replace(/\d+(\.\d+)?\s?(mw|kv)\b/g, " ");
	const words: string[] = [];
	const numbers: number[] = [];
	for (const token of plain.split(/[^a-z0-9]+/)) {
		const number = /^\d{1,2}$/.test(token)
			? Number(token)
			: romans.indexOf(token) + 1 || numberWords.indexOf(token) + 1;
		if (token === "" || common.has(token)) continue;
		// A number in front is part of the name ("174 Power", "I-70"); behind it counts phases.
		if (number > 0 && words.length > 0) numbers.push(number);
		else if (!words.includes(token)) words.push(token);
	}
	return { words, numbers: [...new Set(numbers)].sort((a, b) => a - b) };
}

/**
 * `equal`: the same words and phases. `close`: nearly (0.85 of the words), or one within the other. `slip`: the same but for one
 * mistyped word. `different`: other words, or not surely the same phase: "Sun Streams 2" is not "Sun Streams". `unknown`: one has no name
 * of its own.
 */
export type NameAgreement = "equal" | "close" | "slip" | "different" | "unknown";

const minSimilarity = 0.85;

/** `places`: words of county and state. Names that share only these differ; names that consist only of these are `close` at most. */
export function compareNames(a: PlantName[], b: PlantName[], places: ReadonlySet<string>): NameAgreement {
	if (a.length === 0 || b.length === 0) return "unknown";
	const all = a.flatMap((one) => b.map((other) => comparePair(one, other, places)));
	return (["equal", "close", "slip"] as const).find((one) => all.includes(one)) ?? "different";
}

function comparePair(a: PlantName, b: PlantName, places: ReadonlySet<string>): NameAgreement {
	const shared = a.words.filter((word) => b.words.includes(word));
	const isSameJoined = a.words.join("") === b.words.join("");
	const onlyPlace = (isSameJoined ? a.words : shared).every((word) => places.has(word));
	const otherwise = hasSlip(a, b, places) ? "slip" : "different";
	if (onlyPlace && !isSameJoined) return otherwise;
	if (!samePhases(a.numbers, b.numbers)) return "different";
	const similarity = isSameJoined ? 1 : (2 * shared.length) / (a.words.length + b.words.length);
	if (similarity === 1) return onlyPlace ? "close" : "equal";
	const contained = shared.length === Math.min(a.words.length, b.words.length) && shared.join("").length >= 6;
	return similarity >= minSimilarity || contained ? "close" : otherwise;
}

/** Shorter words that differ by a letter are usually different words. */
export const isLong = (word: string): boolean => word.length >= 8;

/** Whether the names differ only in one long word that is mistyped ("Revoultion") and not the name of a place. */
function hasSlip(a: PlantName, b: PlantName, places: ReadonlySet<string>): boolean {
	const [one = "", ...more] = a.words.filter((word) => !b.words.includes(word));
	const [other = ""] = b.words.filter((word) => !a.words.includes(word));
	if (a.words.length !== b.words.length || more.length > 0 || !samePhases(a.numbers, b.numbers)) return false;
	if (places.has(one) || places.has(other)) return false;
	return isLong(one) && isLong(other) && slipBetween(one, other) !== undefined;
}

/** "Atlas IV" and "Atlas Solar X" are phases of "Atlas Complex". */
export const isPhaseOf = (whole: PlantName[], part: PlantName[]): boolean =>
	whole.some(
		({ words, numbers }) =>
			numbers.length === 0 && part.some((one) => one.numbers.length > 0 && one.words.join(" ") === words.join(" ")),
	);

/** Whether the names have the same words and different phases, like "Panther Creek II" and "Panther Creek 1". */
export const isOtherPhase = (a: PlantName[], b: PlantName[]): boolean =>
	a.some((one) =>
		b.some(
			({ words, numbers }) =>
				words.join(" ") === one.words.join(" ") &&
				Math.min(numbers.length, one.numbers.length) > 0 &&
				!samePhases(one.numbers, numbers),
		),
	);

/** Whether the phases of one name are among those of the other. The first phase often has no number. */
function samePhases(a: number[], b: number[]): boolean {
	const [fewer, more] = a.length < b.length ? [a, b] : [b, a];
	if (fewer.length === 0) return more.every((number) => number === 1);
	return fewer.every((number) => more.includes(number));
}

export function placeWords(...places: (string | null)[]): Set<string> {
	const words = places.flatMap((place) => (place ?? "").toLowerCase().split(/[^a-z0-9]+/));
	return new Set(["county", "parish", ...words].filter((word) => word !== ""));
}
