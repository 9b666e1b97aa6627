import { expect, test } from "vitest";
import { projectChanged } from "./queue-ingest.ts";

/** As published before scores existed: without `cod_changes`, and its project without `tax_credit_status`. */
const before = {
	id: "project.changed:ERCOT-24INR0001:3",
	occurred_at: "2026-03-01T06:00:00Z",
	version: 3,
	as_of: "2026-03-01T06:00:00Z",
	snapshot_id: 12,
	previous_developer: { filed: null, canonical: null },
	changes: [{ seq: 41, change_type: "status_change", field_name: "status_std", old_value: null, new_value: "Active" }],
	project: {
		id: "ERCOT-24INR0001",
		queue_id: "24INR0001",
		name: "Bell Solar",
		region: "ERCOT",
		state: "TX",
		county: "Bell",
		counties: ["Bell"],
		fips: "48027",
		developer: null,
		developer_tier: "unknown",
		developer_id: null,
		developer_canonical: null,
		type: "Solar",
		type_std: "Solar",
		kind: "generation",
		status: "Active",
		status_std: "Active",
		status_flag: null,
		capacity_mw: 100.5,
		summer_mw: null,
		winter_mw: null,
		queue_date: "2024-01-15",
		cod: "2027-12-31",
		actual_cod: null,
		withdrawn_date: null,
		ia_date: null,
		backfeed_date: null,
		energized_date: null,
		security_posted: null,
		construction_stage: "early",
		construction_stage_confidence: 0.8,
		study_phase: "SIS",
		study_phase_filed: "SS Completed",
		ia_status: "System Impact Study",
		ia_status_filed: null,
		poi: "Bell 138 kV",
		utility: null,
		cluster: null,
		service: null,
		lat: 31,
		lon: -97,
		location_precision: "county",
		energy_community_eligible: null,
		low_income_eligible: null,
		domestic_content_eligible: null,
		tax_credit_type: null,
		tax_credit_pct: null,
		estimated_credit_value: null,
		effective_credit_rate: null,
		needs_capital: null,
		investable: null,
		investability_score: null,
		feed: "ercot",
		first_seen_at: "2026-01-01T06:00:00Z",
		last_changed_at: "2026-03-01T06:00:00Z",
		missing_since: null,
		version: 3,
	},
};

test("project.changed in the form before scores is still accepted: no changes of the date are known, no credit, and it is listed", () => {
	expect(projectChanged.payload.parse(before)).toEqual({
		...before,
		cod_changes: [],
		project: {
			...before.project,
			tax_credit_status: null,
			listed: "listed",
			domestic_content_basis: null,
			status_basis: null,
			status_evidence: null,
			components: [],
		},
	});
});

test("project.changed that lacks what was always said is refused", () => {
	const { investability_score, ...project } = before.project;
	expect(projectChanged.payload.safeParse({ ...before, project }).success).toBe(false);
});
