import { describe, expect, it } from "vitest";
import { createResolver } from "./resolve.ts";
import { readSeed } from "./seed.ts";

const { resolve } = createResolver(readSeed().map((developer, at) => ({ id: at + 1, ...developer })));
const linked = (name: string) => {
	const found = resolve(name);
	return found.kind === "matched" ? found.canonical : null;
};

describe("a partnership or trust that contains a utility's name", () => {
	it.each([
		"Georgia Power Partners LLC",
		"Alabama Power Partners LLC",
		"Minnesota Power Partners LLC",
		"Kentucky Power Partners LP",
		"Nevada Power Partners LP",
		"Georgia Power Trust",
		"Indiana Michigan Power Partners",
		"Green Mountain Power Partners LLC",
	])("%s is not the utility", (name) => {
		expect(resolve(name).kind).toBe("review");
	});

	it.each([
		["Tenaska Partners LP", "Tenaska"],
		["Tenaska Georgia Partners LP", "Tenaska"],
		["Carlyle Power Partners", "Carlyle"],
		["Longroad Energy Partners, LLC", "Longroad Energy"],
	])("%s is %s, because only it has the word or the legal form", (name, canonical) => {
		expect(linked(name)).toBe(canonical);
	});
});

describe("foreign affiliates", () => {
	it.each([
		"EDF Energy plc",
		"EDF Energy Ltd",
		"RWE Generation UK",
		"RWE Generation SE",
		"AES Andes",
		"AES Gener",
		"AES Panama",
		"AES (Bulgaria) EOOD",
		"EDPR Italia",
		"Invenergy Polska",
		"Invenergy Japan",
		"Invenergy New Zealand",
		"NextEra Energy Canada",
		"EDF Renewables - UK",
		"Iberdrola México SA de CV",
		"Ontario Power Corp d/b/a Invenergy Canada",
	])("%s is left for manual review", (name) => {
		expect(resolve(name).kind).not.toBe("matched");
	});

	it.each([
		["Iberdrola SA", "Avangrid"],
		["Equinor ASA", "Equinor US"],
		["JERA Co Inc", "JERA Americas"],
		["Ørsted A/S", "Orsted Americas"],
	])("the parent's plain name %s is %s, as in the register", (name, canonical) => {
		expect(linked(name)).toBe(canonical);
	});

	it.each([
		["Iberdrola SA", null],
		["Equinor ASA", "Equinor US"],
		["Maui Electric Company, Limited", "Hawaiian Electric"],
	])("among companies of all kinds %s is %s", (name, canonical) => {
		const found = resolve(name, "any company");
		expect(found.kind === "matched" ? found.canonical : null).toBe(canonical);
	});

	it.each([
		["Invenergy Peru Wind LLC", "Invenergy"],
		["SunEnergy1-Scotland Neck, LLC", "SunEnergy1"],
		["FPL Energy New Mexico Wind LLC", "NextEra Energy Resources"],
		["Brookfield Power New England, LLC", "Brookfield Renewable US"],
		["Tenaska Frontier Partners Ltd", "Tenaska"],
	])("%s is an American company: %s", (name, canonical) => {
		expect(linked(name)).toBe(canonical);
	});
});

describe("companies of other industries", () => {
	it.each([
		"Strata Oil & Gas",
		"Strata Gas",
		"Pattern Gas Inc",
		"NRG Oncology",
		"NRG Media",
		"NRG Systems",
		"Alliant Techsystems",
		"Alliant Credit Union",
		"Ameren Credit Union",
		"Stonepeak Ceramics",
		"Exelon Chemicals",
		"Constellation Brands Inc",
	])("%s belongs to no developer", (name) => {
		expect([resolve(name).kind, resolve(name, "any company").kind]).not.toContain("matched");
	});

	it("gas-fired and energy-system companies count as power companies", () => {
		expect(linked("NRG Astoria Gas Turbine Operations Inc")).toBe("NRG Energy");
		expect(linked("Pattern Gas Generation LLC")).toBe("Pattern Energy");
		expect(linked("NRG Energy Systems LLC")).toBe("NRG Energy");
	});
});

it("a flagged canonical name stays flagged if a plain alias has the same key", () => {
	const aliases = [{ alias: "Foo Corp", ambiguous: false }];
	const flagged = createResolver([{ id: 1, canonical: "Foo", ambiguous: true, aliases, prefixes: [] }]);
	expect(flagged.resolve("Foo LLC")).toMatchObject({ kind: "review", reason: "ambiguous" });
	expect(flagged.resolve("Foo Corp").kind).toBe("matched");
});
