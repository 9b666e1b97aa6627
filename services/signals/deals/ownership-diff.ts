/** Compares the owners of a plant in two years' EIA-860. Pure. */
import { normaliseName } from "#libs/names/normalise.ts";
import { jaroWinkler, trigramSimilarity } from "#libs/names/similarity.ts";
import { type Holding, isComparable, type OwnedGenerator, sharesOf } from "./ownership-shares.ts";
import { isSameParty, leadWord, type Party, parentOf } from "./party.ts";

/** One for each generator, buyer and seller. */
export interface OwnershipChange extends Verdict {
	plant_id: number;
	generator_id: string;
	/** The later year. The day within it is unknown. */
	year: number;
	plant_name: string | null;
	state: string | null;
	technology: string | null;
	capacity_mw: number | null;
	seller: string;
	seller_canonical: string | null;
	buyer: string;
	buyer_canonical: string | null;
	/** Share of the buyer and its sister companies afterwards, 0 to 1. */
	fraction_owned: number;
}

/** Smaller changes are rounding. */
const leastMoved = 0.05;

/**
 * Compares the generators that both years report. Parties are compared across both years, so that a rename, a project company of the same
 * sponsor and a trustee are not sides of a deal.
 */
export function diffOwnership(before: OwnedGenerator[], after: OwnedGenerator[]): OwnershipChange[] {
	const earlier = new Map(before.map((generator) => [generator.generator_id, generator]));
	const compared = after.flatMap((later) => {
		const first = earlier.get(later.generator_id);
		return first !== undefined && isComparable(first, later) ? [findMoves(first, later)] : [];
	});
	return compared.flatMap((moves) => moves.map((move) => changeOf(move, rateMove(move, compared))));
}

/** Pairs the largest rise with the largest fall, and the remainder with the next. */
function findMoves(before: OwnedGenerator, after: OwnedGenerator): Move[] {
	const holdings = sharesOf(before, after);
	const change = ({ before: first, after: later }: Holding) => Math.round((later - first) * 10_000) / 10_000;
	const open = holdings.map((holding) => ({ holding, left: Math.abs(change(holding)), rose: change(holding) > 0 }));
	const sides = open.filter(({ left }) => left >= leastMoved).sort((a, b) => b.left - a.left);
	const sellers = sides.filter(({ rose }) => !rose);
	const moves: Move[] = [];
	for (const buyer of sides.filter(({ rose }) => rose)) {
		for (const seller of sellers) {
			const moved = Math.min(buyer.left, seller.left);
			if (moved < leastMoved) continue;
			buyer.left -= moved;
			seller.left -= moved;
			moves.push({ before, after, seller: seller.holding, buyer: buyer.holding, moved });
		}
	}
	return moves.filter((move) => !isOnlyReporting(move));
}

/**
 * Whether only the way of reporting changed: with the same operator, the plant's own company was reported instead of its owners, or the
 * reverse. (For 2020 Southern Power first reported its forty companies.)
 */
function isOnlyReporting({ before, after, seller, buyer }: Move): boolean {
	return before.operatorId === after.operatorId && (seller.isOwnCompany || buyer.isOwnCompany);
}

function changeOf({ after, before, seller, buyer }: Move, verdict: Verdict): OwnershipChange {
	return {
		plant_id: after.plant_id,
		generator_id: after.generator_id,
		year: after.year,
		plant_name: after.plant_name ?? before.plant_name,
		state: after.state ?? before.state,
		technology: after.technology ?? before.technology,
		capacity_mw: after.capacity_mw ?? before.capacity_mw,
		seller: seller.party.name,
		seller_canonical: seller.party.canonical,
		buyer: buyer.party.name,
		buyer_canonical: buyer.party.canonical,
		fraction_owned: Math.min(1, Math.round(buyer.after * 10_000) / 10_000),
		...verdict,
	};
}

export interface Move {
	before: OwnedGenerator;
	after: OwnedGenerator;
	seller: Holding;
	buyer: Holding;
	moved: number;
}

export type Confidence = "high" | "medium" | "low";

export interface Verdict {
	confidence: Confidence;
	reason: string;
}

/** From this share of the plant's generators without the change on, the verdict is low. */
const leastDissent = 0.05;

/** `plant` contains the moves of each compared generator. */
function rateMove(move: Move, plant: Move[][]): Verdict {
	const objection = findObjection(move, plant);
	if (objection !== undefined) return { confidence: "low", reason: objection };
	const parents = [parentOf(move.seller.party), parentOf(move.buyer.party)];
	if (parents.includes(null))
		return { confidence: "medium", reason: "both sides are filed; not both are known developers" };
	if (move.moved < 0.5)
		return { confidence: "medium", reason: "both sides are filed and known; less than half was sold" };
	return { confidence: "high", reason: "both sides are filed and known, and at least half was sold" };
}

function findObjection({ before, after, seller, buyer }: Move, plant: Move[][]): string | undefined {
	if (before.source === "eia_860_operator" || after.source === "eia_860_operator")
		return "a side is the operator, assumed to be the owner because none is filed";
	if (buyer.ids.has(before.operatorId) && seller.ids.has(after.operatorId))
		return "owner and operator changed places: perhaps only in the report";
	if (haveSimilarNames(seller.party, buyer.party)) return "the names are alike: perhaps one company renamed";
	const agreeing = plant.filter((moves) => moves.some((other) => isSameParty(other.buyer.party, buyer.party)));
	if (1 - agreeing.length / plant.length >= leastDissent) return "other generators of the plant do not show the change";
	return undefined;
}

/** Whether two names, not both matched, share their first word or nearly their spelling. */
function haveSimilarNames(a: Party, b: Party): boolean {
	if (parentOf(a) !== null && parentOf(b) !== null) return false;
	if (leadWord(a.name) !== null && leadWord(a.name) === leadWord(b.name)) return true;
	const [left, right] = [normaliseName(a.name).fullKey, normaliseName(b.name).fullKey];
	return jaroWinkler(left, right) >= 0.92 || trigramSimilarity(left, right) >= 0.6;
}
