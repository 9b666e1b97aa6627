import { expect, it } from "vitest";
import { createResolver, type KnownDeveloper } from "#libs/names/resolve.ts";
import { addressKey, type CompanyFacts, createCompanyBook, type Notice } from "./company-book.ts";

const developer = (id: number, canonical: string, prefixes: string[] = []): KnownDeveloper => ({
	...{ id, canonical, ambiguous: false, aliases: [], prefixes },
});
const resolver = createResolver([developer(1, "Larkspur Power", ["Larkspur"]), developer(2, "Quailwood Renewables")]);
const notice = (name: string, street: string | null, zip = "80201"): Notice => ({ name, street, zip });
const book = (notices: Notice[], facts: Partial<CompanyFacts> = {}) =>
	createCompanyBook({ notices, aliases: new Map(), partners: new Map(), ...facts }, (name) => resolver.resolve(name));

it("a company belongs to the developer that its name contains", () => {
	expect(book([]).find("Larkspur Power LLC")).toMatchObject({ developerId: 1, method: "name", confidence: 1 });
	expect(book([]).find("Quailwood Renewables - (MO)")).toMatchObject({ developerId: 2, method: "name" });
	expect(book([]).find("Heron Lake Solar, LLC")).toBeUndefined();
});

it("a project company with notices in care of a developer belongs to that developer", () => {
	const found = book([notice("Heron Lake Solar, LLC", "c/o Quailwood Renewables 9450 SW Gem")]).find(
		"HERON LAKE SOLAR LLC",
	);
	expect(found).toMatchObject({ developerId: 2, method: "care_of", confidence: 0.95 });
});

it("a project company at a developer's address belongs to it if two of its names have that address", () => {
	const here = [
		notice("Larkspur Power LLC", "12 Main Street, Suite 3"),
		notice("Larkspur Ridge Solar, LLC", "12 Main Street, Suite 3"),
		notice("Heron Lake Solar, LLC", "12 Main St Ste 3"),
	];
	expect(book(here).find("Heron Lake Solar, LLC")).toMatchObject({ developerId: 1, method: "notice_address" });
	expect(book(here.toSpliced(1, 1)).find("Heron Lake Solar, LLC")).toBeUndefined();
});

it("a project company at the address of one of a developer's names belongs to it if the EIA names both for a plant", () => {
	const here = [notice("Quailwood Renewables", "12 Main St"), notice("Heron Lake Solar, LLC", "12 Main St")];
	const partners = new Map([["heron lake solar", new Set(["Quailwood Renewables"])]]);
	const found = book(here, { partners }).find("Heron Lake Solar, LLC");
	expect(found).toMatchObject({ developerId: 2, method: "notice_address" });
	expect(found?.evidence).toContain("the EIA names Quailwood Renewables for its plant, too");
});

it("an office tower in Houston links neither Urban Grid nor the owner of Myrtle Solar", () => {
	const urbanGrid = createResolver([developer(3, "Urban Grid Solar")]);
	const tower = ["Urban Grid Solar", "Myrtle Solar, LLC", "Danish Fields Solar, LLC", "Willow Creek Wind Power LLC"];
	const notices = tower.map((name) => notice(name, "1201 Louisiana Street", "77002"));
	const own = createCompanyBook({ notices, aliases: new Map(), partners: new Map() }, (name) =>
		urbanGrid.resolve(name),
	);
	expect(own.find("Myrtle Solar, LLC")).toBeUndefined();
});

it.each<[string, Notice[]]>([
	["of two developers", [notice("Larkspur Power LLC", "12 Main St"), notice("Quailwood Renewables", "12 Main St")]],
	["where only one name of a developer is", [notice("Larkspur Power LLC", "12 Main St")]],
	["in another town", [notice("Larkspur Power LLC", "12 Main St", "10001")]],
])("an address %s is not evidence", (_, notices) => {
	expect(
		book([...notices, notice("Heron Lake Solar, LLC", "12 Main St")]).find("Heron Lake Solar, LLC"),
	).toBeUndefined();
});

it("the address of a registered agent is not evidence", () => {
	expect(addressKey({ street: "1209 Orange Street", zip: "19801" })).toBeNull();
	expect(addressKey({ street: "251 Little Falls Dr.", zip: "19808" })).toBeNull();
	expect(addressKey({ street: "12 Main Street", zip: "80201-1234" })).toBe(
		addressKey({ street: "12 main st.", zip: "80201" }),
	);
});

it("a sponsor's mark in a name identifies its companies", () => {
	const found = book([], { aliases: new Map([["7lp", 1]]) }).find("26SB 7lp LLC");
	expect(found).toMatchObject({ developerId: 1, method: "alias_in_name" });
});
