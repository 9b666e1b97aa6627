/** A request of ERCOT and the inputs of its score, which tests vary. */
import type { ProjectFacts } from "../../../services/scoring/domain/facts.ts";
import { terms } from "../../../services/scoring/domain/score/chance.ts";
import type { About } from "../../../services/scoring/domain/score/inputs.ts";
import { inputsOf } from "../../../services/scoring/domain/score/inputs.ts";
import type { ScoreInputs, ScoreTables } from "../../../services/scoring/domain/score/tables.ts";
import { scoreTables } from "../../../services/scoring/domain/score/version.ts";

export const today = "2026-11-20";

/** The current version with a model by which every request of ERCOT operates within 36 months with this chance, and none of another operator is known. */
export function tablesWith(chance: number): ScoreTables {
	const hazard = 1 - (1 - chance) ** (1 / 12);
	const constant = terms.map((name) => (name === "intercept" ? Math.log(hazard / (1 - hazard)) : 0));
	const followed = { ERCOT: { agreement_secured: 300, construction: 100 } };
	const model = { version: 4, fitted_to: "2025-10-31", commercial: constant, energized: constant, followed, leads: {} };
	return { ...scoreTables, model };
}

export function factsOf(facts: Partial<ProjectFacts> = {}): ProjectFacts {
	return {
		name: "Sunfish Solar",
		project_id: "ERCOT-21INR0999",
		facts_as_of: null,
		region: "ERCOT",
		kind: "generation",
		state: "TX",
		fips: "48283",
		counties: ["La Salle"],
		developer_id: 7,
		developer_tier: "unknown",
		type_std: "Storage",
		status_std: "Active",
		capacity_mw: 150,
		queue_date: "2025-02-01",
		cod: "2027-06-30",
		ia_date: "2026-01-15",
		security_posted: true,
		construction_stage: "late",
		plant_state: "none",
		...{ plant_state_basis: "operator", plant_report: null, plant_reported_on: null, construction_begun_by: null },
		status_flag: null,
		...{ request_class: "new", added_type_std: null, incremental_mw: 150, components: [] },
		study_phase: "IA Executed",
		study_phase_filed: "SS Completed, FIS Completed, IA",
		ia_status: "IA Executed",
		poi: "5705 Fowlerton 138kV",
		located: true,
		cod_changes: [],
		...facts,
	};
}

export function aboutOf(about: Partial<About> = {}): About {
	return {
		credit: { effectiveRate: 0.4, conditional: false, type: "ITC" },
		developer: { distress: "Low", operational: 0, withdrawn: 0 },
		costPerKw: 80,
		duplicate: false,
		...about,
	};
}

export function inputs(changed: Partial<ScoreInputs> = {}): ScoreInputs {
	return { ...inputsOf(factsOf(), aboutOf(), today), ...changed };
}
