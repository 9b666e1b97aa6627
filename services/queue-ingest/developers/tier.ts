/** The tier of a developer that no register knows, by what the EIA's lists say that it owns and builds (signals sheet, 4.4). Pure. */
import type { DeveloperTier } from "#libs/contract/vocabulary.ts";

/** Nameplate capacities in MW, its shares of jointly owned units alone. */
export interface Fleet {
	operatingMw: number;
	plannedMw: number;
	/** Of both, what the EIA calls a utility's. */
	utilityMw: number;
}

const majorMw = 2_000;
const platformMw = 500;

/** Plants of which no list of late is at hand can only make a fleet larger. */
export function tierOf({ operatingMw, plannedMw, utilityMw }: Fleet): DeveloperTier {
	const allMw = operatingMw + plannedMw;
	if (allMw <= 0) return "unknown";
	if (utilityMw > allMw / 2) return "major_utility";
	if (operatingMw >= majorMw) return "major_ipp";
	return allMw >= platformMw ? "mid_platform" : "independent";
}
