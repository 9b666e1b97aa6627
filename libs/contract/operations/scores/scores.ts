/** Score and chance of a request, with explanation (specification 2.3). */
import { z } from "zod";
import { count, day, named, page, share } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { choice, integer, isoDate, listParams, none, refuse, several, words } from "../../params.ts";
import { chanceBases, fittedPeriods, grades, regions, scoreComponents } from "../../vocabulary.ts";
import { exampleId, requestParams } from "../projects/project.ts";
import { interconnectionCost } from "./interconnection-cost.ts";
import { pastScore } from "./score-row.ts";

const component = () =>
	z.strictObject({
		score: z.int().min(0).max(100),
		weight: share().describe("The five weights sum to 1"),
		value: z.string().describe("Fact that the score is based on"),
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
		.describe("Counts of the operator's recent lists; null if it has no own record"),
	pooled: z.strictObject({
		...outcomeCounts,
		value: share("Rate of all operators"),
		weight: count().describe("Number of requests by which the pooled rate is weighted, beside the operator's own"),
	}),
});

const inSample = `Whether the version was fitted on lists of that day or later. Fitted on lists of ${Object.entries(
	fittedPeriods,
)
	.map(([version, { from, to }]) => `${from} to ${to} (version ${version})`)
	.join(", ")}`;

const score = named("Score", {
	project_id: z.string(),
	investability_score: z.int().min(0).max(100).describe("0 if the request is closed: see scored"),
	grade: z.enum(grades),
	components: z.strictObject({
		developer_tier: component(),
		milestone_progress: component(),
		tax_credit_value: component(),
		iso_posture: component(),
		deal_cleanliness: component(),
	}),
	explanation: z.string(),
	scored: z.boolean().describe("False for a request that was withdrawn or built, or is not for generation"),
	investable: z.boolean(),
	deductions: z
		.array(z.strictObject({ points: z.int(), reason: z.string() }))
		.describe("Deductions from deal_cleanliness"),
	p_built: chance.nullable().describe("Null for a request that is not scored, and for versions of the score before 3"),
	confidence: share(
		"One minus the width of p_built's interval; if the list is older than three list intervals of the operator, multiplied by those over facts_age_days. Not part of the score",
	).nullable(),
	score_version: z.int().describe("Version of the weights and tables"),
	inputs: z.record(z.string(), z.unknown()).describe("Inputs of the score"),
	inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
	facts_as_of: day().nullable().describe("Day of the operator's list with the request: dates are compared with it"),
	facts_age_days: z.int().min(0).nullable().describe("Days since facts_as_of, UTC"),
	interconnection_cost: interconnectionCost
		.nullable()
		.describe("Null, not zero, if no cost is known for the request or its neighbours"),
	scored_at: z.string().meta({
		description: "When these inputs were first seen; with as_of, when they were published",
		format: "date-time",
	}),
	as_of: day().optional().describe("Only with as_of, like the next two"),
	basis: z.literal("published").optional().describe("The score was published when the day ended"),
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
			"The score that was published when this day ended (UTC), in its version at that time; nothing is recomputed",
		),
	score_version: scoreVersion(),
};

function publishedVersion(
	{ as_of, score_version }: { as_of?: string | undefined; score_version?: number | undefined },
	context: z.RefinementCtx,
) {
	if (as_of !== undefined && score_version !== undefined)
		refuse(context, "score_version", "cannot be combined with as_of: the version is the one that was published");
}

export const getScore = operation({
	owner: "gateway",
	summary: "A request's investability score, its five components and the reasons.",
	params: z.strictObject({ ...requestParams, ...ofDay }).superRefine(publishedVersion),
	reply: score,
	http: { method: "GET", path: "/score/{project_id}", price: "standard" },
	example: { project_id: exampleId },
});

export const readScore = operation({
	owner: "scoring",
	summary: "The score of the request with this id: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id"), ...ofDay }).superRefine(publishedVersion),
	reply: score,
	// Without a stored score, inputs are computed at the call.
	maxAgeMs: 300_000,
});

const difference = named("InputDifference", { name: z.string(), old: z.unknown(), new: z.unknown() });

const scoreHistory = page(
	z.strictObject({
		day: day().describe("Day (UTC) at whose end the score was first published"),
		until: day().nullable().describe("Day at whose end it was no longer published; null if it is current"),
		investability_score: z.int().min(0).max(100),
		grade: z.enum(grades),
		investable: z.boolean(),
		score_version: z.int().describe("Version of the weights and tables"),
		inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
		in_sample: z.boolean().describe("See /score/{project_id}"),
		inputs: z.array(difference).describe("Inputs that differ from the previous score; none for the first"),
		components: z
			.partialRecord(z.enum(scoreComponents), z.int().min(-100).max(100))
			.describe("Change of each component that differs, in points of 100"),
	}),
);

const historyParams = {
	order: choice(["asc", "desc"]).default("desc").describe("By day: newest first, or oldest first"),
};

export const getScoreHistory = operation({
	owner: "gateway",
	summary:
		"Published scores of a request, with the inputs that changed: the newest 1,000 that were current at the end of a day.",
	params: listParams(
		{
			...requestParams,
			...historyParams,
		},
		200,
	),
	reply: scoreHistory,
	http: { method: "GET", path: "/score/{project_id}/history", price: "standard" },
	example: { project_id: exampleId },
	noPast: "It returns the past itself: each row has its day.",
});

export const readScoreHistory = operation({
	owner: "scoring",
	summary: "The changes of the score of the request with this id: bus-only.",
	params: listParams({ project_id: words().describe("Id"), ...historyParams }, 200),
	reply: scoreHistory,
});

export const readScoresOn = operation({
	owner: "scoring",
	summary: "Scores that were published when a day ended, for requests by id or for all of an operator: bus-only.",
	params: z
		.strictObject({
			as_of: isoDate().describe("The day"),
			id: several(words(1, 80), 500).optional().describe("Ids of requests"),
			region: choice(regions).optional().describe("The operator, if no ids are given"),
		})
		.refine(({ id, region }) => (id === undefined) !== (region === undefined), "requires either id or region"),
	reply: z.strictObject({
		developers: z
			.array(z.strictObject({ developer_id: z.int(), needs_capital: z.boolean() }))
			.describe("Developers of the requests with a known rating on that day; without ids, all developers"),
		data: z.array(pastScore),
	}),
});

const reliability = {
	requests: count(),
	predicted: share("Mean predicted chance").nullable(),
	observed: share("Share that was built or advancing").nullable(),
	calibration_error: share("Mean distance of the two over ten groups by rising chance").nullable(),
	area: share("Area under the curve, over pairs of requests of one region and day").nullable(),
};
const groups = z.array(
	z.strictObject({ n: count(), predicted: share("Mean chance"), observed: share("Share that was built or advancing") }),
);
const monotone = z.boolean().describe("Whether the observed share never decreases from one group to the next");
const lists = { region: z.enum(regions), from: day(), to: day() };

export const getScoreBacktest = operation({
	owner: "scoring",
	summary:
		"Backtest of p_built on days outside its sample: reliability by operator and day, and the lists it was fitted on.",
	params: none,
	reply: z.strictObject({
		score_version: z.int(),
		horizon_months: z.int(),
		definition: z.string(),
		fitted: z
			.array(z.strictObject({ ...lists, requests: count() }))
			.describe("Pairs of lists that the version was fitted on"),
		origins: z
			.array(z.strictObject({ ...lists, basis: z.enum(chanceBases), ...reliability }))
			.describe("Days that were tested, each with the data known on it"),
		overall: z.strictObject({
			...reliability,
			monotone,
			groups,
			interval_coverage: share(
				"Among kinds with at least 100 requests, the share whose outcome was within its interval",
			).nullable(),
		}),
		operators: z.array(z.strictObject({ region: z.enum(regions), ...reliability, monotone, groups })),
		areas: z.array(
			z.strictObject({
				outcome: z.enum(["reached", "kept"]).describe("reached: built or advancing; kept: built or open"),
				by: z.string().describe("Score that orders the requests"),
				all_pairs: share().nullable(),
				pairs_of_one_region: share("Only pairs of one region and day").nullable(),
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
			.describe("Requests with a score of at least 65"),
	}),
	http: { method: "GET", path: "/scores/backtest", price: "free" },
	example: {},
	noPast: "It belongs to its version of the score and does not change.",
});
