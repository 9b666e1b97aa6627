/**
 * The counties of the United States by FIPS code and by every way their names are written (queues sheet, 5.1; signals sheet, 8).
 * `sources/counties.psv` holds the Census Bureau's names of 2017, before Connecticut's planning regions replaced its counties in
 * Census files, and beside them the codes that came and went since 2010. The tax lists are keyed by the counties of 2020.
 */
import { readFileSync } from "node:fs";

export interface County {
	/** Five digits. */
	fips: string;
	/** Without "County"; an independent city that shares its name with a county ends in "City" ("Richmond City"). */
	name: string;
}

interface Row extends County {
	state: string;
	/** Further names. */
	also: string[];
	/** Codes of 2020 that hold its land, where it is none itself (46113 Shannon: 46102; 09110 Capitol: 09003 and 09013). */
	now: string[];
}

const header = "fips|state|name|also|now";

/** Throws an `Error` that names the line where the bundled file breaks a rule. */
function readRows(): Row[] {
	const file = readFileSync(new URL("../sources/counties.psv", import.meta.url), "utf8");
	const [first, ...lines] = file.trimEnd().split("\n");
	if (first !== header) throw new Error(`counties.psv: line 1 must be ${header}`);
	return lines.map((line, at) => {
		const [fips = "", state = "", name = "", also, now, ...more] = line.split("|");
		if (!/^\d{5}$/.test(fips) || !/^[A-Z]{2}$/.test(state) || name === "" || now === undefined || more.length > 0)
			throw new Error(`counties.psv: line ${at + 2} is no county`);
		return { fips, state, name, also: listOf(also, ";"), now: listOf(now, " ") };
	});
}

const listOf = (cell: string | undefined, separator: string): string[] => (cell ? cell.split(separator) : []);

/** "Prince George's" and "PRINCE GEORGES", "LaSalle" and "La Salle", "St. Clair" and "Saint Clair" are one name each. */
function nameKey(name: string): string {
	return name
		.normalize("NFD")
		.toLowerCase()
		.replace(/&/g, " and ")
		.replace(/\bsaint(e?)\b/g, "st$1")
		.replace(/[^a-z]/g, "");
}

/** Independent cities (Virginia, Baltimore, St. Louis, Carson City) have the numbers from 510; no county of those states has. */
const isCity = ({ fips }: County): boolean => Number(fips.slice(2)) >= 510;

const rows = readRows();
const byFips = new Map(rows.map((row) => [row.fips, row]));
const states = new Map(rows.map(({ fips, state }) => [fips.slice(0, 2), state]));
const byName = Map.groupBy(
	rows.flatMap((row) => [row.name, ...row.also].map((name) => ({ key: `${row.state}:${nameKey(name)}`, row }))),
	({ key }) => key,
);
const namesakes = (state: string, name: string): Row[] => [
	...new Set(byName.get(`${state}:${nameKey(name)}`)?.map(({ row }) => row)),
];
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

/** The county itself, or those of 2020 that hold its land. */
function successors(row: Row): County[] {
	const held = row.now.flatMap((fips) => byFips.get(fips) ?? []);
	return (row.now.length > 0 ? held : [row]).map(({ fips, state, name }) => {
		const shared = isCity({ fips, name }) && !/ city$/i.test(name) && namesakes(state, name).length > 1;
		return { fips, name: shared ? `${name} City` : name };
	});
}

const countyWords =
	/[\s,]+(city and borough|county|counties|co|parish|parrish|borough|census area|municipality|municipio|planning region)\.?$/i;
const cityWords = /^(?:independent )?city of\s+|\s+\(?(?:independent )?city\)?$/i;

/** The counties of 2020 that a text without separators may mean. */
function meant(state: string, text: string): Row[] {
	const exact = namesakes(state, text);
	if (exact.length > 0) return exact;
	const bare = text.replace(countyWords, "");
	if (bare !== text) {
		const found = namesakes(state, bare);
		const counties = found.filter((row) => !isCity(row));
		return counties.length > 0 ? counties : found;
	}
	// Never a county: "Oklahoma City" lies in three.
	return namesakes(state, text.replace(cityWords, "")).filter(isCity);
}

/** Tried as a whole first, so that "King and Queen" and "Lewis & Clark" stay in one piece. */
function countiesOf(state: string, text: string): County[] {
	const whole = meant(state, text).flatMap(successors);
	if (whole.length > 0) return whole;
	const parts = text.split(/[/,;&|+]|\sand\s|\s-\s/i).map((part) => part.trim());
	if (parts.length < 2) return [];
	const found = parts.map((part) => countiesOf(state, part));
	return found.some((counties) => counties.length === 0) ? [] : found.flat();
}

/**
 * The county that a text means in a state (two letters): a name with or without "County", or a FIPS code of that state. `several` where
 * the text names more than one ("Bell / McLennan"), leaves open which ("Richmond", VA is a county and a city), or names what lies in more
 * than one county of 2020 (a planning region). Undefined where the state has no such county.
 */
export function findCounty(state: string, text: string): County | { several: County[] } | undefined {
	const code = state.trim().toUpperCase();
	const written = text.trim().replace(/\s+/g, " ");
	if (/^\d+$/.test(written)) {
		const row = byFips.get(written);
		return row?.state === code ? oneOrSeveral(successors(row)) : undefined;
	}
	const hasState = written.toUpperCase().endsWith(`, ${code}`);
	return oneOrSeveral(countiesOf(code, hasState ? written.slice(0, -code.length - 2) : written));
}

function oneOrSeveral(counties: County[]): County | { several: County[] } | undefined {
	const unique = [...new Map(counties.map((county) => [county.fips, county])).values()];
	return unique.length > 1 ? { several: unique } : unique[0];
}
