/** Compares the owners of a plant in the EIA-860 of two years. Pure. */
import type { confidences } from "#libs/contract/vocabulary.ts";
import { normaliseName } from "#libs/names/normalise.ts";
import { jaroWinkler, trigramSimilarity } from "#libs/names/similarity.ts";
import { type Holding, isComparable, type OwnedGenerator, sharesOf } from "./ownership-shares.ts";
import { isSameParty, leadWord, type Party, parentKey } from "./party.ts";

/** A change of ownership of one generator, between one seller and one buyer. */
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
	/** Share (0 to 1) that the buyer and its sister companies own after the change. */
	fraction_owned: number;
}

/** Smaller changes of a share are attributed to rounding. */
const minMovedShare = 0.05;

/**
 * Compares the generators that both years report. Parties are matched across both years, so that neither a rename nor a project company of
 * the same sponsor nor a trustee counts as a deal.
 */
export function diffOwnership(before: OwnedGenerator[], after: OwnedGenerator[]): OwnershipChange[] {
	const earlier = new Map(before.map((generator) => [generator.generator_id, generator]));
	const movesByGenerator = after.flatMap((later) => {
		const first = earlier.get(later.generator_id);
		return first !== undefined && isComparable(first, later) ? [findMoves(first, later)] : [];
	});
	return movesByGenerator.flatMap((moves) => moves.map((move) => toChange(move, rateMove(move, movesByGenerator))));
}

/** Pairs the largest increase of a share with the largest decrease, and the remainder with the next largest. */
function findMoves(before: OwnedGenerator, after: OwnedGenerator): Move[] {
	const holdings = sharesOf(before, after);
	const change = ({ before: first, after: later }: Holding) => Math.round((later - first) * 10_000) / 10_000;
	const positions = holdings.map((holding) => ({
		holding,
		left: Math.abs(change(holding)),
		rose: change(holding) > 0,
	}));
	const sides = positions.filter(({ left }) => left >= minMovedShare).sort((a, b) => b.left - a.left);
	const sellers = sides.filter(({ rose }) => !rose);
	const moves: Move[] = [];
	for (const buyer of sides.filter(({ rose }) => rose)) {
		for (const seller of sellers) {
			const moved = Math.min(buyer.left, seller.left);
			if (moved < minMovedShare) continue;
			buyer.left -= moved;
			seller.left -= moved;
			moves.push({ before, after, seller: seller.holding, buyer: buyer.holding, moved });
		}
	}
	return moves.filter((move) => !isReportingChange(move));
}

/**
 * Whether only the way of reporting changed: the operator is the same, and the plant's own company was reported instead of its owners, or
 * the reverse. (For 2020, Southern Power reported its forty companies for the first time.)
 */
function isReportingChange({ before, after, seller, buyer }: Move): boolean {
	return before.operatorId === after.operatorId && (seller.isOwnCompany || buyer.isOwnCompany);
}

function toChange({ after, before, seller, buyer }: Move, verdict: Verdict): OwnershipChange {
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

interface Move {
	before: OwnedGenerator;
	after: OwnedGenerator;
	seller: Holding;
	buyer: Holding;
	moved: number;
}

export interface Verdict {
	confidence: (typeof confidences)[number];
	reason: string;
}

/** The confidence is low if at least this share of the plant's generators does not show the change. */
const minDissentShare = 0.05;

/** `plant`: the moves of each compared generator of the plant. */
function rateMove(move: Move, plant: Move[][]): Verdict {
	const objection = findObjection(move, plant);
	if (objection !== undefined) return { confidence: "low", reason: objection };
	const parents = [parentKey(move.seller.party), parentKey(move.buyer.party)];
	if (parents.includes(null))
		return { confidence: "medium", reason: "buyer and seller are filed, but not both are known developers" };
	if (move.moved < 0.5)
		return {
			confidence: "medium",
			reason: "buyer and seller are filed and are known developers, but less than half was sold",
		};
	return {
		confidence: "high",
		reason: "buyer and seller are filed and are known developers, and at least half was sold",
	};
}

function findObjection({ before, after, seller, buyer }: Move, plant: Move[][]): string | undefined {
	if (before.source === "eia_860_operator" || after.source === "eia_860_operator")
		return "a side is the operator, assumed to be the owner because none is filed";
	if (buyer.ids.has(before.operatorId) && seller.ids.has(after.operatorId))
		return "owner and operator were swapped: perhaps only in the report";
	if (haveSimilarNames(seller.party, buyer.party)) return "the names are similar: perhaps a renamed company";
	const agreeing = plant.filter((moves) => moves.some((other) => isSameParty(other.buyer.party, buyer.party)));
	if (1 - agreeing.length / plant.length >= minDissentShare)
		return "other generators of the plant do not show the change";
	return undefined;
}

/** Whether two names, at least one of them unmatched, share their first word or are spelled almost alike. */
function haveSimilarNames(a: Party, b: Party): boolean {
	if (parentKey(a) !== null && parentKey(b) !== null) return false;
	if (leadWord(a.name) !== null && leadWord(a.name) === leadWord(b.name)) return true;
	const [left, right] = [normaliseName(a.name).fullKey, normaliseName(b.name).fullKey];
	return jaroWinkler(left, right) >= 0.92 || trigramSimilarity(left, right) >= 0.6;
}
