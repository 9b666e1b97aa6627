/** Ambiguous words in headlines that speak of energy: the company, or something else of the same spelling. Headlines are invented. */
import { describe, expect, test } from "vitest";
import { createFinder } from "./find-developers.ts";
import type { KnownDeveloper } from "./known-names.ts";

const shortNames: Record<string, string> = {
	"Apex Clean Energy": "Apex",
	"Clearway Energy Group": "Clearway",
	"Dominion Energy": "Dominion",
	Eolian: "Eolian Energy",
	"Hecate Energy": "Hecate",
	"Jupiter Power": "Jupiter",
	"Linea Energy": "Linea",
	"Longroad Energy": "Longroad",
	"Nova Clean Energy": "Nova",
	"Pattern Energy": "Pattern",
	"Pivot Energy": "Pivot",
	"Plus Power": "Plus Power LLC",
	"Recurrent Energy": "Recurrent",
	"Scout Clean Energy": "Scout",
	"Summit Ridge Energy": "Summit Ridge",
	"Swift Current Energy": "Swift Current",
	"Torch Clean Energy": "Torch",
	"Treaty Oak Clean Energy": "Treaty Oak",
	"Vesper Energy": "Vesper",
};
const ordinary = new Set(["Eolian", "Plus Power"]);

const developers: KnownDeveloper[] = [
	...Object.entries(shortNames).map(([canonical, alias], id) => ({
		id,
		canonical,
		ambiguous: ordinary.has(canonical),
		aliases: [{ alias, ambiguous: !ordinary.has(canonical) }],
	})),
	{ id: 100, canonical: "Calpine", ambiguous: false, aliases: [] },
];
const finder = createFinder(developers);
const find = (title: string) => finder.find({ title, url: "", domain: "", organizations: [], snippet: null });

describe("the name is next to a word for what companies do or have", () => {
	test.each([
		["Vesper Energy", "Vesper completes 500 MW Hornet Solar"],
		["Vesper Energy", "Vesper closes solar financing"],
		["Recurrent Energy", "Recurrent secures $825 million for Arizona storage"],
		["Pivot Energy", "Pivot breaks ground on community solar"],
		["Pivot Energy", "Pivot Breaks Ground on Community Solar"],
		["Jupiter Power", "Jupiter closes $225M loan for Texas battery storage"],
		["Eolian", "Eolian starts operations at 200 MW battery"],
		["Linea Energy", "Linea acquires 1 GW solar pipeline"],
		["Treaty Oak Clean Energy", "Treaty Oak signs PPA for solar"],
		["Longroad Energy", "Longroad to build 400 MW storage in Arizona"],
		["Scout Clean Energy", "Scout is planning a wind farm"],
		["Swift Current Energy", "Swift Current raises $242M for Texas solar"],
		["Summit Ridge Energy", "Summit Ridge CEO: solar is cheap"],
		["Hecate Energy", "County sues Hecate over solar farm"],
		["Hecate Energy", "Board votes after Hecate solar proposal"],
		["Hecate Energy", "Hecate: storage is next"],
		["Clearway Energy Group", "Amazon signs wind deal with Clearway"],
		["Clearway Energy Group", "Clearway and Meta sign PPA"],
		["Clearway Energy Group", "Clearway-owned wind farm opens"],
		["Pattern Energy", "Pattern's 3.5 GW SunZia wind project"],
		["Plus Power", "Plus Power's Hawaii battery replaces coal plant"],
		["Apex Clean Energy", "Wind farm proposed by Apex draws ire"],
		["Hecate Energy", "Utility signs solar deal with Google, Hecate"],
		["Scout Clean Energy", "Scout US chief defends wind"],
		["Torch Clean Energy", "Texas solar farm sold by developer Torch"],
	])("%s: %s", (canonical, title) => {
		expect(find(title)).toMatchObject([{ canonical, matchedOn: "title", confidence: 0.75 }]);
	});

	test("an unambiguous name next to it is sufficient evidence", () => {
		expect(find("Storage talk: Calpine, Nova").map(({ canonical }) => canonical)).toEqual([
			"Calpine",
			"Nova Clean Energy",
		]);
	});
});

test.each([
	"Swift Current's city council approves battery storage bylaw",
	"SWIFT CURRENT COUNCIL BACKS SOLAR FARM",
	"Swift Current Plans to Ban Wind Turbines",
	"Summit Ridge residents oppose solar farm",
	"Summit Ridge Homeowners Win Fight Over Battery Storage",
	"Recurrent flooding hits solar farm",
	"Recurrent, costly turbine faults",
	"Solar farm hit by recurrent flooding",
	"Scout report: wind turbine inspection drones",
	"Scout Builds Solar Oven for Merit",
	"Dominion power struggle at family grid iron team",
	"Battery storage opens at Nova Power Bank",
	"Nova episode explores battery science",
	"Solar farm in Apex wins zoning approval",
	"Apex, NC weighs battery storage",
	"Apex solar farm opens",
	"Line from Jupiter to Stuart carries solar",
	"Jupiter's people want wind turbines",
	"Torch used in solar farm arson",
	"Treaty Oak neighbors object to battery storage",
	"Vesper bats die at wind turbines",
	"Longroad Street solar canopy",
	"Eolian harp powered by wind",
	"Plus Power bills rise as grid costs grow",
])("names no developer: %s", (title) => {
	expect(find(title).filter(({ canonical }) => canonical !== "Calpine")).toEqual([]);
});

test("a place next to an unambiguous name does not prevent the match", () => {
	const title = "Calpine breaks ground on battery storage at Nova Power Bank";
	expect(find(title).map(({ canonical }) => canonical)).toEqual(["Calpine"]);
});

test("a trusted outlet is context, not proof", () => {
	const article = { url: "", domain: "pv-tech.org", organizations: [], snippet: null };
	expect(finder.find({ ...article, title: "Recurrent flooding in Ohio" })).toEqual([]);
	expect(finder.find({ ...article, title: "Scout names chief" })).toMatchObject([{ confidence: 0.75 }]);
});
