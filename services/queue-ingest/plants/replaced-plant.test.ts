import { describe, expect, it } from "vitest";
import { findReplacedPlant, type StandingPlant } from "./replaced-plant.ts";

describe("the plant that a request replaces", () => {
	const standing = (name: string, county: string, state: string, operator: string): StandingPlant => ({
		...{ plantId: 3459, name, county, state, operator, mw: null },
	});
	const replacing = (poi: string, county: string, state: string | null) =>
		({ class: "replacement", state, counties: [county], poi, mw: 100, utility: "ENTERGY TEXAS, INC." }) as const;

	it.each([
		["MISO-R1003", "Sabine 138 & 230 kV (bus #334440, #334431, #334433", "Sabine", "Orange", null],
		["MISO-R1055", "E.D. Edwards 138kV", "E D Edwards", "Peoria", "IL"],
		["MISO-R1040", "Campbell Substation 345kV", "J H Campbell", "Ottawa", "MI"],
		["SPP-GEN-2024-GR1", "Horseshoe Lake 138kV", "Horseshoe Lake", "Oklahoma", "OK"],
	])("is the plant after which its station is named (%s)", (_, poi, name, county, state) => {
		const here = (called: string, operator: string) => standing(called, county, state ?? "TX", operator);
		const plants = [here("Sabine River Works", "DuPont"), here("Peoria Solar", "A"), here(name, "Its owner")];
		const found = findReplacedPlant(replacing(poi, county, state), plants);
		expect(found).toMatchObject({ plantId: 3459, evidence: expect.stringContaining(`replacement at ${poi}; ${name}`) });
	});

	it("is unknown in another county, by the county's name alone, or if two operators have a plant of that name", () => {
		const edgewater = replacing("Edgewater 345kV", "Sheboygan", "WI");
		const plants = [standing("Edgewater (WI)", "Sheboygan", "WI", "Wisconsin Power & Light")];
		expect(findReplacedPlant(edgewater, [standing("Edgewater", "Lorain", "WI", "FirstEnergy")])).toBeNull();
		expect(findReplacedPlant(edgewater, [...plants, standing("Edgewater", "Sheboygan", "WI", "Others")])).toBeNull();
		const lamb = standing("Lamb County Wind", "Lamb", "TX", "Others");
		expect(findReplacedPlant(replacing("Lamb County 115kV", "Lamb", "TX"), [lamb])).toBeNull();
	});

	it.each([
		["a line between two stations", "Tap Mooreland to Woodward 138 kV Line (FPLSwitch 138 kV Substation)", "Mooreland"],
		["the station at the end of a line", "Spalding - North Loup 115kV", "Spalding"],
		["another phase", "Big Cajun II 500kV Substation", "Big Cajun 1"],
	])("is unknown for %s", (_, poi, name) => {
		expect(
			findReplacedPlant(replacing(poi, "Woodward", "OK"), [standing(name, "Woodward", "OK", "Its owner")]),
		).toBeNull();
	});

	it("is the grid owner's plant, even if another operator has one of that name", () => {
		const sabine = replacing("Sabine 138 & 230 kV (bus #334440, #334431, #334433", "Orange", null);
		const plants = [
			standing("Sabine Cogen", "Orange", "TX", "Sabine Cogen LP"),
			standing("Sabine", "Orange", "TX", "Others"),
		];
		expect(findReplacedPlant(sabine, plants)).toBeNull();
		const own = { ...standing("Sabine", "Orange", "TX", "Entergy Texas Inc."), plantId: 1 };
		expect(findReplacedPlant(sabine, [...plants, own])?.plantId).toBe(1);
	});

	it("is never smaller than the request", () => {
		const wind = { ...standing("Adams Wind Farm", "Mower", "MN", "Others"), mw: 19.8 };
		expect(findReplacedPlant(replacing("Adams", "Mower", "MN"), [wind])).toBeNull();
		expect(findReplacedPlant(replacing("Adams", "Mower", "MN"), [{ ...wind, mw: 99 }])).not.toBeNull();
	});
});
