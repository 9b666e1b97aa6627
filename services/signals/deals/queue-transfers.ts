/** Finds the deals among the changes of developer in one list. Pure. */
import { normaliseName } from "#libs/names/normalise.ts";
import { placeholders } from "#libs/names/words.ts";
import type { Verdict } from "./ownership-diff.ts";
import { isSameParty, parentKey } from "./party.ts";

export interface FiledDeveloper {
	name: string | null;
	canonical: string | null;
	parent: string | null;
	/** Whether the curated list of developers contains it; otherwise its canonical name occurs only in queues. */
	known: boolean;
}

export interface Candidate {
	projectId: string;
	status: string;
	/** Requests for load or transmission are not part of deals. */
	isGeneration: boolean;
	/** True if the list corrects the previous one: no transfer happened. */
	isCorrection: boolean;
	from: FiledDeveloper;
	to: FiledDeveloper;
}

export interface AppliedList {
	rows: number;
	candidates: Candidate[];
	/** Whether the region's list still contains the name. */
	isStillFiled(name: string): boolean;
	/** Whether an article of class `ma` within 180 days names both developers. */
	isInNews(seller: string, buyer: string): boolean;
}

export interface Deal extends Verdict {
	projectId: string;
	from: FiledDeveloper;
	to: FiledDeveloper;
}

/** A developer that may have a new name. A person reviews one possible alias instead of many deals. */
interface Rename {
	from: string;
	to: string;
	projectIds: string[];
}

export interface Judgment {
	deals: Deal[];
	/** Deals withheld because too much of the list changed at once. */
	heldDeals: Deal[];
	renames: Rename[];
}

/** If a larger share of the rows changed, a column has probably shifted or names were recoded. */
const maxChangedShare = 0.02;
/** Fewest changes to which `maxChangedShare` applies: in a list of twenty requests, a single deal would exceed it. */
const minWaveChanges = 5;
/** At least this many changes from one name to another are a rename if the old name is no longer filed. */
const minRenameChanges = 5;

const undisclosedNames = new Set(["not available", "not disclosed", "to be determined"]);

export function judgeTransfers({ rows, candidates, isStillFiled, isInNews }: AppliedList): Judgment {
	const changes = candidates.filter(
		({ from, to, isGeneration, isCorrection }) =>
			isGeneration && !isCorrection && isNamed(from) && isNamed(to) && !isSameDeveloper(from, to),
	);
	const renames = findRenames(changes, isStillFiled);
	const renamed = new Set(renames.flatMap(({ projectIds }) => projectIds));
	const deals = findDeals(
		changes.filter(({ projectId, status }) => !renamed.has(projectId) && status !== "Withdrawn"),
		isInNews,
	);
	const isWave = candidates.length >= minWaveChanges && candidates.length > maxChangedShare * rows;
	return { deals: isWave ? [] : deals, heldDeals: isWave ? deals : [], renames };
}

/** The changes that are still deals, given the current matches of both sides. */
export const findDeals = (changes: readonly Candidate[], isInNews: AppliedList["isInNews"]): Deal[] =>
	changes
		.filter(({ from, to }) => !isSameDeveloper(from, to))
		.map(({ projectId, from, to }) => ({ projectId, from, to, ...rateTransfer(from, to, isInNews) }));

function isNamed({ name }: FiledDeveloper): boolean {
	const key = normaliseName(name ?? "").words.join(" ");
	return key !== "" && !placeholders.has(key.replaceAll(" ", "")) && !undisclosedNames.has(key);
}

/** Ignores differences of spelling and legal form. Aliases and sister companies count as the same developer. */
function isSameDeveloper(from: FiledDeveloper, to: FiledDeveloper): boolean {
	if (from.canonical !== null && from.canonical === to.canonical) return true;
	return isSameParty(partyOf(from), partyOf(to));
}

/** A developer outside the curated list has no parent to compare. */
function partyOf({ name, canonical, parent, known }: FiledDeveloper) {
	const resolved = known ? { canonical, parent } : { canonical: null, parent: null };
	return { id: null, name: name ?? "", ...resolved, address: null, city: null };
}

function findRenames(changes: Candidate[], isStillFiled: (name: string) => boolean): Rename[] {
	const key = ({ name }: FiledDeveloper) => normaliseName(name ?? "").fullKey;
	const groups = Map.groupBy(changes, ({ from, to }) => JSON.stringify([key(from), key(to)]));
	return [...groups.values()].flatMap((group) => {
		const names = [...new Set(group.map(({ from }) => from.name ?? ""))];
		if (group.length < minRenameChanges || names.some(isStillFiled)) return [];
		const [first] = group;
		const projectIds = group.map(({ projectId }) => projectId).sort();
		return [{ from: names[0] ?? "", to: first?.to.name ?? "", projectIds }];
	});
}

function rateTransfer(from: FiledDeveloper, to: FiledDeveloper, isInNews: AppliedList["isInNews"]): Verdict {
	const [seller, buyer] = [partyOf(from), partyOf(to)];
	if (parentKey(seller) === null || parentKey(buyer) === null)
		return { confidence: "low", reason: "one side is not a known developer and may be a project company" };
	if (isInNews(seller.canonical ?? "", buyer.canonical ?? ""))
		return { confidence: "high", reason: "both sides are known developers, and a headline reports their deal" };
	return { confidence: "medium", reason: "both sides are known developers; no headline reports a deal" };
}
