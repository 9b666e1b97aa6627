/** Changes of developer and the lists that show them, as queue-ingest announces them. */
import type { Applied, Changed } from "./ma.ts";

type Project = Changed["project"];

const base: Project = {
	...{ id: "MISO-J1", queue_id: "J1", name: "Sandy Ridge", region: "MISO", state: "IL", county: null, counties: [] },
	...{ fips: null, developer: null, developer_tier: null, developer_id: null, developer_canonical: null, type: "PV" },
	...{
		type_std: "Solar",
		kind: "generation",
		status: "Active",
		status_std: "Active",
		status_basis: "filed" as const,
		status_evidence: null,
		components: [],
		status_flag: null,
		plant_state: "none" as const,
		plant_state_basis: "operator" as const,
		plant_state_evidence: null,
		...{ plant_report: null, plant_reported_on: null, construction_begun_by: null, p_cod_36: null },
		request_class: "new" as const,
		...{ capacity_basis: "injection_limit" as const, added_type_std: null, queue_date_current: null },
		incremental_mw: 150.5,
		operating_mw: null,
		listed: "listed" as const,
	},
	...{ capacity_mw: 150.5, summer_mw: null, winter_mw: null, queue_date: null, cod: null, actual_cod: null },
	...{ withdrawn_date: null, ia_date: null, backfeed_date: null, energized_date: null, security_posted: null },
	...{ construction_stage: "early", construction_stage_confidence: 0.5, study_phase: null, study_phase_filed: null },
	...{ ia_status: "Feasibility Study", ia_status_filed: null, poi: null, poi_id: null },
	...{ utility: null, cluster: null, service: null },
	...{ lat: null, lon: null, location_precision: null, energy_community_eligible: null, low_income_eligible: null },
	...{
		domestic_content_eligible: null,
		domestic_content_basis: null,
		tax_credit_type: null,
		tax_credit_status: null,
		tax_credit_pct: null,
	},
	...{
		estimated_credit_value: null,
		effective_credit_rate: null,
		needs_capital: null,
		investable: null,
		investability_score: null,
		feed: "miso",
	},
	...{
		first_seen_at: "2026-01-01T06:00:00Z",
		last_changed_at: "2026-03-01T06:00:00Z",
		missing_since: null,
		version: 2,
	},
};

const known = new Set(["Heron Energy", "Osprey Power"]);
const canonicalOf = (name: string | null) => (name !== null && known.has(name) ? name : null);

export interface Flip {
	number: number;
	from: string | null;
	to: string | null;
	snapshot?: number;
	day?: string;
	project?: Partial<Project>;
	correction?: boolean;
}

export function flip({
	number,
	from,
	to,
	snapshot = 7,
	day = "2026-03-01",
	project = {},
	correction = false,
}: Flip): Changed {
	const change_type = correction ? "correction" : "developer_change";
	return {
		id: `changed-${snapshot}-${number}`,
		occurred_at: `${day}T06:00:01Z`,
		version: snapshot,
		project: {
			...base,
			id: `MISO-J${number}`,
			queue_id: `J${number}`,
			developer: to,
			developer_canonical: canonicalOf(to),
			version: snapshot,
			...project,
		},
		as_of: `${day}T06:00:00Z`,
		snapshot_id: snapshot,
		previous_developer: { filed: from, canonical: canonicalOf(from) },
		changes: [{ seq: number + 1, change_type, field_name: "developer", old_value: from, new_value: to }],
		cod_changes: [],
	};
}

/** A project as it stands, without a change. */
export function standing(number: number, developer: string): Changed {
	const change = flip({ number, from: null, to: developer, snapshot: 1 });
	return { ...change, snapshot_id: null, previous_developer: null, changes: [] };
}

export const applied = (developer_changes: number, more: Partial<Applied> = {}): Applied => ({
	id: `applied-${more.snapshot_id ?? 7}`,
	occurred_at: "2026-03-01T06:00:01Z",
	version: 1,
	region: "MISO",
	feed: "miso",
	as_of: "2026-03-01T06:00:00Z",
	rows: 1_000,
	new: 0,
	changed: developer_changes,
	snapshot_id: 7,
	developer_changes,
	last_seq: 1,
	...more,
});
