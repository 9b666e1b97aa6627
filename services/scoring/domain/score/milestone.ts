/** Determines the milestone of a request from its status, stage, study phase and agreement. Pure. */
import type { ConstructionStage, Region, StudyPhase } from "#libs/contract/vocabulary.ts";
import type { ProjectFacts } from "../facts.ts";

/** Milestones in order, except `suspended`. */
export const orderedMilestones = [
	"unstated",
	"not_started",
	"feasibility",
	"impact_study_pending",
	/** The first phase of a cluster's study, or the decision after it. */
	"cluster_phase_1",
	"impact_study",
	"full_study",
	"impact_study_complete",
	"cluster_phase_2",
	/** Separate from `facilities_study`, because 40% of PJM's requests at this milestone withdrew within nine months. */
	"facilities_study_pjm",
	"facilities_study",
	"full_study_complete",
	"agreement_negotiated",
	/** Executed; the operator states that no security is posted. */
	"agreement_unsecured",
	/** Executed; whether security is posted is not published. */
	"agreement_executed",
	"agreement_secured",
	"construction",
] as const;
export const milestones = [...orderedMilestones, "suspended"] as const;
export type Milestone = (typeof milestones)[number];

/** Phases as the operators file them, in lower case, if they are more precise than the standard phase or differ from it. */
const byFiledPhase: Partial<Record<Region, ReadonlyMap<string, Milestone>>> = {
	PJM: new Map(
		Object.entries<Milestone>({
			"phase 1": "cluster_phase_1",
			dp1: "cluster_phase_1",
			"decision point 1": "cluster_phase_1",
			"phase 2": "cluster_phase_2",
			dp2: "cluster_phase_2",
			"decision point 2": "cluster_phase_2",
		}),
	),
	MISO: new Map(Object.entries<Milestone>({ "phase 1": "cluster_phase_1", "phase 2": "cluster_phase_2" })),
	ERCOT: new Map(
		Object.entries<Milestone>({
			"ss started, fis started, no ia": "full_study",
			"ss completed, fis not started, no ia": "feasibility",
		}),
	),
	NYISO: new Map(
		Object.entries<Milestone>({
			"sris/sis pending": "impact_study_pending",
			"sris/sis commenced, stopped pending new process": "impact_study_pending",
			// NYISO assigns both to the facilities study, but the impact study is complete and no facilities study is under way.
			"fs pending": "impact_study_complete",
			"rejected cost allocation/next fs pending": "impact_study_complete",
			"phase 1 study": "cluster_phase_1",
			"phase 2 entry decision period": "cluster_phase_1",
			"phase 2 study": "cluster_phase_2",
		}),
	),
};

const byPhase: Readonly<Record<Exclude<StudyPhase, "IA Executed">, Milestone>> = {
	"Not Started": "not_started",
	Feasibility: "feasibility",
	SIS: "impact_study",
	Facilities: "facilities_study",
	GIA: "agreement_negotiated",
};

/** ERCOT's full study replaces the two studies of the other operators, and is "Facilities" once it is complete. */
const byPhaseOf: Partial<Record<Region, Partial<typeof byPhase>>> = {
	PJM: { Facilities: "facilities_study_pjm" },
	ERCOT: { SIS: "full_study", Facilities: "full_study_complete" },
};

const byStage: Partial<Record<ConstructionStage, Milestone>> = {
	mid: "impact_study_complete",
	late: "agreement_negotiated",
};

const onSchedule = "ia fully executed/on schedule";

type MilestoneFacts = Pick<
	ProjectFacts,
	"region" | "status_std" | "construction_stage" | "study_phase" | "study_phase_filed" | "security_posted"
>;

export function milestoneOf(facts: MilestoneFacts): Milestone {
	const { construction_stage: stage, study_phase: phase, region } = facts;
	if (facts.status_std === "Suspended") return "suspended";
	if (stage === "construction") return "construction";
	if (phase === "IA Executed") return agreementOf(facts);
	if (phase === null) return byStage[stage] ?? "unstated";
	const filed = byFiledPhase[region]?.get(facts.study_phase_filed?.toLowerCase() ?? "");
	// The stage is early while the study is under way, and mid once it is complete.
	if (filed === undefined && phase === "SIS" && stage === "mid") return "impact_study_complete";
	return filed ?? byPhaseOf[region]?.[phase] ?? byPhase[phase];
}

/**
 * Only ERCOT publishes whether security is posted. SPP's "on schedule" implies it, and so does an executed agreement in PJM, which is
 * signed with the security (tariff, part VI, 212.4); 99 % of the open requests with one are "Engineering and Procurement".
 */
function agreementOf({ region, security_posted, study_phase_filed }: MilestoneFacts): Milestone {
	if (security_posted === false) return "agreement_unsecured";
	const isSecured = security_posted === true || region === "PJM" || study_phase_filed?.toLowerCase() === onSchedule;
	return isSecured ? "agreement_secured" : "agreement_executed";
}

export function hasAgreement({ study_phase, ia_status, construction_stage }: ProjectFacts): boolean {
	return (
		study_phase === "IA Executed" ||
		ia_status === "IA Executed" ||
		ia_status === "Construction" ||
		construction_stage === "construction"
	);
}
