/** Score and chance of a request, with explanation. */
import { z } from "zod";
import { count, day, named, page, quantity, share } from "../../envelopes.ts";
import { gatewayOperation, scoringOperation } from "../../operation.ts";
import { choice, isoDate, listParams, none, several, words } from "../../params.ts";
import { chanceReasons, fittedPeriods, grades, regions, scoreComponents } from "../../vocabulary.ts";
import { exampleId, projectIdParams } from "../projects/project.ts";
import { interconnectionCost } from "./interconnection-cost.ts";
import { chanceMeanings, expectedCredit, pastScore } from "./score-row.ts";

const component = () =>
	z.strictObject({
		score: z.int().min(0).max(100),
		weight: share().describe("Part of the score"),
		value: z.string().describe("Fact that it rests on"),
	});

const chance = named("Chance", {
	value: share(),
	low: share("Lower bound of its 95 % interval"),
	high: share("Upper bound of its 95 % interval"),
	n: count().describe("Past requests of its operator at the same stage"),
});

const inSample = `Whether the version was fitted on lists of that day or later: version ${Object.entries(fittedPeriods)
	.map(([version, { to }]) => `${version} until ${to}`)
	.join(", ")}`;

const score = named("Score", {
	project_id: z.string(),
	investability_score: z.int().min(0).max(100).describe("0 if the request is closed: see scored"),
	grade: z.enum(grades),
	components: z
		.strictObject({
			developer_tier: component(),
			milestone_progress: component(),
			tax_credit_value: component().describe("Points for the tax credit"),
			iso_posture: component(),
			deal_cleanliness: component(),
		})
		.nullable()
		.describe("Null with as_of for a score that was published under a version before 4"),
	explanation: z.string(),
	scored: z.boolean().describe("False for a request that was withdrawn or built, or is not for generation"),
	investable: z.boolean(),
	deductions: z
		.array(z.strictObject({ points: z.int(), reason: z.string() }))
		.describe("Deductions from deal_cleanliness"),
	p_cod_24: chance.nullable().describe(chanceMeanings.p_cod_24),
	p_cod_36: chance.nullable().describe(chanceMeanings.p_cod_36),
	p_energized_24: chance.nullable().describe(chanceMeanings.p_energized_24),
	p_energized_36: chance.nullable().describe(chanceMeanings.p_energized_36),
	p_reason: z
		.enum(chanceReasons)
		.nullable()
		.describe("Why a scored request has no chance; null also for one that is not scored, and for versions before 4"),
	...expectedCredit,
	confidence: share(
		"One minus the width of p_cod_36's interval; if the list is older than three list intervals of the operator, multiplied by those over facts_age_days. Not part of the score",
	).nullable(),
	score_version: z.int().describe("Version of the weights and tables"),
	inputs: z.record(z.string(), z.unknown()).describe("Inputs of the score"),
	inputs_hash: z.string().describe("SHA-256 of the inputs as canonical JSON"),
	facts_as_of: day().nullable().describe("Day of the operator's list with the request: dates are compared with it"),
	facts_age_days: z.int().min(0).nullable().describe("Days since facts_as_of, UTC"),
	interconnection_cost: interconnectionCost
		.nullable()
		.describe("Null, not zero, if no cost is known for the request or its neighbors"),
	scored_at: z.string().meta({
		description: "When these inputs were first seen; with as_of, when they were published",
		format: "date-time",
	}),
	as_of: day().optional().describe("Only with as_of, like the next two"),
	basis: z.literal("published").optional().describe("The score was published when the day ended"),
	in_sample: z.boolean().optional().describe(inSample),
});

const ofDay = {
	as_of: isoDate()
		.optional()
		.describe(
			"The score that was published when this day ended (UTC), in its version at that time; nothing is recomputed",
		),
};

export const getScore = gatewayOperation({
	summary: "A request's investability score, its five components and the reasons.",
	params: z.strictObject({ ...projectIdParams, ...ofDay }),
	reply: score,
	http: { method: "GET", path: "/score/{project_id}", price: "standard" },
	example: { project_id: exampleId },
});

export const readScore = scoringOperation({
	summary: "The score of the request with this id: bus-only.",
	params: z.strictObject({ project_id: words().describe("Id"), ...ofDay }),
	reply: score,
	// The age of cached responses is limited, because inputs without a stored score are computed at each call.
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

export const getScoreHistory = gatewayOperation({
	summary:
		"Published scores of a request, with the inputs that changed: the newest 1,000 that were current at the end of a day.",
	params: listParams(
		{
			...projectIdParams,
			...historyParams,
		},
		200,
	),
	reply: scoreHistory,
	http: { method: "GET", path: "/score/{project_id}/history", price: "standard" },
	example: { project_id: exampleId },
	noPast: "It returns the past itself: each row has its day.",
});

export const readScoreHistory = scoringOperation({
	summary: "The changes of the score of the request with this id: bus-only.",
	params: listParams({ project_id: words().describe("Id"), ...historyParams }, 200),
	reply: scoreHistory,
});

export const readScoresOn = scoringOperation({
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
			.array(z.strictObject({ developer_id: z.int(), needs_capital: z.boolean().nullable() }))
			.describe("Developers of the requests with a known rating on that day; without ids, all developers"),
		data: z.array(pastScore),
	}),
});

const reliability = {
	requests: count(),
	predicted: share("Mean stated chance").nullable(),
	observed: share("Share that came to operate").nullable(),
	calibration_error: share("Mean distance of the two over ten groups by rising chance").nullable(),
	area: share("Area under the curve").nullable(),
	area_by_date: share("Area by the projected date alone").nullable(),
	area_by_milestone: share("Area by the milestone alone").nullable(),
};
const groups = z.array(
	z.strictObject({ n: count(), predicted: share("Mean chance"), observed: share("Share that came to operate") }),
);
const judgedGroup = z.strictObject({
	...reliability,
	monotone: z.boolean().describe("False if an observed share is over two standard errors below the one before"),
	groups,
});

export const getScoreBacktest = scoringOperation({
	summary:
		"Backtest of p_cod_24 and p_energized_24 on days outside their sample: reliability by operator and day, beside the projected date and the milestone alone.",
	params: none,
	reply: z.strictObject({
		score_version: z.int(),
		fitted: z
			.array(z.strictObject({ region: z.enum(regions), from: day(), to: day(), requests: count() }))
			.describe("Lists (first and last) and requests that the model was fitted on"),
		reference: z
			.array(
				z.strictObject({
					stage: z.string(),
					months: z.int().describe("Months followed"),
					requests: count(),
					energized: share(),
					commercial: share("Share in commercial operation"),
				}),
			)
			.describe("What became of ERCOT's requests by stage, counted"),
		origins: z
			.array(
				z.strictObject({
					region: z.enum(regions),
					outcome: z.enum(["commercial", "energized"]).describe("What is predicted"),
					from: day(),
					months: quantity("months", "Months that were followed: 24, or as many as the lists allow from 20 on"),
					basis: z
						.enum(["operator", "others"])
						.describe("Whether any outcome of the operator itself was known on that day"),
					...reliability,
					top_predicted: share("Mean chance of the last group").nullable(),
					top_observed: share("Observed share of the last group").nullable(),
				}),
			)
			.describe("Days that were tested, each with the model fitted on what was known on it"),
		operators: z.array(
			z.strictObject({
				region: z.enum(regions),
				...judgedGroup.shape,
				by_operator: count().describe("Requests in operation by the operator's lists"),
				by_eia: count().describe("Requests in operation by the EIA alone"),
			}),
		),
		overall: judgedGroup,
		by_chance: z
			.array(
				z.strictObject({
					from: share("Least stated chance"),
					to: share("Below this one"),
					requests: count(),
					came: count().describe("Came to operate"),
				}),
			)
			.describe("All operators' requests by stated chance"),
		late_energized: judgedGroup.describe("p_energized_24 of ERCOT's requests with an agreement, not yet energized"),
		left_out: z
			.array(
				z.strictObject({
					region: z.enum(regions),
					from: day(),
					months: quantity("months", "Months followed"),
					...reliability,
				}),
			)
			.describe("Operators by the model that was fitted without them"),
		reported: z
			.array(
				z.strictObject({
					region: z.enum(regions),
					from: day(),
					months: quantity("months", "Months followed"),
					agreed: z.boolean().describe("With an agreement"),
					requests: count(),
					predicted: share("Mean chance without the report"),
					predicted_reported: share("Mean chance with it"),
					came: count().describe("Came to operate"),
				}),
			)
			.describe("Requests whose plant the EIA had under construction"),
		cannot_know: z.array(z.string()).describe("What no chance takes into account; Markdown"),
		limits: z.array(z.string()).describe("What limits the model and its test; Markdown"),
	}),
	http: { method: "GET", path: "/scores/backtest", price: "free" },
	noPast: "It belongs to its version of the score and does not change.",
});
