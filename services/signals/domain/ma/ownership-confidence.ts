/** How sure a change of hands at a plant is (domain sheet 5.1). Pure. */

import { normaliseName } from "#libs/names/normalise.ts";
import { jaroWinkler, trigramSimilarity } from "#libs/names/similarity.ts";
import type { Holding, OwnedGenerator } from "./ownership-shares.ts";
import { isSameParty, leadWord, type Party, parentOf } from "./party.ts";

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
