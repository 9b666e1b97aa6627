/**
 * Which bonuses the reference lists give to a place (26 USC 45(b)(11), 48E(h); signals sheet, 6.5 and 6.6, steps 4 and 6). Brownfields are
 * judged site by site and are in no list. Pure.
 */
import { isCounty, isIslandArea, relatedCodes, taxCodes, tractCodes } from "#libs/counties/codes.ts";
import { findNotice, newerNotice } from "./notices.ts";
import type { BonusListing, BonusListings, Credit, EnergyCommunityListing, Warning } from "./tax-credits/types.ts";

export interface EnergyCommunityList {
	/** Name of the county list, or of the tracts without one: "2024-48", "2026-39 (sample of 19 counties)". */
	notice: string;
	validFrom: string;
	/** A county that it lacks does not qualify. */
	complete: boolean;
	counties: ReadonlyMap<string, { statistical: boolean; area: string | null; note: string | null }>;
	/** Null where no list of coal-closure tracts is loaded. */
	coalNotice: string | null;
	/** A tract that it lacks does not qualify. */
	coalComplete: boolean;
	coalTracts: ReadonlySet<string>;
	/** Number of listed tracts by county; 0 where a list of some places states the county without one. */
	coalCounties: ReadonlyMap<string, number>;
}

export interface LowIncomeList {
	source: string;
	/** A tract or county that it lacks has no low-income community. */
	complete: boolean;
	/** Share of each tract that is a low-income community: above 0, at most 1. */
	tracts: ReadonlyMap<string, number>;
	/** Low-income tracts of each county, and all its tracts where that is known. */
	counties: ReadonlyMap<string, { lowIncome: number; of: number | null }>;
}

export interface References {
	version: number;
	energyCommunities: EnergyCommunityList | null;
	lowIncome: LowIncomeList | null;
}

export interface Where {
	fips: string | null;
	otherFips?: readonly string[];
	/** Eleven digits, of the census of 2020. */
	tract?: string | null;
}

export function listWarnings({ energyCommunities: list }: References, { type }: Pick<Credit, "type">): Warning[] {
	if (list === null || type === null) return [];
	const warnings: Warning[] = [];
	const newer = newerNotice(list.notice, list.validFrom);
	const newerTracts = list.coalNotice === null ? null : newerNotice(list.coalNotice, coalValidFrom(list));
	if (newer !== null) {
		const message = `Energy communities are looked up in Notice ${list.notice}; Notice ${newer} has replaced it; its whole list is not loaded.`;
		warnings.push({ code: "EC_LIST_OUTDATED", message });
	} else if (newerTracts !== null) {
		const message = `Coal-closure tracts are looked up in Notice ${list.coalNotice}; Notice ${newerTracts} has added some.`;
		warnings.push({ code: "EC_LIST_OUTDATED", message });
	}
	if (!list.complete && list.notice.includes("(")) {
		const message = `Energy communities are looked up in a part of the list: Notice ${list.notice}.`;
		warnings.push({ code: "EC_LIST_PARTIAL", message });
	}
	return warnings;
}

/** Both listings are `unknown` for a tract that lies in none of the counties. */
export function listingsAt(references: References, where: Where): BonusListings {
	const tract = where.tract ?? null;
	const named = [where.fips, ...(where.otherFips ?? [])].filter((fips) => fips !== null);
	const counties =
		tract === null ? [...new Set(named)] : [named.find((fips) => liesIn(tract, fips)) ?? tract.slice(0, 5)];
	const contradiction = tract !== null && named.length > 0 && !named.some((fips) => liesIn(tract, fips));
	const fault = contradiction
		? `Census tract ${tract} does not lie in the county.`
		: counties.length === 0 || !counties.every(isCounty)
			? "The county is not known."
			: null;
	return {
		energyCommunity: energyCommunityAt(references.energyCommunities, counties, tract, fault),
		lowIncome: lowIncomeAt(references.lowIncome, counties, tract, fault),
	};
}

/** Compares the tract with the county's codes of every edition. */
export function liesIn(tract: string, fips: string): boolean {
	return tract.startsWith(fips) || [...taxCodes(fips), ...relatedCodes(fips)].some((code) => tract.startsWith(code));
}

function energyCommunityAt(
	list: EnergyCommunityList | null,
	counties: readonly string[],
	tract: string | null,
	fault: string | null,
): EnergyCommunityListing {
	if (list === null) return community("unknown", "No list of energy communities is loaded.", null);
	const { notice } = list;
	if (fault !== null) return community("unknown", fault, notice);
	const title = titleOf(list);
	if (tract !== null && list.coalNotice !== null && tractCodes(tract).some((code) => list.coalTracts.has(code)))
		return coal("eligible", `Census tract ${tract} is a coal-closure tract of Notice ${list.coalNotice}.`, list);
	const codes = counties.flatMap(taxCodes);
	const verdicts = codes.map((code) => statisticalOf(list, code));
	const by = (status: BonusListing["status"], reason: string) => community(status, reason, notice, list.validFrom);
	if (verdicts.every(({ is }) => is === true)) {
		const [first] = verdicts;
		const is = `${subject(verdicts.length, first?.area)} in the statistical-area list of ${title}.${first?.note ?? ""}`;
		return { ...by("eligible", is), yearly: true };
	}
	if (verdicts.some(({ is }) => is === true))
		return by("possible", `Some of the counties are in the statistical-area list of ${title}, others are not.`);
	const held = codes.reduce((sum, code) => sum + (list.coalCounties.get(code) ?? 0), 0);
	if (tract === null && held > 0) {
		const tracts = `${held} coal-closure ${held === 1 ? "tract" : "tracts"} of Notice ${list.coalNotice}`;
		return coal("possible", `The county holds ${tracts}: the census tract decides.`, list);
	}
	if (verdicts.some(({ is }) => is === null)) return by("unknown", `${title} does not mention the county.`);
	const not = `The county is not in the statistical-area list of ${title}`;
	if (!codes.every((code) => list.coalComplete || list.coalCounties.has(code))) {
		const open = tract === null ? "it holds a coal-closure tract" : `tract ${tract} is a coal-closure tract`;
		return by("unknown", `${not}; no loaded list states whether ${open}.`);
	}
	return by("ineligible", `${not}; ${tract === null ? "it holds no" : "the tract is not a"} coal-closure tract.`);
}

const community = (
	status: BonusListing["status"],
	reason: string,
	notice: string | null,
	validFrom: string | null = null,
): EnergyCommunityListing => ({ status, reason, notice, yearly: false, validFrom });

/** Decided by the list of coal-closure tracts, which may be of another notice than that of counties. */
function coal(status: BonusListing["status"], reason: string, list: EnergyCommunityList): EnergyCommunityListing {
	return community(status, reason, list.coalNotice, coalValidFrom(list));
}

function coalValidFrom({ coalNotice, validFrom }: EnergyCommunityList): string {
	return findNotice(coalNotice?.replace(/ \(.*$/, "") ?? "")?.validFrom ?? validFrom;
}

function titleOf({ notice, validFrom }: EnergyCommunityList): string {
	const newer = newerNotice(notice, validFrom);
	return `Notice ${notice} (from ${validFrom}${newer === null ? "" : `; Notice ${newer} is newer, its whole list not loaded`})`;
}

function subject(counties: number, area: string | null | undefined): string {
	if (counties > 1) return "All its counties are";
	return area ? `The county (${area}) is` : "The county is";
}

/** `is` null: the list does not state it. */
function statisticalOf(
	list: EnergyCommunityList,
	code: string,
): { is: boolean | null; area: string | null; note: string } {
	const county = list.counties.get(code);
	if (county === undefined) return { is: list.complete ? false : null, area: null, note: "" };
	return { is: county.statistical, area: county.area, note: county.note === null ? "" : ` Note: ${county.note}.` };
}

function lowIncomeAt(
	list: LowIncomeList | null,
	counties: readonly string[],
	tract: string | null,
	fault: string | null,
): BonusListing {
	if (list === null) return { status: "unknown", reason: "No list of low-income communities is loaded.", notice: null };
	const notice = list.source;
	if (fault !== null) return { status: "unknown", reason: fault, notice };
	return { ...(tract === null ? lowIncomeCounties(list, counties) : lowIncomeTract(list, tract)), notice };
}

function lowIncomeCounties(list: LowIncomeList, fips: readonly string[]): Omit<BonusListing, "notice"> {
	const counties = fips.map((each) => lowIncomeCounty(list, each));
	const lowIncome = counties.reduce((sum, county) => sum + (county?.lowIncome ?? 0), 0);
	if (lowIncome > 0) {
		const all = counties.map((county) => county?.of ?? 0);
		const share = all.includes(0) ? `${lowIncome}` : `${lowIncome} of ${all.reduce((sum, of) => sum + of, 0)}`;
		return {
			status: "possible",
			reason: `${share} census tracts there are low-income communities: the tract decides.`,
		};
	}
	return counties.includes(null)
		? { status: "unknown", reason: "The list of low-income communities does not mention the county." }
		: { status: "ineligible", reason: "No census tract of the county is a low-income community." };
}

function lowIncomeTract(list: LowIncomeList, tract: string): Omit<BonusListing, "notice"> {
	const share = Math.max(...tractCodes(tract).map((code) => list.tracts.get(code) ?? 0));
	if (share === 1) return { status: "eligible", reason: `Census tract ${tract} is a low-income community.` };
	if (share > 0) {
		const percent = (share * 100).toFixed(1);
		const reason = `${percent} % of census tract ${tract} is a low-income community: the site decides.`;
		return { status: "possible", reason };
	}
	return lowIncomeCounty(list, tract.slice(0, 5)) === null
		? { status: "unknown", reason: `The list of low-income communities does not mention census tract ${tract}.` }
		: { status: "ineligible", reason: `Census tract ${tract} is not a low-income community.` };
}

/** Null where the list does not state it. The island areas are in no survey that the lists are based on. */
function lowIncomeCounty(list: LowIncomeList, fips: string): { lowIncome: number; of: number | null } | null {
	const codes = [fips, ...taxCodes(fips), ...relatedCodes(fips)];
	const found = list.counties.get(fips) ?? merged(codes.flatMap((code) => list.counties.get(code) ?? []));
	return found ?? (list.complete && !isIslandArea(fips) ? { lowIncome: 0, of: null } : null);
}

/** Counties of another edition that share land with one do not state how many tracts it has itself. */
function merged(counties: readonly { lowIncome: number }[]): { lowIncome: number; of: null } | null {
	return counties.length === 0
		? null
		: { lowIncome: counties.reduce((sum, { lowIncome }) => sum + lowIncome, 0), of: null };
}
