import { z } from "zod";
import { archiveDatasets, archiveManifest, archiveSeries } from "../../exports/archive.ts";
import { exportMediaTypes } from "../../exports/files.ts";
import { queueIngestOperation } from "../../operation.ts";
import { choice, none } from "../../params.ts";

export const listArchive = queueIngestOperation({
	summary:
		"The dated files of requests (monthly) and changes (daily), with their hashes. /archive/{dataset}/{series}/{file} returns one of them.",
	params: none,
	reply: archiveManifest,
	http: { method: "GET", path: "/archive", price: "standard" },
	noPast: "Each file that it lists is of a past day.",
});

export const getArchiveFile = queueIngestOperation({
	summary: "One dated file as Parquet, by its name in /archive. It never changes.",
	params: z.strictObject({
		dataset: choice(archiveDatasets).describe("projects: requests; changes: the log"),
		series: choice(archiveSeries).describe("full: a month's, of every row; delta: a day's"),
		file: z
			.string({ error: "must be text" })
			.regex(/^\d{4}-\d{2}(-\d{2})?\.parquet$/, "must be YYYY-MM.parquet or YYYY-MM-DD.parquet")
			.describe("Of a full one YYYY-MM.parquet, of a day YYYY-MM-DD.parquet"),
	}),
	reply: z.string(),
	http: { method: "GET", path: "/archive/{dataset}/{series}/{file}", price: "pro" },
	mediaType: exportMediaTypes.parquet,
	streamed: true,
	example: { dataset: "projects", series: "full", file: "2026-11.parquet" },
	noPast: "A file of the archive is of its day and never changes.",
});
