/** Process rules of operators that make listed requests void, whatever their rows state; each has a citation and a first day. Pure. */
import type { ProjectRegion, StudyPhase } from "#libs/contract/vocabulary.ts";
import type { FiledRequest } from "../sources/source.ts";

interface VoidWindow {
	region: ProjectRegion;
	/** Queue windows. The number of a request begins with its window ("AH2-150"). */
	windows: readonly string[];
	/** Study phases in which a request is void; null stands for no stated phase. */
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

/** Finds the rule that makes an active request void at the time of its list (`asOf`, ISO 8601). */
export function findVoidWindow(
	{ number, statusStd, studyPhase, cluster }: FiledRequest,
	region: ProjectRegion | null,
	asOf: string,
): VoidWindow | undefined {
	// A request in a cluster has already been filed again under the new process.
	if (statusStd !== "Active" || cluster !== null) return undefined;
	return voidWindows.find(
		(rule) =>
			rule.region === region &&
			rule.validFrom <= asOf.slice(0, 10) &&
			rule.phases.includes(studyPhase) &&
			rule.windows.some((window) => number.toUpperCase().startsWith(`${window}-`)),
	);
}
