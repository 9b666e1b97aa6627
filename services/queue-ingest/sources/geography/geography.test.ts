import { describe, expect, it } from "vitest";
import type { Region } from "#libs/contract/vocabulary.ts";
import { namedCounties } from "#libs/counties/find-county.ts";
import { operators } from "../../queues/sources/index.ts";
import { corrections, locate as locateFiled } from "./geography.ts";

const locate = (county: string | null, state: string | null, region: Region | null) =>
	locateFiled(county, state, region === null ? null : operators[region]);

/** FIPS codes and counties of a filed county and state. */
function placed(county: string | null, state: string | null, region: Region | null = null): [string | null, string[]] {
	const { fips, counties } = locate(county, state, region);
	return [fips, counties];
}

describe("one county", () => {
	it("returns the county's official name, FIPS code and centre", () => {
		expect(locate("SAN BERNARDINO", "CA", "CAISO")).toEqual({
			county: "San Bernardino",
			counties: ["San Bernardino"],
			state: "CA",
			fips: "06071",
			lat: expect.closeTo(34.84, 1),
			lon: expect.closeTo(-116.18, 1),
			locationPrecision: "county",
		});
	});

	it.each([
		["Pecos County", "TX", "48371"],
		["Wayne Co", "MI", "26163"],
		["Caddo Parrish", "LA", "22017"],
		["Parish Caddo", "LA", "22017"],
		["Adams County,", "CO", "08001"],
		["Chaves County (Melrose)", "NM", "35005"],
		["Prince Georges", "MD", "24033"],
		["LA SALLE", "IL", "17099"],
		["LaSalle", "TX", "48283"],
		["Saint Louis", "MN", "27137"],
		["Sainte Genevieve", "MO", "29186"],
		["Dona Ana", "NM", "35013"],
		["Obrien", "IA", "19141"],
		["Shannon", "SD", "46102"],
		["Hartford", "CT", "09003"],
		["Capitol Planning Region", "CT", "09003"],
	])("reads %s, %s however it is spelled", (county, state, fips) => {
		expect(placed(county, state)[0]).toBe(fips);
	});

	it("returns all counties with land of a planning region, located at the main one", () => {
		expect(placed("Capitol Planning Region", "CT", "ISO-NE")).toEqual(["09003", ["Hartford", "Tolland"]]);
		expect(placed("Naugatuck Valley", "CT")).toEqual(["09009", ["New Haven", "Fairfield", "Hartford", "Litchfield"]]);
		expect(placed("South Central Connecticut", "CT")).toEqual(["09009", ["New Haven"]]);
	});

	it("chooses the county rather than an independent city of the same name, unless the text names the city", () => {
		expect(placed("Richmond", "VA")).toEqual(["51159", ["Richmond"]]);
		expect(placed("City of Richmond", "VA")).toEqual(["51760", ["Richmond City"]]);
		expect(placed("Baltimore (City)", "MD")).toEqual(["24510", ["Baltimore City"]]);
		expect(placed("Baltimore", "MD")[0]).toBe("24005");
		expect(placed("City of Chesapeake", "VA")).toEqual(["51550", ["Chesapeake"]]);
		expect(placed("Charles City", "VA")[0]).toBe("51036");
		expect(placed("Bedford City", "VA")[0]).toBe("51019");
		expect(placed("St. Louis City", "MO")[0]).toBe("29510");
	});
});

describe("several counties", () => {
	it.each<[string, string, Region | null, string, string[]]>([
		["Kings, Queens", "New York", "NYISO", "36047", ["Kings", "Queens"]],
		["Benton County,Warren County", "IN", "MISO", "18007", ["Benton", "Warren"]],
		["St. Mary,St. Mary Parish", "LA", "MISO", "22101", ["St. Mary"]],
		["MERCED / FRESNO", "CA", "CAISO", "06047", ["Merced", "Fresno"]],
		["Cameron, Elk, and McKean", "PA", "NYISO", "42023", ["Cameron", "Elk", "McKean"]],
		["Bailey and Lamb", "TX", "SPP", "48017", ["Bailey", "Lamb"]],
		["Steuben - Otsego", "NY", "NYISO", "36101", ["Steuben", "Otsego"]],
		["Oneida-Dutchess", "NY", "NYISO", "36065", ["Oneida", "Dutchess"]],
		["Linn KS and Bates MO", "KS", "SPP", "20107", ["Linn", "Bates"]],
		["Kings,Queens,NY,Bronx,DE,", "NY", "NYISO", "36047", ["Kings", "Queens", "New York", "Bronx", "Delaware"]],
		["Newkirk, Kay County", "OK", "SPP", "40071", ["Kay"]],
	])("splits %s (%s, %s)", (county, state, region, fips, counties) => {
		expect(placed(county, state, region)).toEqual([fips, counties]);
	});

	it.each([
		["King and Queen", "VA", "51097"],
		["Isle of Wight", "VA", "51093"],
		["Lac qui Parle", "MN", "27073"],
		["Lake of the Woods", "MN", "27077"],
		["Fond du Lac", "WI", "55039"],
		["Miami-Dade", "FL", "12086"],
		["Lewis & Clark", "MT", "30049"],
		["Matanuska-Susitna", "AK", "02170"],
	])("does not split %s", (county, state, fips) => {
		const [found, counties] = placed(county, state, "CAISO");
		expect(found).toBe(fips);
		expect(counties).toHaveLength(1);
	});
});

describe("states", () => {
	it("reads names, codes, either case, several at once", () => {
		expect(locate("Linn", "michigan", null).state).toBe("MI");
		expect(placed("Bowie", "TX/OK", "SPP")[0]).toBe("48037");
		expect(placed("NY - Bergen", "NY-NJ", "NYISO")).toEqual(["36061", ["New York", "Bergen"]]);
	});

	it("reads the state after the county's name", () => {
		expect(placed("Kings, NY", "NY", "NYISO")).toEqual(["36047", ["Kings"]]);
		expect(placed("Major County, OK", "OK", "SPP")[0]).toBe("40093");
		expect(placed("Lynn County Texas", "TX", "SPP")[0]).toBe("48305");
	});

	it("reads names of object properties as plain text", () => {
		for (const word of ["constructor", "toString", "__proto__"])
			expect(locate(word, word, "CAISO")).toMatchObject({ county: word, state: null, lat: null });
	});

	it("keeps a code outside the US without a location", () => {
		expect(locate("ENSENADA", "MX", "CAISO")).toMatchObject({
			county: "ENSENADA",
			state: "MX",
			lat: null,
			locationPrecision: null,
		});
		expect(locate(null, "Quebec", "NYISO")).toMatchObject({ county: null, state: "QC", fips: null, lat: null });
	});

	it("searches the operator's other states for a county that the filed state lacks, if only one has it", () => {
		expect(locate("Kenosha", "MI", "MISO")).toMatchObject({ fips: "55059", state: "WI" });
		expect(locate("CHURCHILL/PERSHING", "CA", "CAISO")).toMatchObject({ fips: "32001", state: "NV" });
		expect(locate("Pecos", null, "ERCOT")).toMatchObject({ fips: "48371", state: "TX" });
		expect(locate("Sangamon", null, "MISO")).toMatchObject({ fips: "17167", state: "IL" });
		expect(locate("Washington", null, "MISO")).toMatchObject({ county: "Washington", fips: null, state: null });
		expect(locate("Kenosha", "MI", null)).toMatchObject({ fips: null, state: "MI" });
	});
});

describe("corrections and towns", () => {
	it.each<[string, string, string]>([
		["SAN BERNADINO", "CA", "06071"],
		["L.A", "CA", "06037"],
		["Frqanklin", "ME", "23007"],
		["Linden", "NY", "34039"],
		["Skamania", "OR", "53059"],
		["Brooklyn & Staten Island", "NY", "36047"],
		["Drumright", "OK", "40037"],
	])("reads %s, %s", (county, state, fips) => {
		expect(placed(county, state)[0]).toBe(fips);
	});

	it("places an unknown town at the centre of its state, with its name", () => {
		expect(locate("Sleeping Bear", "OK", "SPP")).toEqual({
			county: "Sleeping Bear",
			counties: [],
			state: "OK",
			fips: null,
			lat: expect.closeTo(35.6, 1),
			lon: expect.closeTo(-97.5, 1),
			locationPrecision: "state",
		});
	});

	it("does not read an operator's town as a county of another state", () => {
		expect(placed("Morrisville", "NY", "NYISO")[0]).toBeNull();
		expect(locate("Putnam", "CT", "ISO-NE")).toMatchObject({ county: "Windham", state: "CT" });
	});

	it.each(["N/A", "Unknown", "Not Specified", "TBD", "Various", "USA", "", null])("reads %s as no county", (county) => {
		expect(locate(county, "VA", "PJM")).toMatchObject({
			county: null,
			counties: [],
			state: "VA",
			locationPrecision: "state",
		});
	});

	it("reads blank text as no location", () => {
		expect(locate(null, null, "PJM")).toEqual({
			county: null,
			counties: [],
			state: null,
			fips: null,
			lat: null,
			lon: null,
			locationPrecision: null,
		});
	});
});

it.each(corrections)("$state: $filed is a county once corrected, and none before", ({ filed, state, counties }) => {
	expect(namedCounties(state, filed)).toEqual([]);
	const location = locate(filed, state, null);
	expect(location.fips).not.toBeNull();
	expect(location.counties).toHaveLength(counties.length);
});
