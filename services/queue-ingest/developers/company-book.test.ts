import { expect, it } from "vitest";
import { createResolver, type KnownDeveloper } from "#libs/names/resolve.ts";
import { addressKey, companyBook, type Notice } from "./company-book.ts";

const developer = (id: number, canonical: string, prefixes: string[] = []): KnownDeveloper => ({
	...{ id, canonical, ambiguous: false, aliases: [], prefixes },
});
const resolver = createResolver([developer(1, "Larkspur Power", ["Larkspur"]), developer(2, "Quailwood Renewables")]);
const notice = (name: string, street: string | null, zip = "80201"): Notice => ({ name, street, zip });
const book = (notices: Notice[], aliases = new Map<string, number>()) =>
	companyBook(notices, (name) => resolver.resolve(name), aliases);

it("a company is the developer that its name says", () => {
	expect(book([]).find("Larkspur Power LLC")).toMatchObject({ developerId: 1, method: "name", confidence: 1 });
	expect(book([]).find("Heron Lake Solar, LLC")).toBeUndefined();
});

it("a project's company whose notices go care of a developer is that developer's", () => {
	const found = book([notice("Heron Lake Solar, LLC", "c/o Quailwood Renewables 9450 SW Gem")]).find(
		"HERON LAKE SOLAR LLC",
	);
	expect(found).toMatchObject({ developerId: 2, method: "care_of", confidence: 0.95 });
});

it("a project's company at a developer's own address is that developer's", () => {
	const here = [
		notice("Larkspur Power LLC", "12 Main Street, Suite 3"),
		notice("Heron Lake Solar, LLC", "12 Main St Ste 3"),
	];
	expect(book(here).find("Heron Lake Solar, LLC")).toMatchObject({ developerId: 1, method: "notice_address" });
});

it.each<[string, Notice[]]>([
	["of two developers", [notice("Larkspur Power LLC", "12 Main St"), notice("Quailwood Renewables", "12 Main St")]],
	["where only one project of a developer is", [notice("Larkspur Ridge Solar, LLC", "12 Main St")]],
	["in another town", [notice("Larkspur Power LLC", "12 Main St", "10001")]],
])("an address %s says nothing", (_, notices) => {
	expect(
		book([...notices, notice("Heron Lake Solar, LLC", "12 Main St")]).find("Heron Lake Solar, LLC"),
	).toBeUndefined();
});

it("the address of a registered agent says nothing", () => {
	expect(addressKey({ street: "1209 Orange Street", zip: "19801" })).toBeNull();
	expect(addressKey({ street: "251 Little Falls Dr.", zip: "19808" })).toBeNull();
	expect(addressKey({ street: "12 Main Street", zip: "80201-1234" })).toBe(
		addressKey({ street: "12 main st.", zip: "80201" }),
	);
});

it("a sponsor's mark within the name tells its companies", () => {
	const found = book([], new Map([["7lp", 1]])).find("26SB 7lp LLC");
	expect(found).toMatchObject({ developerId: 1, method: "alias_in_name" });
});
