import { expect, test } from "vitest";
import { inputs, tablesWith } from "../../../../test/scoring/support/score-inputs.ts";
import { scoreProject } from "./score-project.ts";
import type { ScoreInputs } from "./tables.ts";

const explained = (changed: Partial<ScoreInputs> = {}, tables = tablesWith(0.6)) =>
	scoreProject(inputs(changed), tables).explanation;

test("a request with everything known is explained by its three largest contributions", () => {
	expect(explained({ developer_tier: "major_ipp" })).toBe(
		"A (67): interconnection agreement executed and secured: operates within 36 months with a chance of 0.60 (0.39 to 0.78), based on 300 ERCOT requests at the same stage (42.0 of 70 points), a clean request (10.0 of 10), " +
			"40 % investment tax credit (8.0 of 10). Chance of operating within 36 months: 0.60 (0.39 to 0.78). Score version 7; not investment advice.",
	);
});

test.each<[Partial<ScoreInputs>, string]>([
	[{ cod_position: "past" }, "Its projected date had passed on the day of the list, so not investable."],
	[{ cod_position: "passed_since" }, "Its projected date has passed since the day of the list, so not investable:"],
	[
		{ cod_position: "overdue" },
		"Its projected date has passed, and a later list of the EIA has the plant under construction.",
	],
	[{ cod_position: "none", cod: null }, "No projected date, so not investable."],
	[{ has_ia: false }, "No executed agreement, so not investable."],
	[{ status: "Suspended" }, "Suspended, so not investable."],
	[{ cod: "2032-01-01" }, "Not investable: its projected date lies too far ahead."],
	[{ incremental_mw: 4.9 }, "Not investable: it adds too little capacity."],
])("%j: the explanation says what its date or its status means for investors", (changed, sentence) => {
	expect(explained(changed)).toContain(sentence);
});

test("a chance below the criterion is named, and for an operator without outcomes no chance is", () => {
	expect(explained({}, tablesWith(0.4))).toContain(
		"Not investable: its chance of operating within 36 months is too low.",
	);
	expect(explained({ region: "NYISO" })).toContain(
		"Too few past requests of NYISO were followed to state a chance, so not investable.",
	);
});

test.each<[Partial<ScoreInputs>, string]>([
	[{ milestone: "unstated", has_ia: false }, "stage of study"],
	[{ milestone: "agreement_executed" }, "whether security is posted"],
	[{ credit_rate: null, credit_type: null }, "tax credit"],
	[{ distress: null }, "developer's distress"],
	[{ high_ic_cost: null }, "interconnection cost"],
	[{ capacity: "missing" }, "capacity"],
	[{ capacity: "not_positive" }, "capacity (filed as zero or less)"],
	[{ capacity: "implausible" }, "capacity (filed as more than 10,000 MW)"],
])("%j: the explanation states that this is unknown", (changed, unknown) => {
	expect(explained({ developer_tier: "major_ipp", ...changed })).toContain(`Unknown: ${unknown}. Score version`);
});

test("security known not to be posted is not reported as unknown", () => {
	expect(explained({ developer_tier: "pe_fund", milestone: "agreement_unsecured" })).not.toContain("Unknown");
});
