import { expect, test } from "vitest";
import type { ConstructionStage, Region, StudyPhase } from "#libs/contract/vocabulary.ts";
import { factsOf } from "../../../../test/scoring/support/score-inputs.ts";
import type { Milestone } from "./milestone.ts";
import { hasAgreement, milestoneOf } from "./milestone.ts";

type Row = [Region, string | null, StudyPhase | null, ConstructionStage, boolean | null, Milestone];

// From the operators' lists of 2020 to 2026: filed phase, standard phase, stage, security posted.
const rows: Row[] = [
	["ERCOT", "SS Started, FIS Not Started, No IA", "Feasibility", "early", false, "feasibility"],
	["ERCOT", "SS Started, FIS Started, No IA", "Feasibility", "early", false, "full_study"],
	["ERCOT", "SS Completed, FIS Not Started, No IA", "SIS", "early", false, "feasibility"],
	["ERCOT", "SS Completed, FIS Started, No IA", "SIS", "early", false, "full_study"],
	["ERCOT", "SS Completed, FIS Completed, No IA", "Facilities", "mid", false, "full_study_complete"],
	["ERCOT", "SS Completed, FIS Started, IA", "IA Executed", "late", false, "agreement_unsecured"],
	["ERCOT", "SS Completed, FIS Completed, IA", "IA Executed", "late", true, "agreement_secured"],
	["ERCOT", "SS Completed, FIS Completed, IA", "IA Executed", "construction", true, "construction"],
	["ERCOT", "SS Completed, FIS Started, No IA", "SIS", "construction", false, "construction"],
	["ERCOT", null, null, "early", false, "unstated"],
	["ERCOT", null, "IA Executed", "late", null, "agreement_executed"],
	["PJM", null, null, "early", null, "unstated"],
	["PJM", null, "Feasibility", "early", null, "feasibility"],
	["PJM", null, "SIS", "early", null, "impact_study"],
	["PJM", null, "SIS", "mid", null, "impact_study_complete"],
	["PJM", null, "Facilities", "mid", null, "facilities_study_pjm"],
	["PJM", null, "IA Executed", "late", null, "agreement_secured"],
	["PJM", null, "IA Executed", "construction", null, "construction"],
	["PJM", "APPLICATION PHASE", "Not Started", "early", null, "not_started"],
	["PJM", "PHASE 1", "SIS", "early", null, "cluster_phase_1"],
	["PJM", "Decision Point 1", "SIS", "early", null, "cluster_phase_1"],
	["PJM", "constructor", "SIS", "early", null, "impact_study"],
	["PJM", "PHASE 2", "SIS", "early", null, "cluster_phase_2"],
	["PJM", "DP2", "SIS", "early", null, "cluster_phase_2"],
	["PJM", "PHASE 3", "Facilities", "mid", null, "facilities_study_pjm"],
	["PJM", "FINAL AGREEMENT", "GIA", "late", null, "agreement_negotiated"],
	["PJM", "FINAL AGREEMENT", "IA Executed", "late", null, "agreement_secured"],
	["MISO", null, null, "early", null, "unstated"],
	["MISO", "Study Not Started", "Not Started", "early", null, "not_started"],
	["MISO", "Phase 1", "Feasibility", "early", null, "cluster_phase_1"],
	["MISO", "Phase 2", "SIS", "early", null, "cluster_phase_2"],
	["MISO", "Phase 3", "Facilities", "mid", null, "facilities_study"],
	["MISO", "Post-Phase 3", "Facilities", "mid", null, "facilities_study"],
	["MISO", "GIA", "GIA", "late", null, "agreement_negotiated"],
	// "Done": the phase column stays where it was.
	["MISO", "Phase 2", "IA Executed", "late", null, "agreement_executed"],
	["MISO", "Phase 3", "IA Executed", "construction", null, "construction"],
	["CAISO", null, "Feasibility", "early", null, "feasibility"],
	["CAISO", null, "SIS", "mid", null, "impact_study_complete"],
	["CAISO", null, "Facilities", "mid", null, "facilities_study"],
	["CAISO", null, "GIA", "late", null, "agreement_negotiated"],
	["CAISO", null, "IA Executed", "late", null, "agreement_executed"],
	["NYISO", "Scoping Meeting Pending", "Not Started", "early", null, "not_started"],
	["NYISO", "FES in Progress", "Feasibility", "early", null, "feasibility"],
	["NYISO", "SRIS/SIS Pending", "SIS", "early", null, "impact_study_pending"],
	["NYISO", "SRIS/SIS in Progress", "SIS", "early", null, "impact_study"],
	["NYISO", "SRIS/SIS Approved", "SIS", "mid", null, "impact_study_complete"],
	["NYISO", "FS Pending", "Facilities", "mid", null, "impact_study_complete"],
	["NYISO", "Rejected Cost Allocation/Next FS Pending", "Facilities", "mid", null, "impact_study_complete"],
	["NYISO", "FS in Progress", "Facilities", "mid", null, "facilities_study"],
	["NYISO", "Phase 1 Entry Decision Period", "Feasibility", "early", null, "feasibility"],
	["NYISO", "Phase 1 Study", "Feasibility", "early", null, "cluster_phase_1"],
	["NYISO", "Phase 2 Entry Decision Period", "SIS", "early", null, "cluster_phase_1"],
	["NYISO", "Phase 2 Study", "SIS", "early", null, "cluster_phase_2"],
	["NYISO", "Final Decision Period", "Facilities", "mid", null, "facilities_study"],
	["NYISO", "Accepted Cost Allocation/IA in Progress", "GIA", "late", null, "agreement_negotiated"],
	["NYISO", "IA Completed", "IA Executed", "late", null, "agreement_executed"],
	["NYISO", "Under Construction", "IA Executed", "construction", null, "construction"],
	["SPP", "ERAS", "Not Started", "early", null, "not_started"],
	["SPP", "SPECIAL STUDY", null, "early", null, "unstated"],
	["SPP", "DISIS STAGE", "SIS", "early", null, "impact_study"],
	["SPP", "FACILITY STUDY STAGE", "Facilities", "mid", null, "facilities_study"],
	["SPP", "IA PENDING", "GIA", "late", null, "agreement_negotiated"],
	["SPP", "IA FULLY EXECUTED/ON SCHEDULE", "IA Executed", "late", null, "agreement_secured"],
	["ISO-NE", null, null, "early", null, "unstated"],
	["ISO-NE", null, "SIS", "mid", null, "impact_study_complete"],
	["ISO-NE", null, "IA Executed", "late", null, "agreement_executed"],
	// No phase known, but a stage.
	["CAISO", null, null, "mid", null, "impact_study_complete"],
	["CAISO", null, null, "late", null, "agreement_negotiated"],
];

test.each(rows)(
	"%s %j, %s, %s, security %s: %s",
	(region, study_phase_filed, study_phase, stage, security, milestone) => {
		const facts = factsOf({
			region,
			study_phase_filed,
			study_phase,
			construction_stage: stage,
			security_posted: security,
		});
		expect(milestoneOf(facts)).toBe(milestone);
	},
);

test("a suspended request has the milestone suspended, whatever it had reached", () => {
	for (const study_phase of [null, "SIS", "IA Executed"] as const)
		expect(milestoneOf(factsOf({ status_std: "Suspended", construction_stage: "suspended", study_phase }))).toBe(
			"suspended",
		);
});

test("an agreement is derived from the phase, the status of the agreement, or construction", () => {
	const none = { study_phase: "SIS", ia_status: "System Impact Study", construction_stage: "early" } as const;
	expect(hasAgreement(factsOf(none))).toBe(false);
	expect(hasAgreement(factsOf({ ...none, study_phase: "IA Executed" }))).toBe(true);
	expect(hasAgreement(factsOf({ ...none, ia_status: "IA Executed" }))).toBe(true);
	expect(hasAgreement(factsOf({ ...none, construction_stage: "construction" }))).toBe(true);
	expect(hasAgreement(factsOf({ study_phase: "GIA", ia_status: "Facility Study" }))).toBe(false);
});
