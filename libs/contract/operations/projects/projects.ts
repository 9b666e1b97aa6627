/** Interconnection requests: lists, groups, one request, its owners, and files (specification 2.2). */
import { z } from "zod";
import { count, day, megawatts, named, pageMeta, quantity, share } from "../../envelopes.ts";
import { fitsFormat, loggedManifest, manifestOf, placedExportAnswer, placedFileParams } from "../../exports/files.ts";
import { operation } from "../../operation.ts";
import { choice, fields, integer, isoDate, listParams, refuse, several, sortParams } from "../../params.ts";
import { exactTechnology } from "../../technology.ts";
import { locationPrecisions, ownershipSources, projectRegions } from "../../vocabulary.ts";
import { asOf, asOfMeta, noPastScores, pastMeta } from "../as-of.ts";
import {
	aProject,
	consistent,
	projectDetail,
	projectFilters,
	projectOn,
	projectSorts,
	requestParams,
} from "./project.ts";
import { groupings } from "./tiles.ts";

export const listProjects = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary: "Interconnection requests, filtered and sorted, a page at a time.",
	params: listParams(
		{
			...projectFilters,
			fields: fields(projectOn, ["id"]),
			...sortParams(projectSorts, "asc"),
			...asOf,
		},
		500,
	)
		.superRefine(consistent)
		.superRefine(noPastScores),
	reply: z.strictObject({
		data: z.array(projectOn),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			seq: count()
				.optional()
				.describe(
					"On the first page with `cursor`: the newest change that these rows know. The list from end to end (with `include_unlisted=true`), then the changes of `/changes?after=` this number, are the present of the fields that changes name",
				),
		}),
	}),
	http: { method: "GET", path: "/projects", price: "standard" },
	fields: { of: "data", always: ["id"] },
	example: { state: "TX", fuel_type: "Solar", status: "Active", sort: "capacity_mw", order: "desc" },
});

export const groupProjects = operation({
	owner: "queue-ingest",
	summary: "How many requests the filters choose, and of how many MW, by what they have in common; the most first.",
	params: listParams(
		{ by: choice(groupings).default("status").describe("What a group has in common"), ...projectFilters, ...asOf },
		500,
	)
		.superRefine(consistent)
		.superRefine(noPastScores),
	reply: z.strictObject({
		data: z.array(
			z.strictObject({
				value: z.string().nullable().describe("What they have in common; null where it is not known"),
				state: z.string().nullable().describe("Of a county or a point of interconnection"),
				county: z.string().nullable().describe("The same"),
				fips: z.string().nullable().describe("The same"),
				lat: quantity("degrees", "Of a county its centre; of a point where coordinates are filed").nullable(),
				lon: quantity("degrees", "The same").nullable(),
				location_precision: z.enum(locationPrecisions).nullable().describe("Of these coordinates"),
				requests: count(),
				capacity_mw: megawatts(),
			}),
		),
		meta: z.strictObject({
			...pageMeta,
			...asOfMeta,
			requests: count().describe("Of all groups"),
			capacity_mw: megawatts().describe("Of all groups"),
		}),
	}),
	http: { method: "GET", path: "/projects/groups", price: "standard" },
	example: { by: "county", state: "TX", status: "Active" },
});

const oneProject = z.strictObject(requestParams);

export const getProject = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary: "One interconnection request with every column, by its id or by any number it was ever filed under.",
	params: oneProject.extend({
		fields: fields(projectDetail, ["id"]),
		...asOf,
	}),
	reply: projectDetail,
	http: { method: "GET", path: "/projects/{project_id}", price: "standard" },
	fields: { of: null, always: ["id"] },
	example: { project_id: aProject },
});

export const resolveProject = operation({
	owner: "queue-ingest",
	summary: "The id of the request that a caller means by any number it was ever filed under: bus-only.",
	params: oneProject,
	reply: z.strictObject({ id: z.string() }),
});

export const getOwnership = operation({
	owner: "queue-ingest",
	summary: "Who owns the plant that a request became, as reported to the EIA. The owner is not the developer.",
	params: oneProject.extend({
		as_of: isoDate()
			.optional()
			.describe("As reported of years that had ended by that day (UTC), and as the request was listed on it"),
	}),
	reply: z.strictObject({
		queue_id: z.string(),
		region: z.enum(projectRegions),
		owners: z.array(
			named("Owner", {
				owner_name: z.string(),
				owner_utility_id: z.int().nullable(),
				fraction_owned: share().describe("Of the linked plant's capacity, each generator as last reported"),
				owner_city: z.string().nullable(),
				owner_state: z.string().nullable(),
				source: z.enum(ownershipSources),
				report_date: day(),
			}),
		),
		plant: z
			.strictObject({
				plant_id: z.int().describe("EIA plant code"),
				plant_name: z.string().nullable(),
				method: z.string(),
				confidence: share(),
				evidence: z.string().describe("What the request and the plant agree in"),
			})
			.nullable()
			.describe("Null where no plant is known to be this request's"),
		coverage: z
			.array(z.strictObject({ year: z.int(), loaded: z.array(z.string()), missing: z.array(z.string()) }))
			.describe("Schedules of form EIA-860 that the answer rests on; no owner is inferred from a missing one"),
		years: z.array(z.int()).describe("Years for which owners of the plant are recorded"),
		meta: pastMeta,
	}),
	http: { method: "GET", path: "/projects/{project_id}/ownership", price: "standard" },
	example: { project_id: aProject },
});

const exportParams = z
	.strictObject({
		...projectFilters,
		type: several(exactTechnology()).optional().describe("The same as fuel_type; two that differ are refused"),
		...asOf,
		after_seq: integer(0, Number.MAX_SAFE_INTEGER)
			.optional()
			.describe(
				"Only what changed since: requests with a change of a greater `seq`, whatever is `listed` of them, and in a further column `deleted` the ids that are gone for good, with nothing else. X-Seq says from where to go on",
			),
		...placedFileParams(projectOn, ["id"], "id"),
	})
	.superRefine(consistent)
	.superRefine(noPastScores)
	.superRefine(fitsFormat)
	.superRefine(({ type, fuel_type, after_seq, limit, as_of }, context) => {
		if (type !== undefined && fuel_type !== undefined && [...type].sort().join() !== [...fuel_type].sort().join())
			refuse(context, "type", `contradicts fuel_type (${type.join()}, ${fuel_type.join()})`);
		for (const [name, value] of Object.entries({ limit, as_of }))
			if (after_seq !== undefined && value !== undefined) refuse(context, name, "does not go with after_seq");
	});

export const exportProjects = operation({
	owner: "queue-ingest",
	ofDayWith: "scoring",
	summary:
		"Every interconnection request that the filters choose, or what changed of them since, in one file: CSV with a header row, Parquet, JSON or GeoJSON.",
	params: exportParams,
	http: { method: "GET", path: "/export/projects", price: "pro" },
	example: { state: "TX", limit: 10 },
	...placedExportAnswer,
});

export const getExportManifest = manifestOf(
	exportProjects,
	loggedManifest,
	"What an export with the same parameters holds now: rows, bytes and their hash, versions and columns.",
);
