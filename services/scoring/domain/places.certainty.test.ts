import { describe, expect, it } from "vitest";
import { at, both, empty, old, sample, whole } from "../../../test/scoring/support/places.ts";
import { type EnergyCommunityList, type Location, listWarnings } from "./places.ts";

/** A listing other than `unknown` and `possible` is decided: it must not change when more is known of the same place. */
const decided = (status: string) => status === "eligible" || status === "ineligible";

describe("more information never reduces certainty", () => {
	const counties = ["06037", "12011", "48113", "54045", "56023", "01009", "48201", "09003", "09110", "02261", "72001"];
	const tracts = [null, "950000", "956900", "978400", "010101", "350100"];
	const lists = { whole, old, sample, both, none: null };
	const about = (list: EnergyCommunityList | null, where: Location) => at(list, where).status;

	it("about the tract, or about which of several counties, with any of the lists", () => {
		const undone: unknown[] = [];
		for (const [name, list] of Object.entries(lists))
			for (const fips of counties)
				for (const otherFips of [[], ...counties.map((other) => [other])])
					for (const number of tracts) {
						const less = about(list, { fips, otherFips });
						const more = about(list, { fips, tract: number === null ? null : `${fips}${number}` });
						if (decided(less) && more !== less) undone.push({ name, fips, otherFips, number, less, more });
					}
		expect(undone).toEqual([]);
	});

	it("about coal-closure tracts, with the same list of counties", () => {
		const wholeTracts = { coalNotice: "2026-39", coalComplete: true, coalTracts: whole.coalTracts };
		const more: EnergyCommunityList = { ...old, ...wholeTracts, coalCounties: whole.coalCounties };
		const undone: unknown[] = [];
		for (const fips of counties)
			for (const number of tracts) {
				const where = { fips, tract: number === null ? null : `${fips}${number}` };
				const steps = [at(old, where), at(both, where), at(more, where)].map(({ status }) => status);
				if (steps.some((step, index) => decided(step) && steps.slice(index).some((later) => !decided(later))))
					undone.push({ where, steps });
			}
		expect(undone).toEqual([]);
	});

	it("about places of the sample, stated by a complete list", () => {
		expect(about(sample, { fips: "12011" })).toBe("ineligible");
		expect(about(whole, { fips: "12011" })).toBe("ineligible");
		expect(about(old, { fips: "12011" })).toBe("unknown");
	});
});

describe("the warnings of a list", () => {
	const warned = (energyCommunities: EnergyCommunityList | null, type: "ITC" | null = "ITC") =>
		listWarnings({ ...empty, energyCommunities }, { type });

	it("state that it is outdated, partial, or both", () => {
		expect(warned(whole)).toEqual([]);
		expect(warned(null)).toEqual([]);
		expect(warned(old, null)).toEqual([]);
		expect(warned(sample)).toEqual([
			{
				code: "EC_LIST_PARTIAL",
				message: "Energy communities are looked up in a part of the list: Notice 2026-39 (sample of 2 counties).",
			},
		]);
		expect(warned(old)).toEqual([
			{
				code: "EC_LIST_OUTDATED",
				message:
					"Energy communities are looked up in Notice 2024-48; Notice 2026-39 has replaced it; its whole list is not loaded.",
			},
		]);
		expect(warned({ ...whole, coalNotice: "2024-48" })).toEqual([
			{
				code: "EC_LIST_OUTDATED",
				message: "Coal-closure tracts are looked up in Notice 2024-48; Notice 2026-39 has added some.",
			},
		]);
		const part = { ...old, notice: "2024-48 (partial list of 2 counties)", complete: false };
		expect(warned(part).map(({ code }) => code)).toEqual(["EC_LIST_OUTDATED", "EC_LIST_PARTIAL"]);
	});

	it("are absent for a complete list that decides every county", () => {
		expect(warned({ ...whole, complete: false })).toEqual([]);
	});
});
