import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { geoContains } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { describe, expect, it, test } from "vitest";
import { stateCodes, stateNames } from "#libs/contract/vocabulary.ts";
import { isCounty, relatedCodes, stateOf, taxCodes, tractCodes } from "./codes.ts";
import { findCounty } from "./find-county.ts";
import { findState, rows } from "./table.ts";

const fipsOf = (state: string, text: string): string | string[] | undefined => {
	const found = findCounty(state, text);
	return found === undefined || "fips" in found ? found?.fips : found.several.map(({ fips }) => fips);
};

test("the largest circle of a county lies within its shape", () => {
	const file = createRequire(import.meta.url).resolve("us-atlas/counties-10m.json");
	const atlas = JSON.parse(readFileSync(file, "utf8")) as Topology<{ counties: GeometryCollection }>;
	const shapes = new Map(feature(atlas, atlas.objects.counties).features.map((shape) => [String(shape.id), shape]));
	let judged = 0;
	const flat: string[] = [];
	for (const { fips, within, radiusKm } of rows) {
		const shape = shapes.get(fips);
		if (shape === undefined) continue;
		judged++;
		if (within.radiusKm === 0) {
			flat.push(fips);
			continue;
		}
		expect(within.radiusKm, fips).toBeGreaterThan(0);
		// No circle in it has more area; rounding to tenths of a kilometre aside.
		expect(within.radiusKm, fips).toBeLessThanOrEqual(radiusKm + 0.05);
		// On a map: Mercator's projection keeps circles. The sides of large counties are arcs there.
		const angle = (degrees: number) => (degrees * Math.PI) / 180;
		const reach = (0.97 * within.radiusKm) / (6_371.0088 * Math.cos(angle(within.lat)));
		for (let direction = 0; direction < 2 * Math.PI; direction += Math.PI / 4) {
			const north = Math.asinh(Math.tan(angle(within.lat))) + reach * Math.sin(direction);
			const lat = (Math.atan(Math.sinh(north)) * 180) / Math.PI;
			const lon = within.lon + (reach * Math.cos(direction) * 180) / Math.PI;
			expect(geoContains(shape, [lon, lat]), fips).toBe(true);
		}
	}
	// Falls Church, whose sides fall together at the atlas's resolution.
	expect(flat).toEqual(["51610"]);
	expect(judged).toBeGreaterThan(3_100);
});

describe("finding a county by name", () => {
	it.each<[state: string, text: string, fips: string]>([
		["CA", "Los Angeles", "06037"],
		["ca", "  los angeles COUNTY ", "06037"],
		["TX", "Harris, TX", "48201"],
		["LA", "Orleans Parish", "22071"],
		["LA", "LaSalle", "22059"],
		["IL", "La Salle County", "17099"],
		["IN", "De Kalb", "18033"],
		["IN", "La Grange", "18087"],
		["FL", "DeSoto", "12027"],
		["FL", "Dade County", "12086"],
		["AL", "Saint Clair", "01115"],
		["MO", "Sainte Genevieve", "29186"],
		["MD", "PRINCE GEORGES", "24033"],
		["NM", "Dona Ana", "35013"],
		["MT", "Lewis & Clark", "30049"],
		["VA", "King and Queen", "51097"],
		["WA", "Pend Oreille Co.", "53051"],
		["SD", "Oglala Lakota", "46102"],
		["SD", "Shannon", "46102"],
		["DC", "Washington", "11001"],
		["NY", "Staten Island", "36085"],
		["NV", "Carson City", "32510"],
		["PR", "Anasco Municipio", "72011"],
		["GU", "Guam", "66010"],
	])("%s, %s is %s", (state, text, fips) => expect(fipsOf(state, text)).toBe(fips));

	it.each<[text: string, fips: string | string[]]>([
		["Richmond", ["51159", "51760"]],
		["Richmond County", "51159"],
		["Richmond City", "51760"],
		["City of Richmond", "51760"],
		["Richmond (city)", "51760"],
		["Roanoke", ["51161", "51770"]],
		["Fairfax County", "51059"],
		["Franklin city", "51620"],
		["Norfolk", "51710"],
		["Norfolk City", "51710"],
		["Suffolk County", "51800"],
		["Charles City", "51036"],
		["Charles City County", "51036"],
		["James City County", "51095"],
		["Bedford", "51019"],
		["Bedford City", "51019"],
		["Clifton Forge", "51005"],
	])("Virginia's independent cities: %s is %s", (text, fips) => expect(fipsOf("VA", text)).toEqual(fips));

	it.each<[state: string, text: string, fips: string | string[]]>([
		["MD", "Baltimore", ["24005", "24510"]],
		["MD", "Baltimore County", "24005"],
		["MD", "Baltimore City", "24510"],
		["MO", "Saint Louis", ["29189", "29510"]],
		["MO", "St. Louis County", "29189"],
		["MO", "City of St. Louis", "29510"],
	])("%s, %s is %s", (state, text, fips) => expect(fipsOf(state, text)).toEqual(fips));

	it.each<[text: string, fips: string | string[]]>([
		["Hartford", "09003"],
		["09003", "09003"],
		["Capitol Planning Region", ["09003", "09013"]],
		["09110", ["09003", "09013"]],
		["Greater Bridgeport", "09001"],
		["South Central Connecticut", "09009"],
	])("Connecticut is keyed by its counties of 2020: %s is %s", (text, fips) =>
		expect(fipsOf("CT", text)).toEqual(fips),
	);

	it.each<[text: string, fips: string | string[]]>([
		["Chugach Census Area", "02063"],
		["Copper River", "02066"],
		["Valdez-Cordova", ["02063", "02066"]],
		["02261", ["02063", "02066"]],
		["Wade Hampton", "02158"],
		["02270", "02158"],
		["Juneau City and Borough", "02110"],
	])("Alaska: %s is %s", (text, fips) => expect(fipsOf("AK", text)).toEqual(fips));

	it("returns several counties if the text names several, and none if one of them is unknown", () => {
		expect(fipsOf("TX", "Bell / McLennan")).toEqual(["48027", "48309"]);
		expect(fipsOf("TX", "Bell County and McLennan County")).toEqual(["48027", "48309"]);
		expect(fipsOf("TX", "Bell / Drumshire")).toBeUndefined();
	});

	it.each<[state: string, text: string]>([
		["CA", "Harris"],
		["OK", "Oklahoma City"],
		["CA", ""],
		["CA", "County"],
		["CA", "48201"],
		["CA", "6037"],
		["CA", "06999"],
		["ZZ", "Harris"],
		["C", "Los Angeles"],
		["MO", "/"],
	])("%s, '%s' is no county", (state, text) => expect(findCounty(state, text)).toBeUndefined());

	it("returns the official name, with City if a county has the same name", () => {
		expect(findCounty("IL", "la salle")).toMatchObject({ fips: "17099", name: "LaSalle" });
		expect(findCounty("VA", "51760")).toMatchObject({ fips: "51760", name: "Richmond City" });
		expect(findCounty("VA", "Richmond County")).toMatchObject({ fips: "51159", name: "Richmond" });
		expect(findCounty("VA", "Norfolk")).toMatchObject({ fips: "51710", name: "Norfolk" });
	});
});

describe("county codes of other Census editions", () => {
	it("map to the codes of the tax lists", () => {
		expect(taxCodes("48201")).toEqual(["48201"]);
		expect(taxCodes("46113")).toEqual(["46102"]);
		expect(taxCodes("02261")).toEqual(["02063", "02066"]);
		expect(taxCodes("66010")).toEqual(["66000"]);
		expect(relatedCodes("09003")).toEqual(["09110", "09140", "09160"]);
		expect(relatedCodes("09110")).toEqual(["09003", "09013"]);
	});

	it("keep a Connecticut tract's number, except for water tracts", () => {
		expect(tractCodes("09003500100")).toEqual(["09003500100", "09110500100", "09140500100", "09160500100"]);
		expect(tractCodes("09001990000")).toEqual(["09001990000"]);
		expect(tractCodes("56023978400")).toEqual(["56023978400"]);
	});

	it("are valid counties, and other codes are not", () => {
		for (const fips of ["02261", "09110", "66000", "78030", "11001"]) expect(isCounty(fips)).toBe(true);
		for (const fips of ["00000", "48000", "99999", "4820", ""]) expect(isCounty(fips)).toBe(false);
		expect(stateOf("48201")).toBe("TX");
		expect(stateOf("99201")).toBeUndefined();
	});
});

it("has counties of every state in the vocabulary, and of no other", () => {
	const numbers = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, "0"));
	const found = numbers.flatMap((number) => stateOf(number) ?? []);
	expect(found.sort()).toEqual([...stateCodes].sort());
});

it("finds every state by its code and its name", () => {
	for (const state of stateCodes)
		expect(findState(state.toLowerCase())).toMatchObject({ state, name: stateNames[state] });
	expect(findState("Connecticut")).toMatchObject({
		state: "CT",
		lat: expect.closeTo(41.6, 1),
		lon: expect.closeTo(-72.7, 1),
	});
	expect(findState("Quebec")).toBeNull();
});
