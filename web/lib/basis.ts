import type { AsOfBasis } from "#libs/contract/vocabulary.ts";

/** What a score of a past day is, in words. */
export const basisWords: Record<AsOfBasis, string> = {
	published: "published then",
	recomputed: "recomputed from the facts of that day",
};
