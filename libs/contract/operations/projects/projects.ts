/** Interconnection requests: lists, groups, one request, its owners, and files. */
import { z } from "zod";
import { count, day, megawatts, named, pageMeta, quantity, share } from "../../envelopes.ts";
import { checkFormat, geoExportAnswer, geoFileParams, loggedManifest, manifestOf } from "../../exports/files.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, fields, integer, isoDate, listParams, refuse, several, sortParams } from "../../params.ts";
import { exactTechnology } from "../../technology.ts";
import { linkKinds, locationPrecisions, ownershipSources, projectRegions, studyPhases } from "../../vocabulary.ts";
import { asOf, asOfFacts, asOfMeta, coverageMeta, refusePastScores } from "../as-of.ts";
import {
	distinct,
	distinctTotals,
	exampleId,
	projectAsOf,
	projectDetail,
	projectFilters,
	projectIdParams,
	projectSorts,
	refuseContradictions,
} from "./project.ts";
import { groupings } from "./tiles.ts";

export const listProjects = queueIngestOperation({
	ofDayWith: "scoring",
	summary: "Interconnection requests, filtered and sorted, a page at a time.",
	params: listParams(
		{
			...projectFilters,
			distinct,
			fields: fields(projectAsOf, ["id"]),
			...sortParams(projectSorts, "asc"),
			...asOfFacts,
		},
		500,
	)
		.superRefine(refuseContradictions)
		.superRefine(refusePastScores),
	reply: z.strictObject({
		data: z.array(projectAsOf),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			seq: count()
				.optional()
				.describe(
					"On the first page with `cursor`: the newest change that these rows include. To stay current, read the whole list (with `include_unlisted=true`), then `/changes?after=` this number",
				),
		}),
	}),
	http: { method: "GET", path: "/projects", price: "standard" },
	fields: { of: "data", always: ["id"] },
	alsoAs: ["ics"],
	example: { state: "TX", fuel_type: "Solar", status: "Active", sort: "capacity_mw", order: "desc" },
});

export const groupProjects = queueIngestOperation({
	summary: "Number and MW of the requests that match the filters, by a common property; largest groups first.",
	params: listParams(
		{
			by: choice(groupings)
				.default("status")
				.describe("Property that the requests of a group share; cod_year: of the projected operation"),
			...projectFilters,
			distinct: distinctTotals,
			...asOfFacts,
		},
		500,
	)
		.superRefine(refuseContradictions)
		.superRefine(refusePastScores),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				value: z.string().nullable().describe("Value of the property; null if unknown"),
				state: z.string().nullable().describe("Only for a county or a point of interconnection"),
				county: z.string().nullable().describe("The same"),
				fips: z.string().nullable().describe("The same"),
				lat: quantity("degrees", "Center of a county; filed coordinates of a point of interconnection").nullable(),
				lon: quantity("degrees", "The same").nullable(),
				location_precision: z.enum(locationPrecisions).nullable().describe("Precision of these coordinates"),
				requests: count(),
				capacity_mw: megawatts(),
				median_capacity_mw: megawatts().nullable().describe("Of its requests with megawatts"),
				median_days_waiting: quantity("days").nullable().describe("Of its active requests, since queue_date"),
				median_p_cod_36: share("Of its requests with a chance; null with as_of").nullable(),
				stages: z
					.array(
						z.strictObject({
							study_phase: z.enum(studyPhases),
							requests: count().describe("Requests that lists have shown in it"),
							median_days: quantity("days")
								.nullable()
								.describe("Of requests whose lists show when it began and ended; null if there are none"),
						}),
					)
					.nullable()
					.describe("How long each study phase took; only with kind=load"),
			}),
		),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			near: z
				.strictObject({ lat: quantity("degrees"), lon: quantity("degrees") })
				.optional()
				.describe("Only with near: the center of its county"),
			requests: count().describe("Total of all groups"),
			capacity_mw: megawatts().describe("Total of all groups"),
		}),
	}),
	http: { method: "GET", path: "/projects/groups", price: "standard" },
	example: { by: "county", state: "TX", status: "Active" },
});

const oneProject = z.strictObject(projectIdParams);

export const getProject = queueIngestOperation({
	ofDayWith: "scoring",
	summary: "One interconnection request with every column, by its id or by any number it was ever filed under.",
	params: oneProject.extend({
		fields: fields(projectDetail, ["id"]),
		...asOf,
	}),
	reply: projectDetail,
	http: { method: "GET", path: "/projects/{project_id}", price: "standard" },
	fields: { of: null, always: ["id"] },
	example: { project_id: exampleId },
});

export const resolveProject = queueIngestOperation({
	summary: "The id of the request that a caller means by any number it was ever filed under: bus-only.",
	params: oneProject,
	reply: z.strictObject({ id: z.string() }),
});

export const getOwnership = queueIngestOperation({
	summary: "Who owns the plant that a request became, as reported to the EIA. The owner is not the developer.",
	params: oneProject.extend({
		as_of: isoDate()
			.optional()
			.describe("Owners reported for years that had ended by that day (UTC), and the request as of that day"),
	}),
	reply: z.strictObject({
		queue_id: z.string(),
		region: z.enum(projectRegions),
		owners: z.array(
			named("Owner", {
				owner_name: z.string(),
				owner_utility_id: z.int().nullable(),
				fraction_owned: share().describe("Share of the linked plant's capacity, each generator as last reported"),
				owner_city: z.string().nullable(),
				owner_state: z.string().nullable(),
				source: z.enum(ownershipSources),
				report_date: day().describe("End of the reported year"),
			}),
		),
		plant: z
			.strictObject({
				plant_id: z.int().describe("EIA plant code"),
				plant_name: z.string().nullable(),
				link_kind: z
					.enum(linkKinds)
					.describe(
						"one_of: the plant of one of several requests at this point; part: the largest of several plants of this request",
					),
				method: z.string(),
				confidence: share(),
				evidence: z.string().describe("What request and plant share"),
			})
			.nullable()
			.describe("Null if no plant is linked to the request"),
		coverage: z
			.array(z.strictObject({ year: z.int(), loaded: z.array(z.string()), missing: z.array(z.string()) }))
			.describe("Schedules of form EIA-860 that were used; no owner is inferred from a missing one"),
		years: z.array(z.int()).describe("Years for which owners of the plant are recorded"),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/projects/{project_id}/ownership", price: "standard" },
	example: { project_id: exampleId },
});

export const exportProjects = queueIngestOperation({
	ofDayWith: "scoring",
	summary:
		"All interconnection requests that match the filters, or only those that changed, in one file: CSV with a header row, Parquet, Arrow, NDJSON, Excel or GeoJSON.",
	params: z
		.strictObject({
			...projectFilters,
			type: several(exactTechnology()).optional().describe("Alias of fuel_type; two that differ are refused"),
			...asOfFacts,
			after_seq: integer(0, Number.MAX_SAFE_INTEGER)
				.optional()
				.describe(
					"Only requests with a change of a greater `seq`, listed or not. The additional column `deleted` marks ids that were permanently removed; their other columns are empty. Continue with X-Seq. Cannot be combined with limit or as_of",
				),
			...geoFileParams(projectAsOf, ["id"], "id"),
		})
		.superRefine(refuseContradictions)
		.superRefine(refusePastScores)
		.superRefine(checkFormat)
		.superRefine(({ type, fuel_type, after_seq, limit, as_of }, context) => {
			if (type !== undefined && fuel_type !== undefined && [...type].sort().join() !== [...fuel_type].sort().join())
				refuse(context, "type", `contradicts fuel_type (${type.join()}, ${fuel_type.join()})`);
			for (const [name, value] of Object.entries({ limit, as_of }))
				if (after_seq !== undefined && value !== undefined) refuse(context, name, "cannot be combined with after_seq");
		}),
	http: { method: "GET", path: "/export/projects", price: "pro" },
	example: { state: "TX", limit: 10 },
	...geoExportAnswer,
});

export const getExportManifest = manifestOf(
	exportProjects,
	loggedManifest,
	"Rows, bytes, hash, versions and columns of the current export with the same parameters.",
);
