/** History of requests and developers, and comparison of two days. */
import { z } from "zod";
import { count, day, megawatts, named, page, pageMeta, quantity, timestamp } from "../../envelopes.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, isoDate, listParams, refuse, without, words } from "../../params.ts";
import { studyPhases } from "../../vocabulary.ts";
import { asOfMeta } from "../as-of.ts";
import { exampleId, projectFilters, projectIdParams, refuseContradictions } from "../projects/project.ts";

const state = named("ProjectState", {
	version: z.int().describe("Version of the request; a backfilled state has the version of the state it precedes"),
	valid_from: timestamp().describe("Start of the state: the time of the list"),
	valid_to: timestamp().nullable().describe("End of the state; null if it is current"),
	reason: z.enum(["list", "derived"]).describe("list: stated by a list; derived: follows another publisher"),
	backfilled: z.boolean().describe("Whether its list was loaded after a newer one"),
	snapshot_id: z.int(),
	file: z
		.strictObject({ feed: z.string(), name: z.string(), sha256: z.string(), url: z.string().nullable() })
		.nullable()
		.describe("The archived file of the list; null if none is archived"),
	differences: z
		.array(z.strictObject({ field: z.string(), old_value: z.string().nullable(), new_value: z.string().nullable() }))
		.describe(
			"Fields that differ from the previous state (the first: all known), without scores, tax credits and needs_capital: see /projects/{project_id}?as_of=",
		),
});

export const getProjectHistory = queueIngestOperation({
	summary: "Every state of one interconnection request: its days, the list's file, and the fields that differ.",
	params: listParams(
		{
			...projectIdParams,
			order: choice(["asc", "desc"]).default("asc").describe("Oldest or newest first"),
		},
		200,
	),
	reply: page(state).extend({
		stages: z
			.array(
				z.strictObject({
					study_phase: z.enum(studyPhases),
					began: day()
						.nullable()
						.describe("Day of the first list that shows it; null if the previous list is over 62 days older"),
					ended: day().nullable().describe("Likewise, of the first list that shows another"),
					days: quantity("days").nullable(),
				}),
			)
			.describe("Study phases that it went through, oldest first"),
	}),
	http: { method: "GET", path: "/projects/{project_id}/history", price: "standard" },
	example: { project_id: exampleId },
	noPast: "It returns the past itself: each row has its day.",
});

const totals = {
	total_projects: count(),
	total_capacity_mw: megawatts(),
	active_projects: count(),
	active_capacity_mw: megawatts(),
	operational_projects: count(),
	operating_capacity_mw: megawatts(),
	withdrawn_projects: count(),
};

export const getDeveloperHistory = queueIngestOperation({
	summary: "A developer's portfolio of listed requests on every day on which a list changed it.",
	params: listParams(
		{
			developer_id: words().describe("Numeric id, or the canonical name"),
			order: choice(["asc", "desc"]).default("asc").describe("Oldest or newest first"),
		},
		500,
		100,
	),
	reply: page(z.strictObject({ day: day(), ...totals })).extend({ developer_id: z.int(), developer: z.string() }),
	http: { method: "GET", path: "/developers/{developer_id}/history", price: "standard" },
	example: { developer_id: "Invenergy" },
	noPast: "It returns the past itself: each row has its day.",
});

const comparedFields = {
	status_std: z.string(),
	status: z.string().nullable(),
	construction_stage: z.string(),
	study_phase: z.string().nullable(),
	capacity_mw: megawatts().nullable(),
	cod: day().nullable(),
	developer_canonical: z.string().nullable(),
};

const side = named("ComparedProject", {
	day: day(),
	projects: count(),
	capacity_mw: megawatts(),
	coverage: asOfMeta.coverage.unwrap(),
	lists: asOfMeta.lists.unwrap(),
});
const sum = named("ProjectSum", { projects: count(), capacity_mw: megawatts() });

/** Filters of requests, except filters by scores; see `refusePastScores`. */
const factFilters = without(
	projectFilters,
	"energy_community",
	"low_income",
	"has_tax_credit",
	"investable",
	"needs_capital",
	"min_score",
);

export const compareDays = queueIngestOperation({
	summary:
		"Compares the requests of two days: as sums, as a matrix of old and new values, and as rows. Filters apply to the request on each day.",
	params: listParams(
		{
			from: isoDate().describe("The earlier day"),
			to: isoDate().describe("The later day"),
			by: choice(["status_std", "construction_stage", "study_phase", "ia_status", "region", "type_std"])
				.default("status_std")
				.describe("The field whose values are the rows and columns of the matrix"),
			...factFilters,
		},
		500,
	)
		.superRefine(refuseContradictions)
		.superRefine(({ from, to }, context) => {
			if (from > to) refuse(context, "to", "must not be before from");
		}),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				id: z.string(),
				region: z.string(),
				name: z.string().nullable(),
				change: z
					.enum(["added", "removed", "changed"])
					.describe("added and removed: it matches the filters on only one of the days"),
				before: z.strictObject(comparedFields).nullable(),
				after: z.strictObject(comparedFields).nullable(),
			}),
		),
		meta: z.strictObject(pageMeta),
		from: side,
		to: side,
		added: sum,
		removed: sum,
		changed: sum.describe("One of the fields of `before` and `after` differs; MW of the later day"),
		unchanged: sum,
		matrix: z
			.array(
				z.strictObject({
					before: z.string().nullable(),
					after: z.string().nullable(),
					projects: count(),
					capacity_mw: megawatts("MW of the later day, or of the earlier if the request is missing from the later"),
					capacity_mw_before: megawatts(),
				}),
			)
			.describe("Null if the request matches the filters only on the other day, or the field is unknown"),
	}),
	http: { method: "POST", path: "/compare", price: "standard", readsByPost: true },
	example: { from: "2026-01-01", to: "2026-07-01" },
	noPast: "It takes two days, `from` and `to`.",
});
