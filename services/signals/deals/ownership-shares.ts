/** Shares of a generator's owners in two years. Pure. */
import { normaliseName } from "#libs/names/normalise.ts";
import { isCompanyOfAsset, isSameParty, isSameSponsor, type Party } from "./party.ts";
import { isTrustee } from "./shared-names.ts";

export interface OwnedGenerator {
	plant_id: number;
	plant_name: string | null;
	state: string | null;
	/** As filed: zeros and spaces are significant. */
	generator_id: string;
	year: number;
	technology: string | null;
	capacity_mw: number | null;
	/** EIA's code: OP, SB, OA, OS operable; RE retired; CN cancelled; IP postponed; the rest proposed. */
	status: string | null;
	operatorId: number;
	/** `eia_860_operator`: the generator is missing from Schedule 4, so its operator counts as the owner. */
	source: "eia_860_ownership" | "eia_860_operator";
	/** Empty if the report was retracted. */
	owners: (Party & { fraction: number })[];
}

/** The total share of a party's companies in each of the two years. */
export interface Holding {
	/**
	 * The name is that of the party's company with the largest share in the year in which the party's total share is larger. The developer
	 * is the one that any of the party's companies matches.
	 */
	party: Party;
	ids: Set<number>;
	/** Shares are from 0 to 1. */
	before: number;
	after: number;
	/** Whether the party is the plant's own project company, which is neither buyer nor seller. */
	isOwnCompany: boolean;
}

const operable = new Set(["OP", "SB", "OA", "OS"]);
const inoperable = new Set(["RE", "CN", "IP"]);

/**
 * Whether the owners of two years can be compared: the generator is not retired, it operates in the later year (changes of unbuilt plants
 * come from queues), and the shares of each year add up to 1.
 */
export function isComparable(before: OwnedGenerator, after: OwnedGenerator): boolean {
	if (inoperable.has(before.status ?? "") || !operable.has(after.status ?? "OP")) return false;
	return [before, after].every((generator) => {
		const sum = generator.owners.reduce((total, { fraction }) => total + fraction, 0);
		return Math.abs(sum - 1) <= 0.02;
	});
}

interface Stake {
	party: Party;
	before: number;
	after: number;
}

/**
 * Combines the owners of both years into parties. An owner of only the earlier year and an owner of only the later year are one party if
 * they have the same sponsor. Trustees are excluded, because they hold shares for others.
 */
export function sharesOf(before: OwnedGenerator, after: OwnedGenerator): Holding[] {
	const stakes = [
		...before.owners.map((owner) => ({ party: owner, before: owner.fraction, after: 0 })),
		...after.owners.map((owner) => ({ party: owner, before: 0, after: owner.fraction })),
	].filter(({ party, before, after }) => before + after > 0 && !isTrustee(party.name, party.canonical));
	const parties = joinGroups(
		stakes.map((stake) => [stake]),
		(a, b) => isSameParty(a.party, b.party),
	);
	const onlyBefore = parties.filter((group) => shareOf(group, "after") === 0);
	const onlyAfter = parties.filter((group) => shareOf(group, "before") === 0);
	const inBothYears = parties.filter((group) => !onlyBefore.includes(group) && !onlyAfter.includes(group));
	const joinedBySponsor = joinGroups(
		[...onlyBefore, ...onlyAfter],
		(a, b) => a.before > 0 !== b.before > 0 && isSameSponsor(a.party, b.party),
	);
	return [...inBothYears, ...joinedBySponsor].map((group) =>
		holdingOf(group, after.plant_name ?? before.plant_name ?? ""),
	);
}

/** Joins groups if any two of their members belong together. */
function joinGroups(groups: Stake[][], belong: (a: Stake, b: Stake) => boolean): Stake[][] {
	const joined: Stake[][] = [];
	for (const group of groups) {
		const same = joined.filter((other) => other.some((a) => group.some((b) => belong(a, b))));
		for (const other of same) joined.splice(joined.indexOf(other), 1);
		joined.push([...same.flat(), ...group]);
	}
	return joined;
}

const shareOf = (group: Stake[], year: "before" | "after"): number =>
	group.reduce((sum, stake) => sum + stake[year], 0);

function holdingOf(group: Stake[], plant: string): Holding {
	const [before, after] = [shareOf(group, "before"), shareOf(group, "after")];
	const year = after > before ? "after" : "before";
	const owners = group.filter((stake) => stake[year] > 0).sort((a, b) => b[year] - a[year]);
	const [largest] = owners;
	if (largest === undefined) throw new Error("a holding must have an owner with a share");
	const matchedParty = owners.find(({ party }) => party.canonical !== null)?.party ?? largest.party;
	return {
		party: { ...largest.party, canonical: matchedParty.canonical, parent: matchedParty.parent },
		ids: new Set(group.flatMap(({ party }) => party.id ?? [])),
		before,
		after,
		isOwnCompany:
			group.every(({ party }) => party.canonical === null && isNamedAfter(party.name, plant)) ||
			isReportedAsJointCompany(group),
	};
}

/**
 * True if the group was one of several owners, and a new company of the same sponsor is the only owner afterwards: the report now names the
 * owners' joint company instead of the owners.
 */
function isReportedAsJointCompany(group: Stake[]): boolean {
	const [before, after] = [shareOf(group, "before"), shareOf(group, "after")];
	const laterParties = group.filter((stake) => stake.after > 0).map(({ party }) => party);
	const earlierIds = new Set(group.flatMap((stake) => (stake.before > 0 ? (stake.party.id ?? []) : [])));
	const areAllNew = laterParties.every(
		(party) => isCompanyOfAsset(party) && !(party.id !== null && earlierIds.has(party.id)),
	);
	return before > 0 && before < 0.98 && after >= 0.98 && areAllNew;
}

/** Words that do not distinguish one plant from another: kinds of plants, and parts of plants. */
const plantWords = new Set(
	"solar wind storage battery bess energy power plant project farm park facility center centre station generating generation"
		.concat(
			" array carport windpark windfarm hybrid hydro cogen county site phase north south east west city community school llc",
		)
		.split(" "),
);

/**
 * Whether the company's name is merely the plant's ("Grant Wind, LLC" of Grant Wind, "Saltfork" of Salt Fork). A name that also contains
 * the sponsor's ("Dominion Fowler Ridge Wind LLC") counts as the sponsor's.
 */
function isNamedAfter(company: string, plant: string): boolean {
	// Cleveland-Cliffs Inc is not the project company of its mill.
	if (/\b(?:inc|corp|corporation|company|co)\b\.?\s*$/i.test(company.slice(-20))) return false;
	const [companyKey, plantKey] = [normaliseName(company).fullKey, normaliseName(plant).fullKey];
	if (companyKey !== "" && companyKey === plantKey) return true;
	const distinctive = (key: string) => key.split(" ").filter((word) => word.length > 2 && !plantWords.has(word));
	const [companyWords, distinctivePlantWords] = [distinctive(companyKey), distinctive(plantKey)];
	if (companyWords.length === 0) return false;
	return (
		companyWords.every((word) => distinctivePlantWords.includes(word)) ||
		distinctivePlantWords.join("").includes(companyWords.join(""))
	);
}
