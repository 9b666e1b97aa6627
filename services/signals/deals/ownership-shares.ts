/** Shares of a generator's owners in two years. Pure. */
import { normaliseName } from "#libs/names/normalise.ts";
import { isCompanyOfAsset, isSameParty, isSameSponsor, type Party } from "./party.ts";
import { isTrustee } from "./shared-names.ts";

export interface OwnedGenerator {
	plant_id: number;
	plant_name: string | null;
	state: string | null;
	/** Zeros and spaces are significant. */
	generator_id: string;
	year: number;
	technology: string | null;
	capacity_mw: number | null;
	/** EIA's code: OP, SB, OA, OS operable; RE retired; CN cancelled; IP postponed; the rest proposed. */
	status: string | null;
	operatorId: number;
	/** `eia_860_operator`: the generator is missing in Schedule 4, and so the operator counts as its owner. */
	source: "eia_860_ownership" | "eia_860_operator";
	/** Empty where a report was retracted. */
	owners: (Party & { fraction: number })[];
}

/** The shares of a party, of all its companies together. */
export interface Holding {
	/** The largest of its companies in the year with the larger share, with the match of any of them. */
	party: Party;
	ids: Set<number>;
	/** Shares are from 0 to 1. */
	before: number;
	after: number;
	/** The plant's own company is neither buyer nor seller. */
	isOwnCompany: boolean;
}

const operable = new Set(["OP", "SB", "OA", "OS"]);
const inoperable = new Set(["RE", "CN", "IP"]);

/**
 * Whether the owners of two years can be compared: the generator is not retired, it operates in the later year (changes of unbuilt plants
 * come from queues), and the shares of both years add up.
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

/** The parties of both years, without trustees, because they hold shares for others. */
export function sharesOf(before: OwnedGenerator, after: OwnedGenerator): Holding[] {
	const stakes = [
		...before.owners.map((owner) => ({ party: owner, before: owner.fraction, after: 0 })),
		...after.owners.map((owner) => ({ party: owner, before: 0, after: owner.fraction })),
	].filter(({ party, before, after }) => before + after > 0 && !isTrustee(party.name, party.canonical));
	const parties = joinGroups(
		stakes.map((stake) => [stake]),
		(a, b) => isSameParty(a.party, b.party),
	);
	const gone = parties.filter((group) => shareOf(group, "after") === 0);
	const fresh = parties.filter((group) => shareOf(group, "before") === 0);
	const standing = parties.filter((group) => !gone.includes(group) && !fresh.includes(group));
	const replaced = joinGroups(
		[...gone, ...fresh],
		(a, b) => a.before > 0 !== b.before > 0 && isSameSponsor(a.party, b.party),
	);
	return [...standing, ...replaced].map((group) => holdingOf(group, after.plant_name ?? before.plant_name ?? ""));
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
	const named = group.filter((stake) => stake[year] > 0).sort((a, b) => b[year] - a[year]);
	const [largest] = named;
	if (largest === undefined) throw new Error("a holding without an owner");
	const resolved = named.find(({ party }) => party.canonical !== null)?.party ?? largest.party;
	return {
		party: { ...largest.party, canonical: resolved.canonical, parent: resolved.parent },
		ids: new Set(group.flatMap(({ party }) => party.id ?? [])),
		before,
		after,
		isOwnCompany:
			group.every(({ party }) => party.canonical === null && isNamedAfter(party.name, plant)) || isReportedAnew(group),
	};
}

/** One of several owners, then a company of the same sponsor as the only owner: the joint company is now reported for all owners. */
function isReportedAnew(group: Stake[]): boolean {
	const [before, after] = [shareOf(group, "before"), shareOf(group, "after")];
	const fresh = group.filter((stake) => stake.after > 0).map(({ party }) => party);
	const ids = new Set(group.flatMap((stake) => (stake.before > 0 ? (stake.party.id ?? []) : [])));
	const isNew = fresh.every((party) => isCompanyOfAsset(party) && !(party.id !== null && ids.has(party.id)));
	return before > 0 && before < 0.98 && after >= 0.98 && isNew;
}

/** Words that do not distinguish plants: kinds of plant, and parts of one. */
const plantWords = new Set(
	"solar wind storage battery bess energy power plant project farm park facility center centre station generating generation"
		.concat(
			" array carport windpark windfarm hybrid hydro cogen county site phase north south east west city community school llc",
		)
		.split(" "),
);

/**
 * Whether the company has the plant's name and no other ("Grant Wind, LLC" of Grant Wind, "Saltfork" of Salt Fork). A name with a sponsor's
 * word ("Dominion Fowler Ridge Wind LLC") counts as the sponsor's.
 */
function isNamedAfter(company: string, plant: string): boolean {
	// Cleveland-Cliffs Inc is not the project company of its mill.
	if (/\b(?:inc|corp|corporation|company|co)\b\.?\s*$/i.test(company.slice(-20))) return false;
	const [own, full] = [normaliseName(company).fullKey, normaliseName(plant).fullKey];
	if (own !== "" && own === full) return true;
	const telling = (key: string) => key.split(" ").filter((word) => word.length > 2 && !plantWords.has(word));
	const [name, place] = [telling(own), telling(full)];
	if (name.length === 0) return false;
	return name.every((word) => place.includes(word)) || place.join("").includes(name.join(""));
}
