/** The score of an open request as lists and files show it. */
import { z } from "zod";
import { type Column, chosenColumns, exportTable } from "../columns.ts";
import { day, megawatts, named, share, timestamp, usd } from "../envelopes.ts";
import {
	asOfBases,
	constructionStages,
	creditStatuses,
	creditTypes,
	developerTiers,
	grades,
	regions,
	technologies,
} from "../vocabulary.ts";

/** A scored request in a list. */
export const listed = {
	id: z.string(),
	queue_id: z.string(),
	name: z.string().nullable(),
	region: z.enum(regions),
	state: z.string().nullable(),
	county: z.string().nullable(),
	developer: z.string().nullable().meta({ description: "As filed" }),
	developer_canonical: z.string().nullable(),
	developer_tier: z.enum(developerTiers),
	type_std: z.enum(technologies).or(z.string()),
	capacity_mw: megawatts().nullable(),
	cod: day().nullable(),
	construction_stage: z.enum(constructionStages),
	tax_credit_type: z.enum(creditTypes).nullable(),
	tax_credit_status: z.enum(creditStatuses).nullable(),
	effective_credit_rate: share().nullable(),
	estimated_credit_value: usd().nullable(),
	investability_score: z.int().min(0).max(100),
	grade: z.enum(grades),
	p_built: share(
		"The chance that it is built or advances within 12 months, as /score/{project_id} explains it; null under versions of the score before 3",
	).nullable(),
};

const component = (what: string) =>
	z
		.int()
		.min(0)
		.max(100)
		.meta({ description: `Component: ${what}`, "x-unit": "points" });

export const scoreRow = named("ScoreRow", {
	...listed,
	investable: z.boolean().meta({ description: "Whether it passes the investability rule" }),
	developer_tier_score: component("tier and record of its developer"),
	milestone_progress_score: component("how far it has come"),
	tax_credit_value_score: component("what its tax credit is worth"),
	iso_posture_score: component("how requests of its operator fare"),
	deal_cleanliness_score: component("100 less what speaks against it"),
	p_built_low: share("Lower bound of the 95 % interval of p_built").nullable(),
	p_built_high: share("Upper bound of the 95 % interval of p_built").nullable(),
	confidence: share(
		"As /score/{project_id} explains it, on the day of generated_at; never part of the score",
	).nullable(),
	score_version: z.int().min(1).max(2_147_483_647).meta({ description: "Version of the weights and tables" }),
	inputs_hash: z.string().meta({ description: "SHA-256 of the inputs as canonical JSON" }),
	facts_as_of: day()
		.nullable()
		.meta({ description: "Day of the operator's list that the request stands in: dates are judged by it" }),
	scored_at: timestamp().meta({ description: "When these inputs were first seen" }),
});

/** Its version is raised as that of the projects is. */
export const scoreTable = exportTable("scores", "1.0", scoreRow);

export const basisWords =
	"published: this score of these facts stood published as the day ended; recomputed: the version applied to the day's facts";

/** The same as of a day; `basis` is the last column, then alone. */
export const scoreRowOn = scoreRow.extend({
	basis: z
		.enum(asOfBases)
		.optional()
		.meta({ description: `Of a past day alone. ${basisWords}` }),
});
const basisTable = exportTable("basis", "1.0", scoreRowOn.pick({ basis: true }));

/** Those that a caller chose, of the present or of a day. */
export const chosenScoreColumns = (asked: {
	fields?: readonly string[] | undefined;
	as_of?: string | undefined;
}): readonly Column[] => [
	...chosenColumns(scoreTable, asked.fields),
	...(asked.as_of === undefined ? [] : chosenColumns(basisTable, asked.fields)),
];
