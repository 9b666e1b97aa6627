/** Labels for coded values of requests that do not explain themselves. */
import { labelOf } from "../text/format.ts";

const agreements: Readonly<Record<string, string>> = {
	GIA: "Agreement in negotiation",
	"IA Executed": "Agreement signed",
};

/** The label of a construction stage. `late` begins when an agreement is negotiated; the study phase tells whether it is signed. */
export function stageLabel(stage: string, studyPhase: string | null = null): string {
	if (stage === "construction") return "Under construction";
	return stage === "late" ? (agreements[studyPhase ?? ""] ?? "Agreement signed or in negotiation") : labelOf(stage);
}

/** The label of a plant state. */
export const plantLabel = (state: string): string => (state === "none" ? "Nothing reported" : labelOf(state));
