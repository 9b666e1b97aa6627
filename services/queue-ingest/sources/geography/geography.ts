/** Locates requests: cleans and looks up what operators file as county and state. Pure. */

import { readFileSync } from "node:fs";
import type { LocationPrecision } from "#libs/contract/vocabulary.ts";
import { bareName, hasCountyWord, namedCounties } from "#libs/counties/find-county.ts";
import { type County, countiesOf, findState, nameKey } from "#libs/counties/table.ts";
import { known } from "#libs/files/values.ts";
import type { Operator } from "../source.ts";

interface Location {
	/** Official name of the first valid county, without "County"; without one, the cleaned filed text (a town, a typing error). */
	county: string | null;
	counties: string[];
	/** Two-letter code of the first valid county's state, else the filed one. A code outside the US ("QC", "MX") is kept. */
	state: string | null;
	fips: string | null;
	/** Degrees, WGS 84: the center of the first valid county, else of the state. */
	lat: number | null;
	lon: number | null;
	locationPrecision: Extract<LocationPrecision, "county" | "state"> | null;
}

/** Neighboring provinces and countries in which requests are filed, by name. Filed codes are kept unchanged. */
const foreignCodes = new Map(
	Object.entries({
		quebec: "QC",
		québec: "QC",
		ontario: "ON",
		manitoba: "MB",
		"new brunswick": "NB",
		mexico: "MX",
	}),
);

/** Texts that name no county, besides those that `known` reads as nothing. */
const noCounty = new Set(["various", "usa", "cluster"]);

interface SearchScope {
	states: string[];
	operator: Operator | null;
}

/**
 * Cleans and locates what an operator filed as county and state. If the filed state lacks the county, the other states of `operator` are
 * searched; with null, none are. Never throws: a text that cannot be located is kept, with the center of the state.
 * "Kings, Queens" in "New York" is Kings (36047) and Queens; "Drumshire" in "KS" the center of Kansas.
 */
export function locate(county: string | null, state: string | null, operator: Operator | null): Location {
	const codes = stateCodes(state);
	const states = codes.filter((code) => findState(code) !== null);
	const cleaned = known(county?.replace(/\n/g, ", "))?.replace(/[\s,;]+$/, "") ?? "";
	const text = noCounty.has(cleaned.toLowerCase()) ? "" : cleaned;
	const found = text === "" ? [] : splitCounties(text, separatorsOf(operator), { states, operator });
	const first = found[0];
	if (first) {
		const { name, fips, lat, lon } = first;
		const counties = [...new Set(found.map((each) => each.name))];
		return { county: name, counties, state: first.state, fips, lat, lon, locationPrecision: "county" };
	}
	return { county: text === "" ? null : bareName(text), counties: [], fips: null, ...stateCenter(codes) };
}

function stateCenter(codes: string[]): Pick<Location, "state" | "lat" | "lon" | "locationPrecision"> {
	const code = codes[0] ?? null;
	const place = code === null ? null : findState(code);
	if (place === null) return { state: code, lat: null, lon: null, locationPrecision: null };
	return { state: place.state, lat: place.lat, lon: place.lon, locationPrecision: "state" };
}

/** "TX/OK" and "NY-NJ" name two states, "New York" one; a code outside the US is kept. Empty if nothing is usable. */
function stateCodes(filed: string | null): string[] {
	const value = known(filed);
	if (value === null) return [];
	return value.split(/[/,;&|-]|\sand\s/).flatMap((part) => {
		const name = part.trim();
		const code = findState(name)?.state ?? foreignCodes.get(name.toLowerCase());
		if (code !== undefined) return [code];
		return /^[A-Z]{2}$/.test(name) && name !== "NA" ? [name] : [];
	});
}

/** Separators of counties, the safest first: a text is split further only while it is not a county itself. */
function separatorsOf(operator: Operator | null): RegExp[] {
	const separators = [/[,/;&|]/, /(?:^|\s)and\s|\s-\s/i];
	if (operator?.joinsByHyphen) separators.push(/-/);
	return separators;
}

function splitCounties(text: string, separators: RegExp[], filed: SearchScope): County[] {
	const whole = findCounties(text, filed.states);
	if (whole.length > 0) return whole;
	const [separator, ...rest] = separators;
	if (separator === undefined) return findElsewhere(text, filed);
	const parts = text
		.split(separator)
		.map((part) => part.trim())
		.filter((part) => part !== "");
	return parts.flatMap((part) => splitCounties(part, rest, filed));
}

/**
 * Finds the county that a text without separators names in a state; for a planning region, the counties that contain its land, the main one
 * first. A name that a county and an independent city share means the county.
 */
function findNamed(text: string, state: string): County[] {
	const [row] = namedCounties(state, text);
	return row === undefined ? [] : countiesOf(row);
}

/** Finds the counties that a text names in these states: by official name, by correction, or followed by the state ("Linn KS"). */
function findCounties(text: string, states: string[]): County[] {
	for (const state of states) {
		const counties = findNamed(text, state);
		if (counties.length > 0) return counties;
	}
	for (const state of states) {
		const entries = findCorrection(text, state) ?? findCorrection(bareName(text), state) ?? [];
		const counties = entries.flatMap((entry) => findWithState(entry, []) ?? findNamed(entry, state));
		if (counties.length > 0) return counties;
	}
	return findWithState(text, states) ?? [];
}

/**
 * Finds the county before its state in "Linn KS", "Kings, NY" and "Lynn County Texas"; returns null without a state. The full name of a state
 * counts only if it is a filed state: "Jefferson Washington" may as well be two counties.
 */
function findWithState(text: string, states: string[]): County[] | null {
	const [, before = "", code = ""] = /^([^/;&|,]+?)(?:,\s*|\s+)\(?([a-z]{2}|[a-z]{4,})\)?$/i.exec(text) ?? [];
	const state = findState(code)?.state;
	if (state === undefined || (code.length > 2 && !states.includes(state))) return null;
	const counties = findNamed(before, state);
	return counties.length > 0 ? counties : null;
}

/** Finds the only county of this name in the operator's states. Returns none if several states have one, or if the text may be a town. */
function findElsewhere(text: string, { states, operator }: SearchScope): County[] {
	if (operator === null) return [];
	const mayBeTown = operator.filesTowns && states.length > 0 && !hasCountyWord(text);
	if (mayBeTown) return [];
	const hits = operator.states.map((state) => findNamed(text, state)).filter((counties) => counties.length > 0);
	return hits.length === 1 ? (hits[0] ?? []) : [];
}

const [, ...lines] = readFileSync(new URL("./corrections.psv", import.meta.url), "utf8")
	.trimEnd()
	.split("\n");

/**
 * Counties that operators mean by typing errors, abbreviations, towns and counties of other states. The table has entries
 * for the published files of 2018-2026, by filed state, with the intended counties ("Kings", or "Kay OK" in another state). Add a line only
 * after reading the row (its substation shows the town): a guess is worse than the state's center, which is the fallback.
 */
export const corrections = lines.map((line) => {
	const [state = "", filed = "", counties = ""] = line.split("|");
	return { state, filed, counties: counties.split(", ") };
});

const correctionKey = (state: string, filed: string): string => `${state}:${nameKey(filed)}`;
const correctedByKey = new Map(
	corrections.map(({ state, filed, counties }) => [correctionKey(state, filed), counties]),
);

const findCorrection = (filed: string, state: string): string[] | undefined =>
	correctedByKey.get(correctionKey(state, filed));
