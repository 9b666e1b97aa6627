/** Codes of counties and census tracts, and how those of one Census edition answer to another's. The tax lists are keyed by the counties of 2020. */
import { byFips, rows } from "./table.ts";

const states = new Map(rows.map(({ fips, state }) => [fips.slice(0, 2), state]));
/** Planning regions of which a county of 2020 holds land, and Valdez-Cordova of its two parts. */
const wholes = Map.groupBy(
	rows.flatMap(({ fips, now }) => now.map((part) => ({ part, fips }))),
	({ part }) => part,
);

/** American Samoa, Guam, Northern Marianas, Virgin Islands: the tax lists state each as one place with the number 000. */
export const isIslandArea = (fips: string): boolean => /^(60|66|69|78)/.test(fips);

/** Does a county have this code, or did one since 2010? */
export function isCounty(fips: string): boolean {
	return byFips.has(fips) || /^(60|66|69|78)000$/.test(fips);
}

/** Two letters, of the state whose number these five or eleven digits begin with. */
export const stateOf = (fips: string): string | undefined => states.get(fips.slice(0, 2));

/** Codes under which the tax lists state this county: one, or several where it was split or is no county of 2020. */
export function listCodes(fips: string): string[] {
	if (isIslandArea(fips)) return [`${fips.slice(0, 2)}000`];
	const now = byFips.get(fips)?.now ?? [];
	return now.length === 0 ? [fips] : now;
}

/** Codes of other editions that share land with this county: 09003 Hartford is shared by 09110, 09140 and 09160. */
export function relatedCodes(fips: string): string[] {
	const now = byFips.get(fips)?.now ?? [];
	return now.length > 0 ? now : (wholes.get(fips)?.map((whole) => whole.fips) ?? []);
}

/**
 * The same census tract under the codes of other editions: Connecticut's tracts kept their six digits when planning regions replaced
 * its counties, and these are unique in the state but for the water tracts (9800.00 and above).
 */
export function tractCodes(tract: string): string[] {
	const number = tract.slice(5);
	if (number >= "980000") return [tract];
	return [tract, ...relatedCodes(tract.slice(0, 5)).map((fips) => `${fips}${number}`)];
}
