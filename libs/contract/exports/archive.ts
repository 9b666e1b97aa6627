/**
 * The archive: all requests at the end of a day, and the changes of each day, as Parquet files in queue-ingest's JetStream object store
 * bucket. A file never changes; the manifest lists all files.
 */
import { z } from "zod";
import { count, day, sha256, timestamp } from "../envelopes.ts";

export const archiveBucket = "archive-queue-ingest";
export const archiveDatasets = ["projects", "changes"] as const;
/** `full`: all rows; `delta`: the changes of one day. */
export const archiveSeries = ["full", "delta"] as const;

export const archiveLimits = {
	/** Maximum size of a file (bytes). */
	fileBytes: 256 * 1024 * 1024,
	/** Maximum total size of the files (bytes); beyond it the oldest days are deleted. */
	bytes: 896 * 1024 * 1024,
	/** Size of the bucket (bytes), which has room for one file more than `bytes`. */
	bucketBytes: 1280 * 1024 * 1024,
	manifestBytes: 4 * 1024 * 1024,
	/** Months for which a full file is retained. */
	fulls: 60,
	/** Days for which a file of changes is retained. */
	deltaDays: 400,
} as const;

const archiveFile = z.strictObject({
	name: z
		.string()
		.regex(/^(projects|changes)\/(full|delta)\/\d{4}-\d{2}(-\d{2})?\.parquet$/)
		.describe("Below /archive/"),
	dataset: z.enum(archiveDatasets),
	series: z.enum(archiveSeries).describe("full: every row at the end of the day; delta: what the day changed"),
	day: day().describe("The day (UTC) at whose end the rows had this state"),
	after_seq: count().nullable().describe("Of a delta, the last `seq` in the previous day's file; null for a full file"),
	seq: count().describe("The newest change that the file includes"),
	rows: count(),
	bytes: count().meta({ description: "Length of the file, bytes", "x-unit": "bytes" }),
	sha256: sha256().describe("SHA-256 of the file; also its ETag"),
	schema_version: z.string().describe("Version of the columns, as in /export/projects and /export/changes"),
	made_at: timestamp().describe(
		"When it was written: soon after the end of the day, or after the next start of the service",
	),
});
export type ArchiveFile = z.output<typeof archiveFile>;

export const archiveManifest = z.strictObject({
	files: z.array(archiveFile).describe("By day, oldest first"),
});
export type ArchiveManifest = z.output<typeof archiveManifest>;
