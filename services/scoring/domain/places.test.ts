import { describe, expect, it } from "vitest";
import { at, both, empty, old, sample, whole, yes } from "../../../test/scoring/support/places.ts";
import {
	type EnergyCommunityList,
	isTractInCounty,
	type Location,
	type LowIncomeList,
	lookUpListings,
} from "./places.ts";

describe("an energy community", () => {
	it.each<[what: string, list: EnergyCommunityList | null, where: Location, status: string, reason: string]>([
		["no list", null, { fips: "06037" }, "unknown", "No list"],
		["a county of the list", whole, { fips: "06037" }, "eligible", "Los Angeles-Long Beach-Anaheim, CA"],
		["a county of the list, second-hand", whole, { fips: "48201" }, "eligible", "Note: second-hand."],
		["a county of no whole list", whole, { fips: "12011" }, "ineligible", "holds no coal-closure tract"],
		["a county of no whole list without tracts", old, { fips: "12011" }, "unknown", "no loaded list states"],
		["a county that is not known", whole, { fips: null }, "unknown", "not known"],
		["a code of no county", whole, { fips: "99999" }, "unknown", "not known"],
		["a county that holds coal tracts", whole, { fips: "56023" }, "possible", "2 coal-closure tracts"],
		[
			"a coal tract",
			whole,
			{ fips: "56023", tract: "56023978400" },
			"eligible",
			"coal-closure tract of Notice 2026-39",
		],
		["a coal tract without a county", whole, { fips: null, tract: "56023978400" }, "eligible", "56023978400"],
		[
			"another tract of that county",
			whole,
			{ fips: "56023", tract: "56023978300" },
			"ineligible",
			"not a coal-closure tract",
		],
		["another tract of a county of the list", whole, { fips: "06037", tract: "06037980000" }, "eligible", "The county"],
		[
			"a tract where no tracts are loaded",
			old,
			{ fips: "12011", tract: "12011010101" },
			"unknown",
			"no loaded list states",
		],
		["a tract of another county", whole, { fips: "12011", tract: "56023978400" }, "unknown", "does not lie in"],
		["two counties of the list", whole, { fips: "06037", otherFips: ["54045"] }, "eligible", "All its counties"],
		[
			"two counties, one of the list",
			whole,
			{ fips: "12011", otherFips: ["06037"] },
			"possible",
			"Some of the counties",
		],
		[
			"two counties, one with coal tracts",
			whole,
			{ fips: "12011", otherFips: ["56023"] },
			"possible",
			"the census tract decides",
		],
		["two counties, none of the list", whole, { fips: "12011", otherFips: ["48113"] }, "ineligible", "not in"],
		["a county of a partial list: yes", sample, { fips: "06037" }, "eligible", "sample of 2 counties"],
		["a county of a partial list: no", sample, { fips: "12011" }, "ineligible", "sample of 2 counties"],
		["a county that a partial list lacks", sample, { fips: "48113" }, "unknown", "does not mention"],
		["a partial list's county with coal tracts", sample, { fips: "56023" }, "possible", "sample of 2 counties"],
		[
			"a partial list's coal tract",
			sample,
			{ fips: "56023", tract: "56023978400" },
			"eligible",
			"sample of 2 counties",
		],
		[
			"a tract that a partial list lacks, of a county that it states",
			sample,
			{ fips: "12011", tract: "12011010101" },
			"ineligible",
			"the tract is not a coal-closure tract",
		],
		[
			"a county that the list of places states",
			both,
			{ fips: "12011" },
			"ineligible",
			"it holds no coal-closure tract",
		],
		["a county that the list of places lacks", both, { fips: "48113" }, "unknown", "whether it holds"],
		["a tract there", both, { fips: "48113", tract: "48113010101" }, "unknown", "no loaded list states"],
		["two counties, of which it lacks one", both, { fips: "12011", otherFips: ["48113"] }, "unknown", "whether it"],
		[
			"a county of a partial list and one it lacks",
			sample,
			{ fips: "12011", otherFips: ["48113"] },
			"unknown",
			"does not mention",
		],
	])("%s", (_what, list, where, status, reason) => {
		const place = at(list, where);
		expect(place.status).toBe(status);
		expect(place.reason).toContain(reason);
	});

	it("names the notice that was searched, and the newer one that is not loaded", () => {
		expect(at(whole, { fips: "06037" })).toMatchObject({ notice: "2026-39" });
		expect(at(whole, { fips: "06037" }).reason).not.toContain("newer");
		expect(at(old, { fips: "06037" })).toEqual({
			status: "eligible",
			notice: "2024-48",
			reason:
				"The county (Los Angeles-Long Beach-Anaheim, CA) is in the statistical-area list of Notice 2024-48 (from 2024-06-07; Notice 2026-39 is newer, its whole list not loaded).",
			yearly: true,
			validFrom: "2024-06-07",
		});
		expect(at(null, { fips: "06037" }).notice).toBeNull();
		expect(at({ ...old, ...whole, coalNotice: "2025-31" }, { fips: "56023" }).notice).toBe("2025-31");
	});

	it("is decided yearly by the statistical category, not by a coal-closure tract", () => {
		const tract = { fips: "54045", tract: "54045956900" };
		expect(at(whole, { fips: "54045" })).toMatchObject({ yearly: true, validFrom: "2026-06-10" });
		expect(at(whole, tract)).toMatchObject({ status: "eligible", yearly: false });
		expect(at(whole, { fips: "12011" })).toMatchObject({ yearly: false, validFrom: "2026-06-10" });
		// The tracts' notice is the sample's, the counties' that of 2024.
		expect(at(both, tract)).toMatchObject({ validFrom: "2026-06-10", yearly: false });
		expect(at(both, { fips: "54045" })).toMatchObject({ validFrom: "2024-06-07", yearly: true });
		expect(at(null, tract)).toMatchObject({ validFrom: null, yearly: false });
	});

	it("is looked up by the codes of 2020, whatever code the county has", () => {
		expect(at(whole, { fips: "02261" }).status).toBe("eligible");
		expect(at({ ...whole, counties: new Map([["02063", yes]]) }, { fips: "02261" }).status).toBe("possible");
		expect(at(whole, { fips: "66010" }).status).toBe("eligible");
		expect(at(whole, { fips: "09110" }).status).toBe("possible");
		// South Central Connecticut holds land of New Haven County, under whose code the tract is listed.
		expect(at(whole, { fips: "09170", tract: "09170350100" }).status).toBe("eligible");
	});
});

const cdfi: LowIncomeList = {
	source: "CDFI",
	complete: true,
	tracts: new Map([["54045956900", 1]]),
	counties: new Map([["54045", { lowIncome: 7, all: null }]]),
};
const program: LowIncomeList = {
	source: "48E(h)",
	complete: false,
	tracts: new Map([
		["54045956900", 1],
		["54045957000", 0.375],
		["09110500100", 1],
	]),
	counties: new Map([
		["54045", { lowIncome: 2, all: 9 }],
		["12011", { lowIncome: 0, all: 300 }],
		["09110", { lowIncome: 30, all: 200 }],
		["09140", { lowIncome: 20, all: 90 }],
		["09160", { lowIncome: 0, all: 40 }],
	]),
};
const lowAt = (lowIncome: LowIncomeList | null, where: Location) =>
	lookUpListings({ ...empty, lowIncome }, where).lowIncome;

describe("a low-income community", () => {
	it.each<[what: string, list: LowIncomeList | null, where: Location, status: string, reason: string]>([
		["no list", null, { fips: "54045" }, "unknown", "No list"],
		["a listed tract", cdfi, { fips: "54045", tract: "54045956900" }, "eligible", "is a low-income community"],
		["a tract that is listed in part", program, { fips: "54045", tract: "54045957000" }, "possible", "37.5 %"],
		["another tract", cdfi, { fips: "54045", tract: "54045957100" }, "ineligible", "is not a low-income"],
		["a county with listed tracts", cdfi, { fips: "54045" }, "possible", "7 census tracts"],
		["a county with listed tracts of known number", program, { fips: "54045" }, "possible", "2 of 9 census tracts"],
		["a county without, of a list of the low-income ones", cdfi, { fips: "12011" }, "ineligible", "No census tract"],
		["a county without, of a list of all", program, { fips: "12011" }, "ineligible", "No census tract"],
		["a county that a list of all lacks", program, { fips: "48201" }, "unknown", "does not mention"],
		["an island area, which is in no survey", cdfi, { fips: "66010" }, "unknown", "does not mention"],
		[
			"two counties, one with listed tracts",
			cdfi,
			{ fips: "12011", otherFips: ["54045"] },
			"possible",
			"7 census tracts",
		],
		["a county that is not known", cdfi, { fips: null }, "unknown", "not known"],
		["a tract of another county", cdfi, { fips: "12011", tract: "54045956900" }, "unknown", "does not lie in"],
	])("%s", (_what, list, where, status, reason) => {
		const place = lowAt(list, where);
		expect(place.status).toBe(status);
		expect(place.reason).toContain(reason);
		expect(place.notice).toBe(list?.source ?? null);
	});

	it("is found for Connecticut's planning regions by the county of 2020 and its tracts", () => {
		expect(lowAt(program, { fips: "09003", tract: "09003500100" }).status).toBe("eligible");
		expect(lowAt(program, { fips: "09003" })).toMatchObject({ status: "possible" });
	});
});

it("a tract belongs to its county in the codes of any edition", () => {
	expect(isTractInCounty("56023978400", "56023")).toBe(true);
	expect(isTractInCounty("56023978400", "56021")).toBe(false);
	expect(isTractInCounty("09110500100", "09003")).toBe(true);
	expect(isTractInCounty("09003500100", "09110")).toBe(true);
	expect(isTractInCounty("02063000100", "02261")).toBe(true);
});
