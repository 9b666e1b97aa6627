import { expect, it } from "vitest";
import { companyKind, seriesOf } from "./company-kind.ts";

it.each<[string, string[], "sponsor" | "special_purpose"]>([
	["IP Lumina II BESS, LLC", ["ip lumina"], "special_purpose"],
	["Oakdale BESS", ["oakdale"], "special_purpose"],
	["Charro Creek Solar LLC", ["charro creek solar"], "special_purpose"],
	["Gypsum Plains Solar, LLC", ["gypsum plains solar", "rattlesnake den"], "special_purpose"],
	["ACE DEVCO NC, LLC", ["oak leaf", "elm", "juniper"], "sponsor"],
	["PureSky Development Inc", [], "sponsor"],
	["BGTF US Development Holdings LLC", ["one", "two"], "sponsor"],
	// Whatever it is called: it files several projects.
	["Roadrunner Solar LLC", ["heron", "quail run", "sparrow"], "sponsor"],
])("%s, of the projects %j, is a %s", (name, families, kind) => {
	expect(companyKind(name, new Set(families))).toBe(kind);
});

it("companies of one series have its words, and short ones have none", () => {
	const series = ["IP Lumina BESS, LLC", "IP LUMINA II BESS LLC", "IP Lumina BESS"].map(seriesOf);
	expect(new Set(series)).toEqual(new Set(["ip lumina bess"]));
	expect(seriesOf("Felix 2, LLC")).toBeNull();
});
