import { expect, test } from "vitest";
import { changeSentence } from "./change-sentence.ts";

type Change = Parameters<typeof changeSentence>[0];

const sentence = (change_type: string, field_name: string | null, old_value: string | null, new_value: string | null) =>
	changeSentence({ change_type, field_name, old_value, new_value } as Change);

test("a change is described by a sentence", () => {
	const parts = (...mw: (number | null)[]) =>
		JSON.stringify(["Solar", "Storage"].map((type_std, at) => ({ type_std, capacity_mw: mw[at] })));
	expect([
		sentence("new_project", null, null, "Active"),
		sentence("status_change", "status", "Active", "Withdrawn"),
		sentence("capacity_change", "capacity_mw", "200", "150.5"),
		sentence("capacity_change", "capacity_mw", null, "150"),
		sentence("cod_change", "cod", "2027-01-01", "2028-06-01"),
		sentence("cod_change", "cod", "2027-06-30", "2027-05-31"),
		sentence("cod_change", "cod", "2027-06-30", null),
		sentence("component_change", "components", parts(100, 50), parts(100, null)),
		sentence("disappeared", "missing_since", null, "2026-06-29T00:00:00Z"),
		sentence("correction", "missing_since", "2026-06-29T00:00:00Z", null),
		sentence("evidence_update", "status_std", "Active", "Operational"),
		sentence("raw_update", "FIS Approved", null, "2024-01-17"),
		sentence("field_update", "security_posted", "false", "true"),
		sentence("field_update", "requests", null, "5229 requests newly listed"),
	]).toEqual([
		"New request",
		"Status changed from Active to Withdrawn",
		"Capacity reduced from 200 MW to 150.5 MW",
		"Capacity: 150 MW",
		"Projected operation moved from 2027-01-01 to 2028-06-01, 17 months later",
		"Projected operation moved from 2027-06-30 to 2027-05-31, 1 month earlier",
		"Projected operation no longer stated (was 2027-06-30)",
		"Parts changed from Solar 100 MW + Storage 50 MW to Solar 100 MW + Storage",
		"Missing from the operator's list of 2026-06-29",
		"Corrected: back in the operator's list",
		"Status changed from Active to Operational, according to a source other than the list",
		"Column “FIS Approved”: 2024-01-17",
		"Security posted",
		"5229 requests newly listed",
	]);
});
