import { describe, expect, it } from "vitest";
import { isAboutEnergy } from "./energy.ts";

const named = (...names: string[]) => isAboutEnergy({ names });

describe("the mark of filings about energy", () => {
	it.each(["1326160", "1376986", "65984", "34088"])("is set by a developer or parent of developers (%s)", (cik) => {
		expect(isAboutEnergy({ ciks: ["1900001", cik], names: ["Heron LLC"] })).toBe(true);
	});

	it.each([
		["1652044", "Alphabet Inc."],
		["1001085", "BROOKFIELD Corp /ON/"],
		["1937926", "Brookfield Asset Management Ltd."],
		["1364742", "BlackRock Inc."],
		["1404912", "KKR & Co. Inc."],
		["1393818", "Blackstone Inc."],
		["1176948", "Ares Management Corp"],
		["1527166", "Carlyle Group Inc."],
		["1858681", "Apollo Global Management, Inc."],
		["1880661", "TPG Inc."],
	])("is not set by a parent in another business (%s, %s)", (cik, name) => {
		expect(isAboutEnergy({ sic: "6282", ciks: [cik], names: [name] })).toBe(false);
	});

	it("is not set by Energy, Electric or Power alone", () => {
		expect(named("Meridian Energy Group", "Heron Electric Co", "Power Brothers")).toBe(false);
	});

	it.each(["Electric Utilities", "Energy Conservation", "Other Energy", "Environmental Services"])(
		"is set by the group %s",
		(industryGroup) => {
			expect(isAboutEnergy({ industryGroup, names: ["Heron LLC"] })).toBe(true);
		},
	);

	it.each(["Oil and Gas", "Oil & Gas", "Coal Mining", "Residential"])("is not set by the group %s", (industryGroup) => {
		expect(isAboutEnergy({ industryGroup, names: ["Heron Drilling Power 7 LP"] })).toBe(false);
		expect(isAboutEnergy({ industryGroup, names: ["Heron Solar LP"] })).toBe(true);
	});

	it.each([
		"Blue Jay Solar II, LLC",
		"HERON PHOTOVOLTAICS",
		"Heron PV Fund",
		"Lone Wind LLC",
		"Renewable Heron",
		"Heron Renewables",
		"Clean Energy Heron",
		"Heron Energy Storage",
		"Heron Battery",
		"Heron Batteries",
		"BESS 4",
		"Heron Hydroelectric",
		"Heron Hydro Power",
		"Geothermal One",
		"Heron Nuclear",
		"Fusion Works",
		"Heron Microgrids",
		"Heron Grid",
		"Heron Transmission",
		"Green Hydrogen",
		"Carbon  Capture Co",
		"Heron Biogas",
		"RNG Partners",
		"Heron 50MW",
		"Heron 1.5 MW",
		"Heron Megawatt",
		"Heron Power & Energy",
		"Heron Power Plant",
	])("is set by the name %s", (name) => {
		expect(named(name)).toBe(true);
	});

	it.each([
		"Heron Self Storage",
		"Self-Storage Battery Ventures",
		"Heron Storage Units",
		"Battery Ventures XIV",
		"Battery Park Partners",
		"Windsor Capital",
		"Windward Fund",
		"Wind River Partners",
		"Empower Retirement",
		"Power Brands LLC",
		"Heron Energy Drinks",
		"Hydroponic Heron",
		"SolarWinds Corp",
		"Gridiron Capital",
		"Solaris Oilfield",
		"Windy City Fund",
		"Heron Power",
		"Apex Energy Fund",
		"Helping Hands",
		"BMW Dealers",
		"",
	])("is not set by the name %j", (name) => {
		expect(named(name)).toBe(false);
	});

	it("ignores a misleading phrase and checks the rest of the name", () => {
		expect(named("Wind River Solar LLC")).toBe(true);
		expect(named("Windsor Wind Farm")).toBe(true);
	});

	it("checks previous names and the clarification", () => {
		expect(named("Heron LLC", "Heron Solar LLC")).toBe(true);
		expect(isAboutEnergy({ names: ["Heron"], clarification: "for a 20 MW plant" })).toBe(true);
		expect(isAboutEnergy({ names: ["Heron"], clarification: "in the wind-down of the fund" })).toBe(false);
	});

	it("judges a pooled fund by its name alone", () => {
		const industryGroup = "Pooled Investment Fund";
		expect(isAboutEnergy({ industryGroup, names: ["Heron"], clarification: "invests in solar" })).toBe(false);
		expect(isAboutEnergy({ industryGroup, names: ["Heron Solar Fund"] })).toBe(true);
	});

	it("is set by the codes of utilities and gas lines", () => {
		for (const sic of ["4900", "4911", "4922", "4923", "4924", "4931", "4932", "4991"]) {
			expect(isAboutEnergy({ sic, names: ["Heron"] }), sic).toBe(true);
		}
	});

	it("is set by a partly energy-related code only together with an energy name", () => {
		expect(isAboutEnergy({ sic: "3674", names: ["Heron Chips"] })).toBe(false);
		expect(isAboutEnergy({ sic: "3674", names: ["Heron Energy"] })).toBe(true);
	});

	it("is not set by the codes of oil, gas and coal, or by an unknown code", () => {
		for (const sic of ["1311", "1221", "6021", "", null]) expect(isAboutEnergy({ sic, names: ["Heron"] })).toBe(false);
	});

	it("reads no more of a text than a form can contain", () => {
		expect(isAboutEnergy({ names: ["H"], clarification: `${"1".repeat(5_000_000)} solar` })).toBe(false);
	});
});
