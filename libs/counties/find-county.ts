/**
 * Finds the county that a text names, with the same rules for queues, tax credits and data centers. If a county and an independent city share
 * the name ("Richmond", VA), `namedCounties` returns the county unless the text contains "city", and `findCounty` returns both instead of
 * guessing. A planning region of Connecticut stands for the counties of 2020 with its land, the main one first.
 */
import { byFips, type County, type CountyRow, countiesOf, findCountiesByName, findState, isCity } from "./table.ts";

const countyWords =
	/[\s,]+(city and borough|county|counties|cnty|co|parish|parrish|prsh|borough|census area|municipality|municipio|planning region)\.?$/i;
const leadingWords = /^(county|parish|borough|town|municipality)\s+(of\s+)?/i;
const cityWords = /^(?:independent )?city of\s+|\s+\(?(?:independent )?city\)?$/i;

/** Removes words for "county" and a remark in brackets: "Chaves County (Melrose)" becomes "Chaves". */
export function bareName(text: string): string {
	const name = text.replace(/\s*\([^)]*\)$/, "");
	return name.replace(countyWords, "").replace(leadingWords, "").trim() || text;
}

/** Whether the text contains a word for "county". */
export const hasCountyWord = (text: string): boolean => countyWords.test(text);

/** Finds the counties in a state (two letters) that a text without separators may mean; a county comes before the city of the same name. */
export function namedCounties(state: string, text: string): CountyRow[] {
	const exact = findCountiesByName(state, text);
	if (exact.length > 0) return exact;
	// A text with "city" never means a county: Oklahoma City extends over three counties.
	const city = text.replace(cityWords, "");
	if (city !== text) return findCountiesByName(state, city).filter(isCity);
	const bare = bareName(text);
	if (bare === text) return [];
	const matches = findCountiesByName(state, bare);
	const counties = matches.filter((row) => !isCity(row));
	return counties.length > 0 ? counties : matches;
}

/** Finds all counties in a text. Tries the whole text first, so that "King and Queen" and "Lewis & Clark" are not split. */
function countiesInText(state: string, text: string): County[] {
	const counties = namedCounties(state, text).flatMap(countiesOf);
	if (counties.length > 0) return counties;
	const parts = text.split(/[/,;&|+]|\sand\s|\s-\s/i).map((part) => part.trim());
	if (parts.length < 2) return [];
	const byPart = parts.map((part) => countiesInText(state, part));
	return byPart.some((partCounties) => partCounties.length === 0) ? [] : byPart.flat();
}

/**
 * The county that a text means in a state (two letters): a name with or without "County", or a FIPS code of that state. `several` if the text
 * names more than one ("Bell / McLennan"), is ambiguous ("Richmond", VA is a county and a city), or names a planning region that covers
 * several counties of 2020. Undefined if the state has no such county.
 */
export function findCounty(state: string, text: string): County | { several: County[] } | undefined {
	const code = state.trim().toUpperCase();
	const trimmed = text.trim().replace(/\s+/g, " ");
	if (/^\d+$/.test(trimmed)) {
		const row = byFips.get(trimmed);
		return row?.state === code ? oneOrSeveral(countiesOf(row)) : undefined;
	}
	const hasState = trimmed.toUpperCase().endsWith(`, ${code}`);
	return oneOrSeveral(countiesInText(code, hasState ? trimmed.slice(0, -code.length - 2) : trimmed));
}

/** Finds the county that a text with a state means: "Midland, TX", "Midland County, Texas". A county comes before the city of the same name. */
export function findPlace(text: string): County | undefined {
	const words = text.trim().split(/[\s,]+/);
	// "West Virginia" is tried before "Virginia".
	for (const length of [3, 2, 1]) {
		const state = words.length > length ? findState(words.slice(-length).join(" ")) : null;
		const [row] = state === null ? [] : namedCounties(state.state, words.slice(0, -length).join(" "));
		if (row !== undefined) return countiesOf(row)[0];
	}
	return undefined;
}

function oneOrSeveral(counties: County[]): County | { several: County[] } | undefined {
	const unique = [...new Map(counties.map((county) => [county.fips, county])).values()];
	return unique.length > 1 ? { several: unique } : unique[0];
}
