/** Codes of counties and census tracts, and their equivalents in other Census editions. The tax lists use the counties of 2020. */
import { byFips, rows } from "./table.ts";

const states = new Map(rows.map(({ fips, state }) => [fips.slice(0, 2), state]));
/** Areas that are not counties of 2020, by each county of 2020 that they share land with: Connecticut's planning regions, or Valdez-Cordova. */
const areasByPart = Map.groupBy(
	rows.flatMap(({ fips, now }) => now.map((part) => ({ part, fips }))),
	({ part }) => part,
);

/** American Samoa, Guam, Northern Marianas, Virgin Islands: each is one area in the tax lists, with the number 000. */
export const isIslandArea = (fips: string): boolean => /^(60|66|69|78)/.test(fips);

/** Whether a county has this code or had it since 2010. */
export function isCounty(fips: string): boolean {
	return byFips.has(fips) || /^(60|66|69|78)000$/.test(fips);
}

/** Postal code of the state of a county (five digits) or tract (eleven). */
export const stateOf = (fips: string): string | undefined => states.get(fips.slice(0, 2));

/** Codes of the counties of 2020 that contain the land of a county of any edition, the main one first. */
export function countyCodes(fips: string): string[] {
	const now = byFips.get(fips)?.now ?? [];
	return now.length === 0 ? [fips] : now;
}

/** Codes of this county in the tax lists: several if it was split or is not a county of 2020. */
export const taxCodes = (fips: string): string[] =>
	isIslandArea(fips) ? [`${fips.slice(0, 2)}000`] : countyCodes(fips);

/** Codes of areas in other editions that share land with this county: 09110, 09140 and 09160 for 09003 Hartford. */
export function relatedCodes(fips: string): string[] {
	const now = byFips.get(fips)?.now ?? [];
	return now.length > 0 ? now : (areasByPart.get(fips)?.map((area) => area.fips) ?? []);
}

/**
 * Codes of the same census tract in all editions. When planning regions replaced Connecticut's counties, its tracts kept their six digits,
 * which are unique in the state except for water tracts (9800.00 and above).
 */
export function tractCodes(tract: string): string[] {
	const number = tract.slice(5);
	if (number >= "980000") return [tract];
	return [tract, ...relatedCodes(tract.slice(0, 5)).map((fips) => `${fips}${number}`)];
}
