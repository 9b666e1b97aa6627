/**
 * Every county and state of the United States, with its center. `counties.psv` contains the Census Bureau's names of 2017 (before planning
 * regions replaced Connecticut's counties in Census files), codes that were added or dropped since 2010, and the centers that `build.ts`
 * computes (empty for a code without a shape). Operators and the tax lists name the counties of 2020.
 */
import { readFileSync } from "node:fs";

/** A county of 2020. An independent city counts as one. */
export interface County {
	/** Five digits. */
	fips: string;
	/** Without "County"; an independent city that shares its name with a county ends in "City" ("Richmond City"). */
	name: string;
	/** Two letters. */
	state: string;
	/** Center: degrees, WGS 84. */
	lat: number;
	lon: number;
}

export interface State {
	/** Two letters. */
	state: string;
	name: string;
	/** Center: degrees, WGS 84. */
	lat: number;
	lon: number;
	/** Radius of the circle that has the same area. */
	radiusKm: number;
}

/** A line of `counties.psv`. */
export interface CountyRow extends County {
	/** Other names. */
	also: string[];
	/**
	 * For an area that is not a county of 2020: the counties that contain its land, the main one first (46102 for 46113 Shannon; 09003 and 09013
	 * for 09110 Capitol).
	 */
	now: string[];
	/** Radius of the circle that has the same area; NaN where there is no shape. */
	radiusKm: number;
	/** The largest circle within the county; NaN where there is no shape. */
	within: { lat: number; lon: number; radiusKm: number };
}

const rowOf = (line: string, at: number): CountyRow => {
	const [fips = "", state = "", name = "", also = "", now = "", lat = "", lon = "", radius = "", ...innerCircle] =
		line.split("|");
	if (!/^\d{5}$/.test(fips) || !/^[A-Z]{2}$/.test(state) || name === "" || innerCircle.length !== 3)
		throw new Error(`counties.psv: line ${at + 2} is not a valid county row`);
	const number = (cell: string) => (cell === "" ? Number.NaN : Number(cell));
	const shape = { lat: number(lat), lon: number(lon), radiusKm: number(radius) };
	const [withinLat = Number.NaN, withinLon = Number.NaN, withinKm = Number.NaN] = innerCircle.map(number);
	const within = { lat: withinLat, lon: withinLon, radiusKm: withinKm };
	return { fips, state, name, ...shape, within, also: listOf(also, ";"), now: listOf(now, " ") };
};

const listOf = (cell: string, separator: string): string[] => (cell === "" ? [] : cell.split(separator));

const linesOf = (file: string): string[] =>
	readFileSync(new URL(file, import.meta.url), "utf8")
		.trimEnd()
		.split("\n")
		.slice(1);

/** Independent cities (Virginia, Baltimore, St. Louis, Carson City) have numbers from 510; counties of those states have lower ones. */
export const isCity = ({ fips }: { fips: string }): boolean => Number(fips.slice(2)) >= 510;

/** Sorted by code, so that a county precedes the independent city of the same name. */
export const rows: readonly CountyRow[] = linesOf("counties.psv").map(rowOf);
export const byFips: ReadonlyMap<string, CountyRow> = new Map(rows.map((row) => [row.fips, row]));

/**
 * The name's letters without diacritics. Different spellings have the same key: "Prince George's" and "PRINCE GEORGES", "LaSalle" and
 * "La Salle", "St. Clair" and "Saint Clair" (queues sheet, 5.1).
 */
export function nameKey(name: string): string {
	return name
		.normalize("NFD")
		.toLowerCase()
		.replace(/&/g, " and ")
		.replace(/\bsaint(e?)\b/g, "st$1")
		.replace(/[^a-z]/g, "");
}

/** Official and other names, which the filter by county accepts. */
export const countyNames: readonly string[] = [...new Set(rows.flatMap(({ name, also }) => [name, ...also]))];

const byName = Map.groupBy(
	rows.flatMap((row) => [row.name, ...row.also].map((name) => ({ key: `${row.state}:${nameKey(name)}`, row }))),
	({ key }) => key,
);

/** Finds the counties with this name, in any spelling, in a state (two letters): at most a county and a city. */
export const findCountiesByName = (state: string, name: string): CountyRow[] => [
	...new Set(byName.get(`${state}:${nameKey(name)}`)?.map(({ row }) => row)),
];

/** Returns the county itself, or the counties of 2020 that contain its land, the main one first. */
export function countiesOf(row: CountyRow): County[] {
	const counties2020 = row.now.flatMap((fips) => byFips.get(fips) ?? []);
	return (row.now.length > 0 ? counties2020 : [row]).map(({ fips, state, name, lat, lon }) => {
		const isAmbiguous = isCity({ fips }) && !/ city$/i.test(name) && findCountiesByName(state, name).length > 1;
		return { fips, name: isAmbiguous ? `${name} City` : name, state, lat, lon };
	});
}

/** Every county of 2020 that has a center. */
export const allCounties: readonly County[] = rows.filter(({ lat, now }) => !Number.isNaN(lat) && now.length === 0);

const states = new Map<string, State>();
for (const line of linesOf("states.psv")) {
	const [state = "", name = "", lat, lon, radius] = line.split("|");
	const row: State = { name, state, lat: Number(lat), lon: Number(lon), radiusKm: Number(radius) };
	states.set(state.toLowerCase(), row);
	states.set(nameKey(name), row);
}

/** Finds a state by its two letters or its full name, in any case; null if there is no such state, district or territory of the US. */
export function findState(filed: string): State | null {
	return states.get(filed.trim().toLowerCase()) ?? states.get(nameKey(filed)) ?? null;
}
