/**
 * Looks up the bonuses of a place in the reference lists (26 USC 45(b)(11), 48E(h)). No list names brownfields, because they are determined
 * site by site. Pure.
 */
import { isCounty, isIslandArea, relatedCodes, taxCodes, tractCodes } from "#libs/counties/codes.ts";
import { findNewerNotice, findNotice } from "./notices.ts";
import type { BonusListing, BonusListings, Credit, EnergyCommunityListing, Warning } from "./tax-credits/types.ts";

export interface EnergyCommunityList {
	/** Name of the county list, or of the list of tracts if there is none: "2024-48", "2026-39 (sample of 19 counties)". */
	notice: string;
	validFrom: string;
	/** If true, a county that is not in the list does not qualify. */
	complete: boolean;
	counties: ReadonlyMap<string, { statistical: boolean; area: string | null; note: string | null }>;
	/** Null if no list of coal-closure tracts is loaded. */
	coalNotice: string | null;
	/** If true, a tract that is not in the list does not qualify. */
	coalComplete: boolean;
	coalTracts: ReadonlySet<string>;
	/** Number of listed tracts by county; 0 for a county that a hand-made list names without tracts. */
	coalCounties: ReadonlyMap<string, number>;
}

export interface LowIncomeList {
	source: string;
	/** If true, a tract or county that is not in the list has no low-income community. */
	complete: boolean;
	/** Share of each tract that is a low-income community: above 0, at most 1. */
	tracts: ReadonlyMap<string, number>;
	/** Number of low-income tracts of each county, and the number of all its tracts if known. */
	counties: ReadonlyMap<string, { lowIncome: number; all: number | null }>;
}

export interface References {
	energyCommunities: EnergyCommunityList | null;
	lowIncome: LowIncomeList | null;
}

export interface Location {
	fips: string | null;
	otherFips?: readonly string[];
	/** Eleven digits, as in the census of 2020. */
	tract?: string | null;
}

export function listWarnings({ energyCommunities: list }: References, { type }: Pick<Credit, "type">): Warning[] {
	if (list === null || type === null) return [];
	const warnings: Warning[] = [];
	const newer = findNewerNotice(list.notice, list.validFrom);
	const newerTracts = list.coalNotice === null ? null : findNewerNotice(list.coalNotice, coalValidFrom(list));
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

/** Looks up the listings of a location. Both are `unknown` if the tract is in none of the counties. */
export function lookUpListings(references: References, location: Location): BonusListings {
	const tract = location.tract ?? null;
	const requestFips = [location.fips, ...(location.otherFips ?? [])].filter((fips) => fips !== null);
	const counties =
		tract === null
			? [...new Set(requestFips)]
			: [requestFips.find((fips) => isTractInCounty(tract, fips)) ?? tract.slice(0, 5)];
	const isContradiction =
		tract !== null && requestFips.length > 0 && !requestFips.some((fips) => isTractInCounty(tract, fips));
	const fault = isContradiction
		? `Census tract ${tract} does not lie in the county.`
		: counties.length === 0 || !counties.every(isCounty)
			? "The county is not known."
			: null;
	return {
		energyCommunity: lookUpEnergyCommunity(references.energyCommunities, counties, tract, fault),
		lowIncome: lookUpLowIncome(references.lowIncome, counties, tract, fault),
	};
}

/** Whether a tract is in a county, by the county's codes in any census edition. */
export function isTractInCounty(tract: string, fips: string): boolean {
	return tract.startsWith(fips) || [...taxCodes(fips), ...relatedCodes(fips)].some((code) => tract.startsWith(code));
}

function lookUpEnergyCommunity(
	list: EnergyCommunityList | null,
	counties: readonly string[],
	tract: string | null,
	fault: string | null,
): EnergyCommunityListing {
	if (list === null) return createListing("unknown", "No list of energy communities is loaded.", null);
	const { notice } = list;
	if (fault !== null) return createListing("unknown", fault, notice);
	const title = titleOf(list);
	if (tract !== null && list.coalNotice !== null && tractCodes(tract).some((code) => list.coalTracts.has(code)))
		return createCoalListing(
			"eligible",
			`Census tract ${tract} is a coal-closure tract of Notice ${list.coalNotice}.`,
			list,
		);
	const codes = counties.flatMap(taxCodes);
	const verdicts = codes.map((code) => lookUpStatistical(list, code));
	const byCounties = (status: BonusListing["status"], reason: string) =>
		createListing(status, reason, notice, list.validFrom);
	if (verdicts.every(({ isListed }) => isListed === true)) {
		const [first] = verdicts;
		const reason = `${describeCounties(verdicts.length, first?.area)} in the statistical-area list of ${title}.${first?.note ?? ""}`;
		return { ...byCounties("eligible", reason), yearly: true };
	}
	if (verdicts.some(({ isListed }) => isListed === true))
		return byCounties("possible", `Some of the counties are in the statistical-area list of ${title}, others are not.`);
	const coalTracts = codes.reduce((sum, code) => sum + (list.coalCounties.get(code) ?? 0), 0);
	if (tract === null && coalTracts > 0) {
		const tracts = `${coalTracts} coal-closure ${coalTracts === 1 ? "tract" : "tracts"} of Notice ${list.coalNotice}`;
		return createCoalListing("possible", `The county holds ${tracts}: the census tract decides.`, list);
	}
	if (verdicts.some(({ isListed }) => isListed === null))
		return byCounties("unknown", `${title} does not mention the county.`);
	const notListed = `The county is not in the statistical-area list of ${title}`;
	if (!codes.every((code) => list.coalComplete || list.coalCounties.has(code))) {
		const openQuestion = tract === null ? "it holds a coal-closure tract" : `tract ${tract} is a coal-closure tract`;
		return byCounties("unknown", `${notListed}; no loaded list states whether ${openQuestion}.`);
	}
	const noCoal = tract === null ? "it holds no coal-closure tract" : "the tract is not a coal-closure tract";
	return byCounties("ineligible", `${notListed}; ${noCoal}.`);
}

const createListing = (
	status: BonusListing["status"],
	reason: string,
	notice: string | null,
	validFrom: string | null = null,
): EnergyCommunityListing => ({ status, reason, notice, yearly: false, validFrom });

/** A listing determined by the coal-closure tracts. Their notice may differ from that of the counties. */
function createCoalListing(
	status: BonusListing["status"],
	reason: string,
	list: EnergyCommunityList,
): EnergyCommunityListing {
	return createListing(status, reason, list.coalNotice, coalValidFrom(list));
}

function coalValidFrom({ coalNotice, validFrom }: EnergyCommunityList): string {
	return findNotice(coalNotice?.replace(/ \(.*$/, "") ?? "")?.validFrom ?? validFrom;
}

function titleOf({ notice, validFrom }: EnergyCommunityList): string {
	const newer = findNewerNotice(notice, validFrom);
	return `Notice ${notice} (from ${validFrom}${newer === null ? "" : `; Notice ${newer} is newer, its whole list not loaded`})`;
}

function describeCounties(counties: number, area: string | null | undefined): string {
	if (counties > 1) return "All its counties are";
	return area ? `The county (${area}) is` : "The county is";
}

/** `isListed` is null if the list does not show whether the county qualifies. */
function lookUpStatistical(list: EnergyCommunityList, code: string) {
	const county = list.counties.get(code);
	if (county === undefined) return { isListed: list.complete ? false : null, area: null, note: "" };
	const { statistical, area, note } = county;
	return { isListed: statistical, area, note: note === null ? "" : ` Note: ${note}.` };
}

function lookUpLowIncome(
	list: LowIncomeList | null,
	counties: readonly string[],
	tract: string | null,
	fault: string | null,
): BonusListing {
	if (list === null) return { status: "unknown", reason: "No list of low-income communities is loaded.", notice: null };
	const notice = list.source;
	if (fault !== null) return { status: "unknown", reason: fault, notice };
	return { ...(tract === null ? lookUpLowIncomeCounties(list, counties) : lookUpLowIncomeTract(list, tract)), notice };
}

function lookUpLowIncomeCounties(list: LowIncomeList, fips: readonly string[]): Omit<BonusListing, "notice"> {
	const counties = fips.map((each) => lookUpLowIncomeCounty(list, each));
	const lowIncome = counties.reduce((sum, county) => sum + (county?.lowIncome ?? 0), 0);
	if (lowIncome > 0) {
		const all = counties.map((county) => county?.all ?? 0);
		const share = all.includes(0) ? `${lowIncome}` : `${lowIncome} of ${all.reduce((sum, tracts) => sum + tracts, 0)}`;
		return {
			status: "possible",
			reason: `${share} census tracts there are low-income communities: the tract decides.`,
		};
	}
	return counties.includes(null)
		? { status: "unknown", reason: "The list of low-income communities does not mention the county." }
		: { status: "ineligible", reason: "No census tract of the county is a low-income community." };
}

function lookUpLowIncomeTract(list: LowIncomeList, tract: string): Omit<BonusListing, "notice"> {
	const share = Math.max(...tractCodes(tract).map((code) => list.tracts.get(code) ?? 0));
	if (share === 1) return { status: "eligible", reason: `Census tract ${tract} is a low-income community.` };
	if (share > 0) {
		const percent = (share * 100).toFixed(1);
		const reason = `${percent} % of census tract ${tract} is a low-income community: the site decides.`;
		return { status: "possible", reason };
	}
	return lookUpLowIncomeCounty(list, tract.slice(0, 5)) === null
		? { status: "unknown", reason: `The list of low-income communities does not mention census tract ${tract}.` }
		: { status: "ineligible", reason: `Census tract ${tract} is not a low-income community.` };
}

/** Returns null if the list does not cover the county. The surveys behind the lists do not cover the island areas. */
function lookUpLowIncomeCounty(list: LowIncomeList, fips: string): { lowIncome: number; all: number | null } | null {
	const codes = [fips, ...taxCodes(fips), ...relatedCodes(fips)];
	const found = list.counties.get(fips) ?? sumCounties(codes.flatMap((code) => list.counties.get(code) ?? []));
	return found ?? (list.complete && !isIslandArea(fips) ? { lowIncome: 0, all: null } : null);
}

/** Sums counties of other editions that share land with a county. They do not show how many tracts the county itself has. */
function sumCounties(counties: readonly { lowIncome: number }[]): { lowIncome: number; all: null } | null {
	return counties.length === 0
		? null
		: { lowIncome: counties.reduce((sum, { lowIncome }) => sum + lowIncome, 0), all: null };
}
