/** Lists, files and the stream of scored requests. */
import { z } from "zod";
import { megawatts, named, page, pageMeta, quantity, share } from "../../envelopes.ts";
import { afterEvent, eventStreamText, eventStreamType, retainedEventsNote } from "../../events/event.ts";
import { projectScored } from "../../events/scoring.ts";
import { checkFormat, exportAnswer, exportManifest, fileParams, manifestOf } from "../../exports/files.ts";
import { gatewayOperation, scoringOperation } from "../../operation.ts";
import {
	choice,
	decimal,
	fields,
	flag,
	integer,
	listParams,
	none,
	refuse,
	several,
	without,
	words,
} from "../../params.ts";
import { domesticContent, project } from "../../records/project.ts";
import { partOfTechnology } from "../../technology.ts";
import { domesticContentBases, grades, investableCriteria, regions } from "../../vocabulary.ts";
import { asOf, asOfMeta } from "../as-of.ts";
import { projectFilters, refuseContradictions } from "../projects/project.ts";
import { costSummary } from "./interconnection-cost.ts";
import { activeCredits, listed, missedCriteria, scoreRow } from "./score-row.ts";

/** Only open, listed generation requests are scored: none is withdrawn. */
const filters = without(
	projectFilters,
	...(["population", "kind", "listed", "include_unlisted", "status", "investable", "poi_id", "utility"] as const),
	...(["withdrawn_from", "withdrawn_to"] as const),
);
const scoredFilters = {
	...filters,
	technology: partOfTechnology()
		.optional()
		.describe("Any part of type_std in any case, or a common name of one; fuel_type is exact"),
};

export const exportScores = scoringOperation({
	summary:
		"The scores of all open requests that match the filters, with components and chances, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel.",
	params: z
		.strictObject({
			...scoredFilters,
			status: projectFilters.status,
			investable: projectFilters.investable,
			ia_from: filters.ia_from.describe(
				"Agreement signed, inclusive; filed by ERCOT alone. Cannot be combined with as_of",
			),
			ia_to: filters.ia_to.describe("Agreement signed, inclusive. Cannot be combined with as_of"),
			...asOf,
			...fileParams(scoreRow, ["id"], "id"),
		})
		.superRefine(checkFormat)
		.superRefine(refuseContradictions)
		.superRefine((params, context) => {
			for (const name of ["ia_from", "ia_to"] as const)
				if (params.as_of !== undefined && params[name] !== undefined)
					refuse(context, name, "cannot be combined with as_of: past scores are stored without the agreement date");
		}),
	http: { method: "GET", path: "/export/scores", price: "pro" },
	example: { state: "TX", limit: 10 },
	...exportAnswer,
});

export const getScoresExportManifest = manifestOf(
	exportScores,
	exportManifest,
	"Rows, bytes, hash, versions and columns of the current export of scores with the same parameters.",
);

const pastScoresHint = "`/export/scores?as_of=` returns the scores that were published on a past day.";

const lenderFacts = {
	facts_as_of: scoreRow.shape.facts_as_of,
	security_posted: z.boolean().nullable().describe("Null if not published"),
	network_upgrade_usd_per_kw: quantity("USD/kW", "By its own study").min(0).nullable(),
};
const listMeta = z.strictObject({ ...pageMeta, coverage: asOfMeta.coverage });
const investableRow = named("InvestableProject", {
	...listed,
	incremental_mw: project.shape.incremental_mw,
	...lenderFacts,
	explanation: z.string(),
});

export const listInvestable = scoringOperation({
	summary:
		"Open requests that a lender can look at, best first: agreement executed, neither energized nor operating, date ahead (or overdue and being built) within max_months of the list, min_mw added, and p_cod_36 of at least min_p.",
	params: listParams(
		{
			...scoredFilters,
			min_p: decimal(0, 1, "fraction").default(investableCriteria.min_p).describe("Minimum p_cod_36"),
			max_months: integer(1, 120)
				.default(investableCriteria.max_months)
				.describe("Maximum months from the day of the list to the projected date"),
			min_mw: decimal(0, 1e6, "MW").default(investableCriteria.min_mw).describe("Minimum incremental_mw"),
			status: projectFilters.status,
			fields: fields(investableRow, ["id"]),
		},
		200,
	).superRefine(refuseContradictions),
	reply: page(investableRow).extend({
		meta: listMeta.extend({
			left_out: z.strictObject(missedCriteria).describe("Scored requests by the first criterion missed"),
		}),
		criteria: z
			.strictObject({
				min_p: share("Minimum p_cod_36"),
				max_months: z.int().describe("Maximum months from the day of the list to the projected date"),
				min_mw: megawatts("Minimum incremental_mw"),
				rule: z.string().describe("The rule in words"),
				agreement: z
					.partialRecord(z.enum(regions), z.string())
					.describe("What counts as an executed agreement, by operator"),
			})
			.describe("Criteria of this list: its parameters, and what it always demands"),
	}),
	http: { method: "GET", path: "/investable", price: "standard" },
	fields: { of: "data", always: ["id"] },
	example: { min_p: 0.6 },
	noPast: pastScoresHint,
});

const itcDeal = named("ItcDeal", {
	...listed,
	...lenderFacts,
	investability_score: z.int().min(0).max(100),
	base_credit_pct: share(),
	at_risk_rate: share().nullable().describe("Remaining rate if the condition of a conditional rate fails"),
	energy_community_eligible: z.boolean().nullable(),
	domestic_content_eligible: z.boolean().nullable().describe(domesticContent.eligible),
	domestic_content_basis: z.enum(domesticContentBases).nullable().describe(domesticContent.basis),
	low_income_eligible: z.boolean().nullable(),
	cod_year: z.int().describe("Year placed in service that the rate is for: of cod, or assumed (see warnings)"),
	energy_community_notice: z.string().nullable().describe("Notice whose list was checked"),
	warnings: z
		.array(z.string())
		.describe(
			"Codes, as in /tax-credits/calculate; COD_UNKNOWN, COD_PASSED: cod_year is assumed; EXISTING_PLANT: an expansion of an existing plant, the added part not stated; PARTS_UNKNOWN: a hybrid whose parts are filed without MW; REACTOR_SITE: nuclear where a reactor runs or ran; PRIOR_LAW: projected before 2022, or being built before 2025",
		),
});

export const listItcDeals = scoringOperation({
	summary: "Open requests that can claim the investment tax credit, largest expected credit first.",
	params: listParams(
		{
			min_rate: decimal(0, 1, "fraction")
				.optional()
				.describe("Minimum effective_credit_rate, as a fraction: 0.4 is 40 %"),
			status: choice(["eligible", "conditional"])
				.optional()
				.describe("Certainty of the credit; the status of the request is not a filter here"),
			...scoredFilters,
			investable: projectFilters.investable,
			sort: choice(["expected_credit_value", "estimated_credit_value"])
				.default("expected_credit_value")
				.describe("Order, largest first, without a value last: with p_credit, or as if every plant were built in time"),
			fields: fields(itcDeal, ["id"]),
		},
		200,
	).superRefine(refuseContradictions),
	reply: page(itcDeal).extend({ meta: listMeta }),
	http: { method: "GET", path: "/deals/itc", price: "premium" },
	fields: { of: "data", always: ["id"] },
	example: { min_rate: 0.3 },
	noPast: pastScoresHint,
});

export const sumActiveCredits = scoringOperation({
	summary: "Sums over the credits of active requests: bus-only.",
	params: none,
	reply: activeCredits,
});

export const summariseCosts = scoringOperation({
	summary: "One summary of the studied costs of requests: bus-only.",
	params: z.strictObject({ id: several(words(1, 80), 500) }),
	reply: costSummary.nullable(),
});

export const streamScores = gatewayOperation({
	summary:
		"Changes of scores and tax credits as server-sent events (project.scored). An event may be delivered twice, with the same version.",
	params: z.strictObject({
		after: afterEvent(retainedEventsNote),
		id: several(words(1, 80), 500).optional().describe("Ids of requests; several by comma or repetition"),
		min_score: filters.min_score.describe("Minimum investability_score; leaves out requests that are no longer scored"),
		investable: flag().optional().describe("Whether the request passes the investability rule"),
		grade: several(choice(grades)).optional().describe("Grade of the score; several by comma or repetition"),
	}),
	reply: eventStreamText(),
	eventStream: { [projectScored.name]: projectScored.payload },
	mediaType: eventStreamType,
	http: { method: "GET", path: "/scores/stream", price: "standard" },
	example: { min_score: 60 },
	noPast: "A stream continues into the present; `after` is its start.",
});
