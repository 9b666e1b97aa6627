/** How likely and how attractive a request is, and why (specification 2.3). */
import { z } from "zod";
import { count, day, named, page, share } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { choice, integer, isoDate, listParams, refuse, several, words } from "../../params.ts";
import { chanceBases, fittedPeriods, grades, regions, scoreComponents } from "../../vocabulary.ts";
import { aProject, requestParams } from "../projects/project.ts";
import { interconnectionCost } from "./interconnection-cost.ts";
import { pastScore } from "./score-row.ts";

const component = () =>
	z.strictObject({
		score: z.int().min(0).max(100),
		weight: share().describe("The five weights sum to 1"),
		value: z.string().describe("What the score was given for"),
	});

const outcomeCounts = {
	requests: count(),
	built: count().describe("In operation by the later list"),
	advancing: count().describe(
		"In the later list under construction, or with an executed agreement and a projected date not past",
	),
	waiting: count().describe("Still in the later list, neither built nor advancing; or suspended"),
	lost: count().describe("Withdrawn by the later list, or no longer in it"),
};

const chance = named("BuildChance", {
	value: share("The chance of built or advancing"),
	low: share("Lower bound of its 95 % interval"),
	high: share("Upper bound of its 95 % interval"),
	horizon_months: z.int().describe("Months from the day of the list to the day the chance is for"),
	definition: z.string(),
	kind: z.string().describe("The requests that it is counted among"),
	basis: z
		.enum(chanceBases)
		.describe(
			"operator: its own record of such requests weighs more; pooled: it has fewer than 20 of them, or fewer than 200 in all, and the rate of all operators weighs more",
		),
	operator: z
		.strictObject(outcomeCounts)
		.nullable()
		.describe("Counted in the operator's recent lists; null where it has no record of its own"),
	pooled: z.strictObject({
		...outcomeCounts,
		value: share("The rate that few counts are drawn towards"),
		weight: count().describe("For how many requests that rate counts beside the operator's own"),
	}),
});

const inSample = `Whether the version was fitted on lists of that day or later. Fitted on lists of ${Object.entries(
	fittedPeriods,
)
	.map(([version, { from, to }]) => `${from} to ${to} (version ${version})`)
	.join(", ")}`;

const score = named("Score", {
	project_id: z.string(),
	investability_score: z.int().min(0).max(100).describe("0 where the request is closed: see scored"),
	grade: z.enum(grades),
	components: z.strictObject({
		developer_tier: component(),
		milestone_progress: component(),
		tax_credit_value: component(),
		iso_posture: component(),
		deal_cleanliness: component(),
	}),
	explanation: z.string(),
	scored: z.boolean().describe("False for a request that was withdrawn or built, or is none for generation"),
	investable: z.boolean(),
	deductions: z
		.array(z.strictObject({ points: z.int(), reason: z.string() }))
		.describe("What deal_cleanliness lost points for"),
	p_built: chance.nullable().describe("Null of a request that is not scored, and under versions of the score before 3"),
	confidence: share(
		"One less the width of p_built's interval, times three list intervals of the operator over facts_age_days where the list is older than those. Never part of the score",
	).nullable(),
	score_version: z.int().describe("Version of the weights and tables"),
	inputs: z.record(z.string(), z.unknown()).describe("What the score was computed from"),
	inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
	facts_as_of: day()
		.nullable()
		.describe("Day of the operator's list that the request stands in: dates are judged by it"),
	facts_age_days: z.int().min(0).nullable().describe("Days from then to now, UTC"),
	interconnection_cost: interconnectionCost
		.nullable()
		.describe("Null where no cost is known, neither its own nor of neighbours: that is not zero"),
	scored_at: z.string().meta({
		description: "When these inputs were first seen; as of a past day, when they were published",
		format: "date-time",
	}),
	as_of: day().optional().describe("Of a past day alone, as the next two"),
	basis: z.literal("published").optional().describe("The score stood published as the day ended"),
	in_sample: z.boolean().optional().describe(inSample),
});

const scoreVersion = () =>
	integer(1, Math.max(...Object.keys(fittedPeriods).map(Number)))
		.optional()
		.describe("Version of the weights and tables; the one that is served when absent");

const ofDay = {
	as_of: isoDate()
		.optional()
		.describe(
			"The score that stood published as this day ended (UTC), under the version of then: nothing is computed anew",
		),
	score_version: scoreVersion(),
};

function publishedVersion(
	{ as_of, score_version }: { as_of?: string | undefined; score_version?: number | undefined },
	context: z.RefinementCtx,
) {
	if (as_of !== undefined && score_version !== undefined)
		refuse(context, "score_version", "does not go with as_of: the version is the one that was published");
}

export const getScore = operation({
	owner: "gateway",
	summary: "A request's investability score, its five components and the reasons.",
	params: z.strictObject({ ...requestParams, ...ofDay }).superRefine(publishedVersion),
	reply: score,
	http: { method: "GET", path: "/score/{project_id}", price: "standard" },
	example: { project_id: aProject },
});

export const readScore = operation({
	owner: "scoring",
	summary: "The score of the request with this id: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id"), ...ofDay }).superRefine(publishedVersion),
	reply: score,
	// For a request without a score the inputs are computed at the call.
	maxAgeMs: 300_000,
});

const difference = named("InputDifference", { name: z.string(), old: z.unknown(), new: z.unknown() });

const scoreHistory = page(
	z.strictObject({
		day: day().describe("It stood from the end of this day on"),
		until: day().nullable().describe("At the end of this day it did not stand any more; null: it stands"),
		investability_score: z.int().min(0).max(100),
		grade: z.enum(grades),
		investable: z.boolean(),
		score_version: z.int().describe("Version of the weights and tables"),
		inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
		in_sample: z.boolean().describe("See /score/{project_id}"),
		inputs: z.array(difference).describe("Inputs of the score that differ from the one before; none of the first"),
		components: z
			.partialRecord(z.enum(scoreComponents), z.int().min(-100).max(100))
			.describe("Of the components that differ by how many points of their 100"),
	}),
);

const historyParams = {
	order: choice(["asc", "desc"]).default("desc").describe("By day: newest first, or oldest first"),
};

export const getScoreHistory = operation({
	owner: "gateway",
	summary:
		"What was published of a request's score, with the inputs that moved it: the 1,000 newest scores that stood at the end of a day.",
	params: listParams(
		{
			...requestParams,
			...historyParams,
		},
		200,
	),
	reply: scoreHistory,
	http: { method: "GET", path: "/score/{project_id}/history", price: "standard" },
	example: { project_id: aProject },
	noPast: "It is the past itself: each row has its day.",
});

export const readScoreHistory = operation({
	owner: "scoring",
	summary: "The changes of the score of the request with this id: bus-only.",
	params: listParams({ project_id: words().describe("Id"), ...historyParams }, 200),
	reply: scoreHistory,
});

export const readScoresOn = operation({
	owner: "scoring",
	summary: "Scores that stood published when a day ended, of requests by id or of all of an operator: bus-only.",
	params: z
		.strictObject({
			as_of: isoDate().describe("The day"),
			id: several(words(1, 80), 500).optional().describe("Ids of requests"),
			region: choice(regions).optional().describe("The operator, where no ids are given"),
		})
		.refine(({ id, region }) => (id === undefined) !== (region === undefined), "either id or region"),
	reply: z.strictObject({
		developers: z
			.array(z.strictObject({ developer_id: z.int(), needs_capital: z.boolean() }))
			.describe("Those whose rating of that day is known, of the requests; without ids all"),
		data: z.array(pastScore),
	}),
});

const reliability = {
	requests: count(),
	predicted: share("Mean chance as it was stated").nullable(),
	observed: share("Part that was built or advancing").nullable(),
	calibration_error: share("Mean distance of the two over ten groups by rising chance").nullable(),
	area: share("Area under the curve, over pairs of requests of one region and day").nullable(),
};
const groups = z.array(
	z.strictObject({ n: count(), predicted: share("Mean chance"), observed: share("Part that was built or advancing") }),
);
const monotone = z.boolean().describe("The observed part never falls from a group to the next");
const lists = { region: z.enum(regions), from: day(), to: day() };

export const getScoreBacktest = operation({
	owner: "scoring",
	summary:
		"How p_built held on days that it had not seen: reliability by operator and by day, and the lists it was counted on.",
	params: z.strictObject({}),
	reply: z.strictObject({
		score_version: z.int(),
		horizon_months: z.int(),
		definition: z.string(),
		fitted: z
			.array(z.strictObject({ ...lists, requests: count() }))
			.describe("Pairs of lists that the table of the version is counted on"),
		origins: z
			.array(z.strictObject({ ...lists, basis: z.enum(chanceBases), ...reliability }))
			.describe("Days that were judged, each by what was known on it"),
		overall: z.strictObject({
			...reliability,
			monotone,
			groups,
			interval_coverage: share(
				"Of kinds of 100 requests and more, the part that came to lie within its interval",
			).nullable(),
		}),
		operators: z.array(z.strictObject({ region: z.enum(regions), ...reliability, monotone, groups })),
		areas: z.array(
			z.strictObject({
				outcome: z.enum(["reached", "kept"]).describe("reached: built or advancing; kept: built or open"),
				by: z.string().describe("What orders the requests"),
				all_pairs: share().nullable(),
				pairs_of_one_region: share("Of one region and day").nullable(),
			}),
		),
		at_65: z
			.array(
				z.strictObject({
					region: z.enum(regions),
					requests: count(),
					predicted: share().nullable(),
					observed: share().nullable(),
				}),
			)
			.describe("Requests that scored 65 or more"),
	}),
	http: { method: "GET", path: "/scores/backtest", price: "free" },
	example: {},
	noPast: "It stays as it was made with its version of the score.",
});
