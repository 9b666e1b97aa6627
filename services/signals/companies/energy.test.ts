import { describe, expect, it } from "vitest";
import { findEnergyRule } from "./energy.ts";

const named = (...names: string[]) => findEnergyRule({ names });
const yes = (rule: string) => rule;
const no = null;

describe("the rule for energy companies", () => {
	it.each(["1326160", "1376986", "65984", "34088"])("is set by a developer or parent of developers (%s)", (cik) => {
		expect(findEnergyRule({ ciks: ["1900001", cik], names: ["Heron LLC"] })).toEqual(yes("issuer"));
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
		expect(findEnergyRule({ sic: "6282", ciks: [cik], names: [name] })).toEqual(no);
	});

	it("is not set by Energy, Electric or Power alone", () => {
		expect(named("Meridian Energy Group", "Heron Electric Co", "Power Brothers")).toEqual(no);
	});

	it.each(["Electric Utilities", "Energy Conservation", "Other Energy"])("is set by the group %s", (industryGroup) => {
		expect(findEnergyRule({ industryGroup, names: ["Heron LLC"] })).toEqual(yes("industry"));
	});

	it("is set by Environmental Services as the weaker group", () => {
		expect(findEnergyRule({ industryGroup: "Environmental Services", names: ["Heron LLC"] })).toEqual(
			yes("industry-medium"),
		);
	});

	it.each(["Oil and Gas", "Oil & Gas", "Coal Mining", "Residential"])("is not set by the group %s", (industryGroup) => {
		expect(findEnergyRule({ industryGroup, names: ["Heron Drilling Power 7 LP"] })).toEqual(no);
		expect(findEnergyRule({ industryGroup, names: ["Heron Solar LP"] })).toEqual(yes("name"));
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
		expect(named(name)).toEqual(yes("name"));
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
		expect(named(name)).toEqual(no);
	});

	it("ignores a misleading phrase and checks the rest of the name", () => {
		expect(named("Wind River Solar LLC")).toEqual(yes("name"));
		expect(named("Windsor Wind Farm")).toEqual(yes("name"));
	});

	it("checks previous names and the clarification", () => {
		expect(named("Heron LLC", "Heron Solar LLC")).toEqual(yes("name"));
		expect(findEnergyRule({ names: ["Heron"], clarification: "for a 20 MW plant" })).toEqual(yes("clarification"));
		expect(findEnergyRule({ names: ["Heron"], clarification: "in the wind-down of the fund" })).toEqual(no);
	});

	it("judges a pooled fund by its name alone", () => {
		const industryGroup = "Pooled Investment Fund";
		expect(findEnergyRule({ industryGroup, names: ["Heron"], clarification: "invests in solar" })).toEqual(no);
		expect(findEnergyRule({ industryGroup, names: ["Heron Solar Fund"] })).toEqual(yes("name"));
	});

	it("is set by the codes of utilities and gas lines", () => {
		for (const sic of ["4900", "4911", "4922", "4923", "4924", "4931", "4932", "4991"]) {
			expect(findEnergyRule({ sic, names: ["Heron"] }), sic).toEqual(yes("sic"));
		}
	});

	it("is set by a partly energy-related code only together with an energy name", () => {
		expect(findEnergyRule({ sic: "3674", names: ["Heron Chips"] })).toEqual(no);
		expect(findEnergyRule({ sic: "3674", names: ["Heron Energy"] })).toEqual(yes("sic-mixed"));
	});

	it("is not set by the codes of oil, gas and coal, or by an unknown code", () => {
		for (const sic of ["1311", "1221", "6021", "", null]) expect(findEnergyRule({ sic, names: ["Heron"] })).toEqual(no);
	});

	it("reads no more of a text than a form can contain", () => {
		expect(findEnergyRule({ names: ["H"], clarification: `${"1".repeat(5_000_000)} solar` })).toEqual(no);
	});
});
