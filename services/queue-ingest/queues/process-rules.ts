/** Rules of operators' processes that make listed requests void, whatever their rows state, each with its citation and dates. Pure. */
import type { ProjectRegion, StudyPhase } from "#libs/contract/vocabulary.ts";
import type { FiledRequest } from "../sources/source.ts";

interface VoidWindow {
	region: ProjectRegion;
	/** Queue windows, with which the numbers of their requests begin ("AH2-150"). */
	windows: readonly string[];
	/** Only requests that got no further than these phases; null: no study is stated. */
	phases: readonly (StudyPhase | null)[];
	rule: string;
	citation: string;
	/** First day on which the rule applies (`YYYY-MM-DD`). */
	validFrom: string;
}

const voidWindows: readonly VoidWindow[] = [
	{
		region: "PJM",
		windows: ["AH2", "AI1", "AI2", "AJ1"],
		phases: [null, "Not Started", "Feasibility"],
		rule: "Requests of window AH2 and later were not studied and are not part of the transition: they must apply anew in Cycle 1.",
		citation:
			"FERC, docket ER22-2110, order of 29 November 2022; PJM Tariff, Part VII, in force since the transition date",
		validFrom: "2023-07-10",
	},
];

/** The rule by which a request that its operator lists as active is void at the time of the list (`asOf`, ISO 8601). */
export function findVoidWindow(
	{ number, statusStd, studyPhase, cluster }: FiledRequest,
	region: ProjectRegion | null,
	asOf: string,
): VoidWindow | undefined {
	// A request with a cluster has been filed again under the new process.
	if (statusStd !== "Active" || cluster !== null) return undefined;
	return voidWindows.find(
		(rule) =>
			rule.region === region &&
			rule.validFrom <= asOf.slice(0, 10) &&
			rule.phases.includes(studyPhase) &&
			rule.windows.some((window) => number.toUpperCase().startsWith(`${window}-`)),
	);
}
