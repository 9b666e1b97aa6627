/** What changed hands at a plant from one year's EIA-860 to the next (domain sheet 5.1). Pure. */
import { normaliseName } from "#libs/names/normalise.ts";
import { jaroWinkler, trigramSimilarity } from "#libs/names/similarity.ts";
import { type Holding, isComparable, type OwnedGenerator, sharesOf } from "./ownership-shares.ts";
import { isSameParty, leadWord, type Party, parentOf } from "./party.ts";

/** One row a plant, generator, buyer and seller. */
export interface OwnershipChange extends Verdict {
	plantId: number;
	generatorId: string;
	/** The later year; its last day is the effective date, as the day within it is not known. */
	year: number;
	plantName: string | null;
	state: string | null;
	technology: string | null;
	capacityMw: number | null;
	seller: string;
	sellerCanonical: string | null;
	buyer: string;
	buyerCanonical: string | null;
	/** What the buyer and its sister companies hold afterwards, 0 to 1. */
	fractionOwned: number;
}

/** Smaller changes are rounding and reporting. */
const least = 0.05;

/**
 * Compares the generators of one plant that are reported in two consecutive years. Parties are compared across both years, so that
 * a rename, a project company of the same sponsor or a trustee is no side of a deal.
 */
export function diffOwnership(before: OwnedGenerator[], after: OwnedGenerator[]): OwnershipChange[] {
	const earlier = new Map(before.map((generator) => [generator.generatorId, generator]));
	const compared = after.flatMap((later) => {
		const first = earlier.get(later.generatorId);
		return first !== undefined && isComparable(first, later) ? [movesOf(first, later)] : [];
	});
	return compared.flatMap((moves) => moves.map((move) => changeOf(move, weigh(move, compared))));
}

/** The largest rise is paired with the largest fall, and what is left of either with the next. */
function movesOf(before: OwnedGenerator, after: OwnedGenerator): Move[] {
	const holdings = sharesOf(before, after);
	const change = ({ before: first, after: later }: Holding) => Math.round((later - first) * 10_000) / 10_000;
	const open = holdings.map((holding) => ({ holding, left: Math.abs(change(holding)), rose: change(holding) > 0 }));
	const sides = open.filter(({ left }) => left >= least).sort((a, b) => b.left - a.left);
	const sellers = sides.filter(({ rose }) => !rose);
	const moves: Move[] = [];
	for (const buyer of sides.filter(({ rose }) => rose)) {
		for (const seller of sellers) {
			const moved = Math.min(buyer.left, seller.left);
			if (moved < least) continue;
			buyer.left -= moved;
			seller.left -= moved;
			moves.push({ before, after, seller: seller.holding, buyer: buyer.holding, moved });
		}
	}
	return moves.filter((move) => !isOnlyReporting(move));
}

/**
 * The plant's own company appears or vanishes while the operator stays: it is reported where its owners were, or the other way round.
 * (For 2020 Southern Power lists its forty for the first time.)
 */
function isOnlyReporting({ before, after, seller, buyer }: Move): boolean {
	return before.operatorId === after.operatorId && (seller.isOwnCompany || buyer.isOwnCompany);
}

function changeOf({ after, before, seller, buyer }: Move, verdict: Verdict): OwnershipChange {
	return {
		plantId: after.plantId,
		generatorId: after.generatorId,
		year: after.year,
		plantName: after.plantName ?? before.plantName,
		state: after.state ?? before.state,
		technology: after.technology ?? before.technology,
		capacityMw: after.capacityMw ?? before.capacityMw,
		seller: seller.party.name,
		sellerCanonical: seller.party.canonical,
		buyer: buyer.party.name,
		buyerCanonical: buyer.party.canonical,
		fractionOwned: Math.min(1, Math.round(buyer.after * 10_000) / 10_000),
		...verdict,
	};
}

/** A share that moved from one party to another, before it is weighed. */
export interface Move {
	before: OwnedGenerator;
	after: OwnedGenerator;
	seller: Holding;
	buyer: Holding;
	/** 0 to 1 */
	moved: number;
}

export type Confidence = "high" | "medium" | "low";

export interface Verdict {
	confidence: Confidence;
	/** In words, for readers of the event. */
	reason: string;
}

/** Share of a plant's generators that may tell another story. */
const mostDissent = 0.05;

/** `plant`: the moves of each of the plant's compared generators. */
export function weigh(move: Move, plant: Move[][]): Verdict {
	const doubt = doubtOf(move, plant);
	if (doubt !== undefined) return { confidence: "low", reason: doubt };
	const parents = [parentOf(move.seller.party), parentOf(move.buyer.party)];
	if (parents.includes(null))
		return { confidence: "medium", reason: "both sides are filed; not both are known developers" };
	if (move.moved < 0.5)
		return { confidence: "medium", reason: "both sides are filed and known; less than half was sold" };
	return { confidence: "high", reason: "both sides are filed and known, and at least half was sold" };
}

function doubtOf({ before, after, seller, buyer }: Move, plant: Move[][]): string | undefined {
	if (before.source === "eia_860_operator" || after.source === "eia_860_operator")
		return "a side is the operator, taken as owner where none is filed";
	if (buyer.ids.has(before.operatorId) && seller.ids.has(after.operatorId))
		return "owner and operator changed places: perhaps only in the report";
	if (isLike(seller.party, buyer.party)) return "the names are alike: perhaps one company renamed";
	const agreeing = plant.filter((moves) => moves.some((other) => isSameParty(other.buyer.party, buyer.party)));
	if (1 - agreeing.length / plant.length >= mostDissent) return "other generators of the plant do not show it";
	return undefined;
}

/** Of two names that are not both resolved: one first word, or nearly one spelling (domain sheet 4.3). */
function isLike(a: Party, b: Party): boolean {
	if (parentOf(a) !== null && parentOf(b) !== null) return false;
	if (leadWord(a.name) !== null && leadWord(a.name) === leadWord(b.name)) return true;
	const [left, right] = [normaliseName(a.name).fullKey, normaliseName(b.name).fullKey];
	return jaroWinkler(left, right) >= 0.92 || trigramSimilarity(left, right) >= 0.6;
}
