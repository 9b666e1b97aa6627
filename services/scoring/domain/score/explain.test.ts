import { expect, test } from "vitest";
import { inputs } from "../../../../test/scoring/support/score-inputs.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";
import { version1 } from "./versions/1.ts";

const explained = (changed: Partial<ScoreInputs> = {}, tables = version1) =>
	scoreProject(inputs(changed), tables).explanation;

test("a request with everything known is explained by its three largest contributions", () => {
	expect(explained({ developer_tier: "major_ipp" })).toBe(
		"B (78): interconnection agreement executed and secured (31.5 of 45 points), a clean request (15.0 of 15), " +
			"40 % investment tax credit (12.0 of 15). Score version 1; not investment advice.",
	);
});

test("deductions and what is unknown have sentences of their own", () => {
	const changed = { cod_position: "past", distress: null, high_ic_cost: null } as const;
	expect(explained(changed)).toBe(
		"B (70): interconnection agreement executed and secured (31.5 of 45 points), 40 % investment tax credit (12.0 of 15), " +
			"ERCOT's record of finishing requests (11.1 of 15). Deducted from deal cleanliness: projected date past " +
			"(-15 of 100). Its projected date had passed on the day of the list, so not investable. Unknown: developer tier, developer's distress, interconnection cost. Score version 1; not investment advice.",
	);
});

test("a date that has passed under construction is mentioned, though it costs nothing", () => {
	const text = explained({ cod_position: "past", milestone: "construction", stage: "construction" });
	expect(text).toContain("Its projected date has passed.");
	expect(text).not.toContain("Deducted");
});

test("a region without a usable record is not named as a strength", () => {
	expect(explained({ region: "ISO-NE", milestone: "unstated", credit_rate: 0 })).not.toContain("no usable record");
});

test("of equal contributions the first in the vocabulary is named", () => {
	// Credit and cleanliness bring 15 each, behind the milestone's 31.5.
	expect(explained({ credit_rate: 0.5 })).toContain(
		"50 % investment tax credit (15.0 of 15), a clean request (15.0 of 15).",
	);
});

test.each<[Partial<ScoreInputs>, string]>([
	[{ milestone: "unstated", has_ia: false }, "stage of study"],
	[{ milestone: "agreement_executed" }, "whether security is posted"],
	[{ credit_rate: null, credit_type: null }, "tax credit"],
	[{ queue_age: "unknown" }, "queue date"],
	[{ distress: null }, "developer's distress"],
	[{ high_ic_cost: null }, "interconnection cost"],
	[{ capacity: "missing" }, "capacity"],
	[{ capacity: "not_positive" }, "capacity (filed as zero or less)"],
	[{ capacity: "implausible" }, "capacity (filed as more than 10,000 MW)"],
	[{ region: "ISO-NE" }, "ISO-NE's record of finishing requests (the middle is assumed)"],
])("%j: it is said that this is unknown", (changed, unknown) => {
	expect(explained({ developer_tier: "major_ipp", ...changed })).toContain(`Unknown: ${unknown}. Score version`);
});

test("security that is known not to be posted is not unknown", () => {
	expect(explained({ developer_tier: "pe_fund", milestone: "agreement_unsecured" })).not.toContain("Unknown");
});

test("another version's weights and number are named", () => {
	const weights = { ...version1.weights, milestone_progress: 0.475, iso_posture: 0.125 };
	expect(explained({}, { ...version1, version: 9, weights })).toMatch(
		/\(33\.3 of 47\.5 points\).*Score version 9; not investment advice\.$/,
	);
});
