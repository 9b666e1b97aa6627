import { expect, it } from "vitest";
import { classifyCompany, seriesOf } from "./company-kind.ts";

it.each<[string, string[], number, "sponsor" | "special_purpose"]>([
	["IP Lumina II BESS, LLC", ["ip lumina"], 1, "special_purpose"],
	["IP Meitner, LLC", ["meitner solar", "meitner storage", "bohr"], 1, "special_purpose"],
	["Oakdale BESS", ["oakdale"], 1, "special_purpose"],
	["Charro Creek Solar LLC", ["charro creek solar"], 1, "special_purpose"],
	["Gypsum Plains Solar, LLC", ["gypsum plains solar", "rattlesnake den"], 1, "special_purpose"],
	[
		"Sunscape Renewable Energy LLC",
		["sunscape renewable energy solar slf", "sunscape renewable energy"],
		2,
		"special_purpose",
	],
	["Sweetheart Energy, LLC", ["sweetheart"], 1, "special_purpose"],
	["ACE DEVCO NC, LLC", ["oak leaf", "elm", "juniper"], 30, "sponsor"],
	["Kindle Energy LLC", ["magnolia power", "river bend"], 1, "sponsor"],
	["PureSky Development Inc", [], 5, "sponsor"],
	["BGTF US Development Holdings LLC", ["one", "two"], 4, "sponsor"],
	// Whatever it is called: it files several projects.
	["Roadrunner Solar LLC", ["heron", "quail run", "sparrow"], 3, "sponsor"],
])("%s, of the projects %j in %i counties, is a %s", (name, families, counties, kind) => {
	expect(classifyCompany(name, new Set(families), counties)).toBe(kind);
});

it("companies of one series share its words; short names have no series", () => {
	const series = ["IP Lumina BESS, LLC", "IP LUMINA II BESS LLC", "IP Lumina BESS"].map(seriesOf);
	expect(new Set(series)).toEqual(new Set(["ip lumina bess"]));
	expect(seriesOf("Felix 2, LLC")).toBeNull();
});
