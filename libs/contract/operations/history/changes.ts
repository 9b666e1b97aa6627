import { z } from "zod";
import { count, day, flatPage, logPage, megawatts, timestamp } from "../../envelopes.ts";
import { afterEvent, eventStreamText, eventStreamType } from "../../events/event.ts";
import { changeRecorded } from "../../events/queue-ingest.ts";
import { checkFormat, exportAnswer, fileParams, loggedManifest, manifestOf } from "../../exports/files.ts";
import { gatewayOperation, queueIngestOperation } from "../../operation.ts";
import {
	choice,
	fields,
	flag,
	integer,
	isoDate,
	listParams,
	none,
	refuse,
	refuseSwappedRange,
	refuseTwoSpans,
	several,
	words,
} from "../../params.ts";
import { changeTypes, listings, regions, statuses } from "../../vocabulary.ts";
import { asOfMeta, coverageMeta, refusePastScores, withoutScores } from "../as-of.ts";
import {
	changedRequestFilters,
	exampleId,
	projectFilters,
	projectIdParams,
	refuseContradictions,
} from "../projects/project.ts";
import { change, changeWithRow } from "./change.ts";

const feedFilters = {
	since: isoDate().optional().describe("First day of the snapshots, UTC"),
	until: isoDate().optional().describe("Last day of the snapshots, UTC, inclusive"),
};
const changeType = () =>
	several(choice(changeTypes)).optional().describe("Kind of change; several by comma or repetition");
const statusStd = (side: string) =>
	several(choice(statuses))
		.optional()
		.describe(`status_std ${side} a change of status; several by comma or repetition`);
const includeEvidence = () =>
	flag()
		.default(false)
		.describe(
			"Include evidence_update: a status_std that follows another publisher rather than a list. change_type can select it too, as well as first_listed: the rows of a list when it was first loaded",
		);
const include = <T extends "row" | "raw">(...of: [T, ...T[]]) => several(choice(of)).optional();
const includeRaw =
	"raw: also raw_update, a difference in any other column of the operator, by its header as filed; change_type can select it too";
const after = () => integer(0, Number.MAX_SAFE_INTEGER);

/** A page of the change log, with the number of changes that it omits, by kind. */
const changeLogPage = <T extends z.ZodType>(row: T) =>
	logPage(row).extend({
		skipped: z
			.strictObject({
				first_listed: count().describe("Requests in the first list of an operator"),
				raw_update: count().describe("Changes in columns from which no field is read"),
				evidence_update: count().describe("Changes of status_std that follow a source other than the lists"),
			})
			.describe(
				"Changes with a `seq` greater than `after`, up to `next`, that the page omits because of their kind. Of the filters, only region, project_id and days apply to these counts",
			),
		meta: coverageMeta,
	});

/** Fields that are always shown, because readers of the log need them to continue. */
const requiredFields = ["seq", "project_id"];

const changeFilters = {
	change_type: several(choice([...changeTypes, "withdrawal"]))
		.optional()
		.describe("Kind of change; withdrawal: status_std becomes Withdrawn; several by comma or repetition"),
	old_status_std: statusStd("before"),
	new_status_std: statusStd("after"),
	include_evidence: includeEvidence(),
	project_id: words().optional().describe("One request, by its id"),
	...changedRequestFilters,
	listed: several(choice(listings))
		.optional()
		.describe("Whether the newest list shows the request; all when absent; several by comma or repetition"),
	as_of: isoDate()
		.optional()
		.describe(
			`Changes in lists up to that day (UTC); days are counted back from its end, and filters apply to the requests as of that day. ${withoutScores}`,
		),
};

export const readNewestSeq = queueIngestOperation({
	summary: "The `seq` of the newest change, 0 while there is none: bus-only.",
	params: none,
	reply: z.strictObject({ seq: count() }),
});

const changesMeta = z
	.strictObject({ ...asOfMeta, since: timestamp().optional().describe("Start of the period that was searched") })
	.optional()
	.describe("With `as_of`, or where changes are chosen by day");

export const listChanges = queueIngestOperation({
	summary:
		"Changes in the queues: by day, newest first, or after a `seq`, oldest first, as an endless log. Filters apply to the requests now, or as of a day.",
	params: listParams(
		{
			since_days: integer(1, 90)
				.optional()
				.describe(
					"Days to look back, by the time of the snapshot; 1 without after, since, until and project_id. Cannot be combined with since or until",
				),
			...feedFilters,
			after: after()
				.optional()
				.describe(
					"Changes with a greater `seq`, oldest first; 0 starts with the whole history. Continue with the `next` of each response. Cannot be combined with since_days, page or cursor",
				),
			include: include("row", "raw").describe(
				`row, with \`after\`: adds \`project\`, the request after the change, and every type of change but raw_update: from 0 the log rebuilds all filed and standardized fields of /projects. ${includeRaw}. Both by comma or repetition`,
			),
			...changeFilters,
			fields: fields(change, requiredFields),
		},
		500,
		100,
	).superRefine((params, context) => {
		refuseContradictions(params, context);
		refusePastScores(params, context);
		for (const other of ["since_days", "cursor"] as const)
			if (params.after !== undefined && params[other] !== undefined)
				refuse(context, other, "cannot be combined with after");
		if (params.include?.includes("row") && params.after === undefined) refuse(context, "include", "row requires after");
		if (params.after !== undefined && params.page !== 1) refuse(context, "page", "cannot be combined with after");
		refuseTwoSpans(params, "since_days", context);
	}),
	reply: z.union([flatPage(change).extend({ meta: changesMeta }), changeLogPage(changeWithRow)]),
	http: { method: "GET", path: "/changes", price: "standard" },
	fields: { of: "data", always: requiredFields },
	alsoAs: ["atom"],
	example: { since_days: 7, change_type: "status_change" },
	maxAgeMs: 60_000,
});

export const streamChanges = gatewayOperation({
	summary:
		"Changes as they are recorded, as server-sent events (change.recorded), in order and without gaps from any past `seq`. Filters apply to the request after the change; with a filter, changes of many requests and backfilled changes are left out.",
	params: z
		.strictObject({
			after: afterEvent("a `seq`; 0 starts with the whole history"),
			change_type: changeType(),
			include_evidence: includeEvidence(),
			include: include("row", "raw").describe(
				`row: adds \`project\`, the request after the change, and every type of change but raw_update: from 0 the stream rebuilds all filed and standardized fields of /projects. ${includeRaw}. Both by comma or repetition`,
			),
			project_id: words().optional().describe("One request, by its id"),
			...changedRequestFilters,
			listed: several(choice(listings))
				.optional()
				.describe("Whether the list showed the request; all when absent; several by comma or repetition"),
		})
		.superRefine(refuseContradictions),
	reply: eventStreamText(),
	eventStream: { [changeRecorded.name]: changeWithRow },
	mediaType: eventStreamType,
	http: { method: "GET", path: "/changes/stream", price: "standard" },
	example: { change_type: "status_change" },
	noPast: "A stream continues into the present; `after` is its start.",
});

export const listProjectChanges = queueIngestOperation({
	summary: "Changes of one interconnection request after a `seq`, oldest first.",
	params: z
		.strictObject({
			...projectIdParams,
			...feedFilters,
			after: after().default(0).describe("Changes with a greater `seq`. Continue with the `next` of each response"),
			change_type: changeType(),
			include_evidence: includeEvidence(),
			include: include("raw").describe(includeRaw),
			as_of: isoDate().optional().describe("Changes in lists up to that day (UTC)"),
			per_page: integer(1, 500).default(100).describe("Rows a page"),
		})
		.superRefine(refuseSwappedRange),
	reply: changeLogPage(change),
	http: { method: "GET", path: "/projects/{project_id}/changes", price: "standard" },
	example: { project_id: exampleId },
});

export const exportChanges = queueIngestOperation({
	summary:
		"Changes in the queues after a `seq`, oldest first, in one file: CSV with a header row, Parquet, Arrow, NDJSON or Excel. Filters apply to the requests now, or as of a day.",
	params: z
		.strictObject({
			...feedFilters,
			after: after().default(0).describe("Changes with a greater `seq`. Continue with the X-Seq of each response"),
			include: include("raw").describe(includeRaw),
			...changeFilters,
			...fileParams(change, requiredFields, "seq"),
		})
		.superRefine(checkFormat)
		.superRefine((params, context) => {
			refuseContradictions(params, context);
			refusePastScores(params, context);
			refuseSwappedRange(params, context);
		}),
	http: { method: "GET", path: "/export/changes", price: "pro" },
	example: { change_type: "status_change", limit: 10 },
	...exportAnswer,
});

export const getChangesExportManifest = manifestOf(
	exportChanges,
	loggedManifest,
	"Rows, bytes, hash, versions and columns of the current export of changes with the same parameters.",
);

const withdrawal = { withdrawn: count(), withdrawn_mw: megawatts() };

export const summariseChanges = queueIngestOperation({
	summary:
		"Changes of the lists by day and region, withdrawals and new requests by region, and the developers with the most withdrawals.",
	params: z.strictObject({
		since_days: integer(1, 90).default(7).describe("Days to look back, by the time of the snapshot"),
		as_of: isoDate()
			.optional()
			.describe(
				"Last of the days (UTC): only changes in its lists or earlier ones are counted, by the state of that day",
			),
		region: projectFilters.region,
	}),
	reply: z.strictObject({
		since_days: z.int(),
		by_day: z.array(z.strictObject({ day: day(), change_type: z.enum(changeTypes), count: count() })),
		by_region: z.array(z.strictObject({ region: z.enum(regions), change_type: z.enum(changeTypes), count: count() })),
		withdrawals_by_region: z.array(z.strictObject({ region: z.enum(regions), ...withdrawal })),
		top_withdrawing_developers: z.array(z.strictObject({ developer: z.string(), ...withdrawal })),
		new_entries_by_region: z.array(
			z.strictObject({ region: z.enum(regions), new_projects: count(), new_mw: megawatts() }),
		),
		meta: coverageMeta,
	}),
	http: { method: "GET", path: "/changes/summary", price: "standard" },
	example: { since_days: 30 },
	maxAgeMs: 60_000,
});
