/** How likely and how attractive a request is, and why (specification 2.3). */
import { z } from "zod";
import { count, day, named, page, share } from "../../envelopes.ts";
import { afterEvent, eventStreamText, eventStreamType, keptEvents } from "../../events/event-stream.ts";
import { projectScored } from "../../events/scoring.ts";
import { exportAnswer, exportManifest, fileParams, fitsFormat, manifestOf } from "../../exports/files.ts";
import { operation } from "../../operation.ts";
import { choice, decimal, fields, flag, integer, isoDate, listParams, refuse, several, words } from "../../params.ts";
import { domesticContent } from "../../records/project.ts";
import {
	chanceBases,
	domesticContentBases,
	fittedPeriods,
	grades,
	regions,
	scoreComponents,
} from "../../vocabulary.ts";
import { asOf } from "../as-of.ts";
import { aProject, consistent, projectFilters, requestParams } from "../projects/project.ts";
import { interconnectionCost } from "./interconnection-cost.ts";
import { listed, scoreRow } from "./score-row.ts";

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

export const resolveProject = operation({
	owner: "queue-ingest",
	summary: "The id of the request that a caller means by any number it was ever filed under: bus-only.",
	params: z.strictObject(requestParams),
	reply: z.strictObject({ id: z.string() }),
});

/** Scored are open, listed requests for generation. */
const {
	population: _,
	listed: __,
	include_unlisted: ___,
	status: filedStatus,
	investable,
	...filters
} = projectFilters;
const scoredFilters = {
	...filters,
	technology: words().optional().describe("Any part of type_std, in any case; fuel_type is exact"),
};

const scoreExportParams = z
	.strictObject({
		...scoredFilters,
		status: filedStatus,
		investable,
		...asOf,
		...fileParams(scoreRow, ["id"], "id"),
	})
	.superRefine(fitsFormat)
	.superRefine(consistent);

export const exportScores = operation({
	owner: "scoring",
	summary:
		"The score of every open request with its components and its chance, all that the filters choose, in one file: CSV with a header row, Parquet or JSON.",
	params: scoreExportParams,
	http: { method: "GET", path: "/export/scores", price: "pro" },
	example: { state: "TX", limit: 10 },
	...exportAnswer,
});

export const getScoresExportManifest = manifestOf(
	exportScores,
	exportManifest,
	"What an export of scores with the same parameters holds now: rows, bytes and their hash, versions, columns.",
);

/** Why lists of scored requests take no `as_of`. */
const ofDayInFile = "`/export/scores?as_of=` has the scores that stood published on a past day.";

const investableRow = named("InvestableProject", { ...listed, explanation: z.string() });

export const listInvestable = operation({
	owner: "scoring",
	summary:
		"Open requests that pass the investability rule, best first: active and in their operator's newest list, at stage mid, late or construction, their projected date not past on the day of that list unless under construction, and a score of min_score or more.",
	params: listParams(
		{
			...scoredFilters,
			min_score: filters.min_score.describe(
				"Least investability_score; 65 where it is not given, and less may be asked for",
			),
			status: filedStatus,
			fields: fields(investableRow, ["id"]),
		},
		200,
	).superRefine(consistent),
	reply: page(investableRow),
	http: { method: "GET", path: "/investable", price: "standard" },
	fields: { of: "data", always: ["id"] },
	example: { min_score: 60 },
	noPast: ofDayInFile,
});

const itcDeal = named("ItcDeal", {
	...listed,
	investability_score: z.int().min(0).max(100),
	base_credit_pct: share(),
	at_risk_rate: share().nullable().describe("What is left of a conditional rate if its condition fails"),
	energy_community_eligible: z.boolean().nullable(),
	domestic_content_eligible: z.boolean().nullable().describe(domesticContent.eligible),
	domestic_content_basis: z.enum(domesticContentBases).nullable().describe(domesticContent.basis),
	low_income_eligible: z.boolean().nullable(),
	cod_year: z.int().describe("Year placed in service that the rate is for: of cod, or assumed (see warnings)"),
	energy_community_notice: z.string().nullable().describe("Notice whose list was looked at"),
	warnings: z
		.array(z.string())
		.describe(
			"Codes, as /tax-credits/calculate explains them; COD_UNKNOWN, COD_PASSED: cod_year is assumed; EXISTING_PLANT: more of a plant that stands, the added part not stated",
		),
});

export const listItcDeals = operation({
	owner: "scoring",
	summary: "Open requests that can claim the investment tax credit, largest credit first.",
	params: listParams(
		{
			min_rate: decimal(0, 1, "fraction")
				.optional()
				.describe("Least effective_credit_rate, as a fraction: 0.4 is 40 %"),
			status: choice(["eligible", "conditional"])
				.optional()
				.describe("How sure the credit is; the status of the request is no filter here"),
			...scoredFilters,
			investable,
			fields: fields(itcDeal, ["id"]),
		},
		200,
	).superRefine(consistent),
	reply: page(itcDeal),
	http: { method: "GET", path: "/deals/itc", price: "premium" },
	fields: { of: "data", always: ["id"] },
	example: { min_rate: 0.3 },
	noPast: ofDayInFile,
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

export const streamScores = operation({
	owner: "gateway",
	summary:
		"Scores as they change, as server-sent events (project.scored): a request's score or tax credit differs from before. An event can come twice, with one version.",
	params: z.strictObject({
		after: afterEvent(keptEvents),
		id: several(words(1, 80), 500).optional().describe("Ids of requests; several by comma or repetition"),
		min_score: filters.min_score.describe(
			"Least investability_score; leaves out requests that are not scored any more",
		),
		investable: flag().optional().describe("Whether the request passes the investability rule"),
		grade: several(choice(grades)).optional().describe("Grade of the score; several by comma or repetition"),
	}),
	reply: eventStreamText(),
	eventStream: { [projectScored.name]: projectScored.payload },
	mediaType: eventStreamType,
	http: { method: "GET", path: "/scores/stream", price: "standard" },
	example: { min_score: 60 },
	noPast: "A stream goes on into the present; `after` says from where.",
});
