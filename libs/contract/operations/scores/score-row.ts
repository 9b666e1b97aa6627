/** The score of an open request in lists, files and responses as of a past day. */
import { z } from "zod";
import { count, day, megawatts, named, share, timestamp, usd } from "../../envelopes.ts";
import { defineExportTable } from "../../exports/columns.ts";
import { project, type ScoredField, scoredFields } from "../../records/project.ts";
import {
	type ChanceName,
	chanceNames,
	chanceReasons,
	constructionStages,
	creditStatuses,
	creditTypes,
	developerTiers,
	grades,
	regions,
	technologies,
} from "../../vocabulary.ts";

export const chanceMeanings: Readonly<Record<ChanceName, string>> = {
	p_cod_24: "Share of such active requests that operates, at least in part, within 24 months",
	p_cod_36: "Share of such active requests that operates, at least in part, within 36 months",
	p_energized_24: "Share that is energized within 24 months; ERCOT only",
	p_energized_36: "Share that is energized within 36 months; ERCOT only",
};

export type ChanceColumn = ChanceName | `${ChanceName}_low` | `${ChanceName}_high`;

const chanceColumn = (text: string) => share(text).nullable();
/** A column for each chance and for the bounds of its interval. */
const chanceColumns = Object.fromEntries(
	chanceNames.flatMap((name) => [
		[name, chanceColumn(chanceMeanings[name])],
		[`${name}_low`, chanceColumn("Lower 95 % bound")],
		[`${name}_high`, chanceColumn("Upper 95 % bound")],
	]),
) as Record<ChanceColumn, ReturnType<typeof chanceColumn>>;

/** The value of a credit, weighted with the chance of its request. */
export const expectedCredit = {
	p_credit: share(
		"Chance of operation in time for the credit: by 2027-12-31 for wind and solar without known construction by 2026-07-04, else p_cod_36. FEOC is not judged",
	).nullable(),
	expected_credit_value: usd("p_credit x estimated_credit_value").nullable(),
};

/** Sums over active requests. */
export const activeCredits = z.strictObject({
	requests: count().describe("Requests whose credit has a value"),
	value: usd("Unweighted: as if every plant were built in time"),
	expected_value: usd("Weighted: each value times its p_credit, as expected_credit_value of /deals/itc"),
	without_chance_value: usd("Part of `value` of requests without a p_credit, which expected_value leaves out"),
});

export const listed = {
	id: z.string(),
	queue_id: z.string(),
	name: z.string().nullable(),
	region: z.enum(regions),
	state: z.string().nullable(),
	county: z.string().nullable(),
	developer: z.string().nullable().describe("As filed"),
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
	...expectedCredit,
	investability_score: z.int().min(0).max(100),
	grade: z.enum(grades),
	...chanceColumns,
	comparable_requests: count().nullable().describe("Past requests of its operator at the same stage"),
	p_reason: z.enum(chanceReasons).nullable().describe("Why there is no chance"),
};

/** Criteria of `/investable` in the order in which a request is tested. */
export const missedCriteria = {
	suspended: z.int().describe("Suspended"),
	no_agreement: z.int().describe("None is executed"),
	no_date: z.int().describe("None is filed"),
	date_passed: z.int().describe("On the list's day"),
	date_passed_since: z.int().describe("By today"),
	date_too_far: z.int().describe("Past max_months"),
	too_small: z.int().describe("Or not known"),
	no_chance: z.int().describe("None is stated"),
	chance_too_low: z.int().describe("Below min_p"),
};

const component = (what: string) =>
	z
		.int()
		.min(0)
		.max(100)
		.nullable()
		.meta({ description: `Component: ${what}`, "x-unit": "points" });

export const scoreRow = named("ScoreRow", {
	...listed,
	investable: z.boolean().describe("Whether it passes the investability rule"),
	developer_tier_score: component("tier and record of its developer"),
	milestone_progress_score: component("progress"),
	tax_credit_value_score: component("value of its tax credit"),
	iso_posture_score: component("record of its operator's requests"),
	deal_cleanliness_score: component("100 less deductions"),
	confidence: share("As in /score/{project_id}, on the day of generated_at or as_of; not part of the score").nullable(),
	score_version: z.int().min(1).max(2_147_483_647).describe("Version of the weights and tables"),
	inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
	facts_as_of: day().nullable().describe("Day of the operator's list with the request, from which chances count"),
	scored_at: timestamp().describe("When these inputs were first seen; with as_of, when they were published"),
});

/** The version changes as `projectSchemaVersion` does. */
export const scoreTable = defineExportTable("scores", "2.1", scoreRow);

const scored = Object.fromEntries(scoredFields.map((name) => [name, project.shape[name]]));

/** The fields that scoring adds to a request, named as in `/projects`. */
export const pastScore = named("PastScore", {
	id: z.string(),
	...(scored as Pick<typeof project.shape, ScoredField>),
	score_basis: z.literal("published"),
	score_version: count(),
});
export type PastScore = z.output<typeof pastScore>;
