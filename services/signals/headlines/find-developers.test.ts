/** The rules one by one, and names that mislead. */
import { describe, expect, test } from "vitest";
import { createFinder, type Findable } from "./find-developers.ts";
import type { KnownDeveloper } from "./known-names.ts";

type Names = [canonical: string, aliases?: string[], ambiguous?: string[]];

/** Numbered from 1, in this order. */
const developers: KnownDeveloper[] = (
	[
		["Pine Gate Renewables", ["Pine Gate"]],
		["Shell Energy North America", ["Shell"], ["Shell"]],
		["bp America", ["BP"], ["BP"]],
		["Lightsource bp"],
		["AES", ["AES Clean Energy"], ["AES"]],
		["Pattern Energy", ["Pattern"], ["Pattern"]],
		["Constellation Energy", ["Constellation"], ["Constellation"]],
		["TotalEnergies Renewables USA", ["TotalEnergies", "Total"], ["Total"]],
		["Orsted Americas", ["Orsted"]],
		["Alliant Energy", ["IPL"], ["IPL"]],
		["AES Indiana", ["IPL"], ["IPL"]],
		["Invenergy", ["Invenergy LLC"]],
		["Georgia Power"],
		["Savion"],
		["TVA"],
		["Brookfield Asset Management", ["Brookfield"], ["Brookfield"]],
		["Dominion Energy", ["Dominion"], ["Dominion"]],
		["Xcel Energy"],
		["Avangrid"],
	] satisfies Names[]
).map(([canonical, aliases = [], ambiguous = []]: Names, at) => ({
	id: at + 1,
	canonical,
	ambiguous: ambiguous.includes(canonical),
	aliases: aliases.map((alias) => ({ alias, ambiguous: ambiguous.includes(alias) })),
}));

const finder = createFinder(developers, [
	{ name: "Blue Jay Solar II, LLC", developerId: 12 },
	{ name: "Solar Project 2", developerId: 1 },
	{ name: "Texas Wind", developerId: 1 },
	{ name: "Offshore Wind", developerId: 1 },
	{ name: "Gemini", developerId: 1 },
]);

const nothing: Findable = { title: "", url: "", domain: "", organizations: [], snippet: null };
const find = (article: Partial<Findable>) => finder.find({ ...nothing, ...article });
const named = (title: string, rest: Partial<Findable> = {}) =>
	find({ title, ...rest }).map(({ canonical }) => canonical);

describe("evidence", () => {
	test("a full name or an unambiguous alias in the headline is 0.9", () => {
		expect(find({ title: "Pine Gate 's lenders take over" })).toEqual([
			{
				developerId: 1,
				canonical: "Pine Gate Renewables",
				matchedOn: "title",
				confidence: 0.9,
				matchedText: "Pine Gate",
				subject: "us_business",
			},
		]);
	});

	test.each(["solar", "600MW", "batteries", "power plant", "PPA", "grid"])(
		"an ambiguous name next to %s is 0.75",
		(word) => {
			expect(find({ title: `Shell signs ${word} deal` })).toMatchObject([{ matchedOn: "title", confidence: 0.75 }]);
		},
	);

	test("an ambiguous name on a trusted energy domain is 0.75", () => {
		const title = "Pattern names new chief executive";
		expect(find({ title, domain: "www.pv-tech.org" })).toMatchObject([{ confidence: 0.75 }]);
		expect(find({ title, domain: "notpv-tech.org" })).toEqual([]);
	});

	test("an ambiguous name without context is dropped", () => {
		expect(named("Shell appoints new chair")).toEqual([]);
	});

	test("a name only in the URL is 0.7", () => {
		const url = "https://example.com/2025/11/06/pine-gate-renewables-files-chapter-11.html?x=invenergy";
		expect(find({ title: "Solar developer fails", url })).toMatchObject([
			{ canonical: "Pine Gate Renewables", matchedOn: "url", confidence: 0.7, matchedText: "pine gate renewables" },
		]);
	});

	test("ambiguous names, common names, acronyms and the domain do not count in a URL", () => {
		expect(named("A", { url: "https://invenergy.example.com/shell-solar-georgia-power-plant-tva" })).toEqual([]);
	});

	test("a project's name is 0.6 for its developer", () => {
		expect(find({ title: "Blue Jay Solar II reaches operation" })).toMatchObject([
			{ canonical: "Invenergy", matchedOn: "title_project", confidence: 0.6, matchedText: "Blue Jay Solar II" },
		]);
	});

	test("common or one-word project names identify no developer", () => {
		expect(named("Solar Project 2 and Texas Wind and Gemini Solar go online")).toEqual([]);
		expect(named("Facing a Hostile Administration, U.S. Offshore Wind Is in Retreat")).toEqual([]);
	});

	test("a name only among the organisations is 0.6, with and without its legal form", () => {
		expect(find({ organizations: ["invenergy llc", "friends of avangrid"] })).toMatchObject([
			{ canonical: "Invenergy", matchedOn: "organizations", confidence: 0.6, matchedText: "invenergy llc" },
		]);
	});

	test("a name only in the text is 0.5", () => {
		expect(find({ snippet: "The farm of Invenergy, near a Shell solar park" })).toMatchObject([
			{ canonical: "Invenergy", matchedOn: "body", confidence: 0.5 },
		]);
	});

	test("only the best evidence of a developer counts", () => {
		const article = { title: "Invenergy builds", url: "https://x.com/invenergy-builds", organizations: ["invenergy"] };
		expect(find(article)).toMatchObject([{ matchedOn: "title", confidence: 0.9 }]);
	});

	test("more than three developers limit each to 0.5", () => {
		const three = "Invenergy, Avangrid and Savion";
		expect(find({ title: three }).map(({ confidence }) => confidence)).toEqual([0.9, 0.9, 0.9]);
		expect(find({ title: `${three} and Orsted` }).map(({ confidence }) => confidence)).toEqual([0.5, 0.5, 0.5, 0.5]);
	});
});

describe("names in headlines", () => {
	test("the longest name wins, and developers are in the order of the headline", () => {
		expect(named("Lightsource bp sells solar farm")).toEqual(["Lightsource bp"]);
		expect(named("Savion and Lightsource bp and Avangrid")).toEqual(["Savion", "Lightsource bp", "Avangrid"]);
	});

	test("only whole words count", () => {
		expect(named("Savions and Invenergys solar")).toEqual([]);
	});

	test("acronyms count only in capitals", () => {
		expect(named("TVA buys power")).toEqual(["TVA"]);
		expect(named("Tva buys power")).toEqual([]);
		expect(named("Aes adds storage")).toEqual([]);
	});

	test("accents and case are ignored", () => {
		expect(named("Ørsted halts work")).toEqual(["Orsted Americas"]);
	});

	test("possessives and owners count as companies", () => {
		expect(named("Shell-owned Savion’s solar plan")).toEqual(["Shell Energy North America", "Savion"]);
	});

	test("a name of two developers identifies neither", () => {
		expect(named("IPL plans solar farm")).toEqual([]);
	});

	test("a word of a name is not context for itself", () => {
		const grid = { id: 1, canonical: "Urban Grid", ambiguous: true, aliases: [] };
		expect(createFinder([grid]).find({ ...nothing, title: "Urban Grid hires chief" })).toEqual([]);
	});

	test("the outlet at the end is not part of the headline", () => {
		expect(named("Board backs solar farm - Invenergy Times")).toEqual([]);
	});
});

test.each([
	"Shell Lake approves solar farm",
	"Oyster Shell turbine",
	"Total War update adds battery units",
	"Total solar capacity doubles",
	"Dominion Voting sues over grid claims",
	"Constellation Brands adds solar to brewery",
	"A constellation of wind satellites",
	"AES encryption for grid storage",
	"Brookfield, Wis. board approves battery storage",
	"Pattern of outages hits Texas grid",
	"Wind pattern shifts over solar park",
	"Georgia Power Plant Vogtle opens",
	"Georgia power bills rise",
	"Xcel Energy Center hosts concert",
	"TotalEnergies CAF Champions League draw",
])("names no developer: %s", (title) => {
	expect(named(title)).toEqual([]);
});

test("only part of a hostile article is read, quickly", () => {
	const long = "Invenergy solar ".repeat(200_000);
	const article = { title: long, url: `https://x.com/${long}`, organizations: [long], snippet: long };
	expect(find(article)).toMatchObject([{ canonical: "Invenergy", matchedOn: "title" }]);
	expect(find({ title: "\u0301 \ud800 &", url: "::", organizations: [""], snippet: "" })).toEqual([]);
});
