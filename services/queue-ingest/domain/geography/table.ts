/**
 * The counties and states of the United States with their centres, as `build.ts` wrote them, indexed for look-up. Counties are
 * those of the 2017 Census edition: with Connecticut's eight old counties, which the operators still name.
 */
import { readFileSync } from "node:fs";

/** `counties.json`: names without "County", latitude and longitude of the centre in degrees (WGS 84). */
export interface CountyTable {
	states: [code: string, name: string, lat: number, lon: number][];
	counties: [fips: string, name: string, state: string, lat: number, lon: number][];
}

export interface Place {
	name: string;
	/** Two letters. */
	state: string;
	lat: number;
	lon: number;
}

export interface County extends Place {
	/** Five digits. */
	fips: string;
}

/**
 * How names are compared (queues.md 5.1): "saint" is "st" and "sainte" is "ste", then lower-case letters only, diacritics removed.
 * "Prince George's" and "PRINCE GEORGES", "LaSalle" and "La Salle", "St. Clair" and "Saint Clair" are one name each.
 */
export function nameKey(name: string): string {
	return name
		.normalize("NFD")
		.toLowerCase()
		.replace(/\bsaint(e?)\b/g, "st$1")
		.replace(/[^a-z]/g, "");
}

const file = JSON.parse(readFileSync(new URL("counties.json", import.meta.url), "utf8")) as CountyTable;

/** Every county once, for what is looked up by place rather than by name. */
export const allCounties: readonly County[] = file.counties.map(([fips, name, state, lat, lon]) => ({
	fips,
	name,
	state,
	lat,
	lon,
}));

const states = new Map<string, Place>();
for (const [state, name, lat, lon] of file.states) {
	const place: Place = { name, state, lat, lon };
	states.set(state.toLowerCase(), place);
	states.set(nameKey(name), place);
}

/** Renamed, merged or split since operators last named them, and Connecticut's planning regions by their main old county (5.1). */
const successors: [state: string, name: string, fips: string][] = [
	["SD", "Shannon", "46102"],
	["VA", "Bedford City", "51019"],
	["AK", "Wade Hampton", "02158"],
	["AK", "Chugach", "02261"],
	["AK", "Copper River", "02261"],
	["CT", "Capitol", "09003"],
	["CT", "Greater Bridgeport", "09001"],
	["CT", "Lower Connecticut River Valley", "09007"],
	["CT", "Naugatuck Valley", "09009"],
	["CT", "Northeastern Connecticut", "09015"],
	["CT", "Northwest Hills", "09005"],
	["CT", "South Central Connecticut", "09009"],
	["CT", "Southeastern Connecticut", "09011"],
	["CT", "Western Connecticut", "09001"],
];

const counties = indexed();

function key(name: string, state: string): string {
	return `${state}:${nameKey(name)}`;
}

/**
 * Counties by state and name. An independent city is a county of its own (number 510 and above): "Norfolk" and "Norfolk City" are
 * the same, but where a county has the same name (six pairs) the bare name is the county and the city's name ends in "City".
 */
function indexed(): Map<string, County> {
	const all = allCounties;
	const isCity = (county: County) => Number(county.fips.slice(2)) >= 510;
	const byKey = new Map<string, County>();
	for (const county of all) if (!isCity(county)) byKey.set(key(county.name, county.state), county);
	for (const city of all.filter(isCity)) {
		const taken = byKey.has(key(city.name, city.state));
		const named = taken ? { ...city, name: `${city.name} City` } : city;
		if (!taken) byKey.set(key(city.name, city.state), named);
		byKey.set(key(`${city.name} City`, city.state), named);
	}
	const byFips = new Map(all.map((county) => [county.fips, county]));
	for (const [state, name, fips] of successors) {
		const county = byFips.get(fips);
		if (county) byKey.set(key(name, state), county);
	}
	return byKey;
}

/** The county of this name in this state (two letters), however it is spelled; null when the state has none. */
export function findCounty(name: string, state: string): County | null {
	return counties.get(key(name, state)) ?? null;
}

/** The state by its two letters or its full name, in any case; null when it is no state, district or territory of the US. */
export function findState(filed: string): Place | null {
	return states.get(filed.trim().toLowerCase()) ?? states.get(nameKey(filed)) ?? null;
}
