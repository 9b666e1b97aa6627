/**
 * Extracts: an owner's documented views as Parquet files in the owner's JetStream object store bucket, with a manifest. Objects are named by the
 * hash of their content, so that a new manifest does not disturb readers of the previous one.
 */

import { z } from "zod";
import { databases } from "../databases.ts";
import { sha256 } from "../envelopes.ts";

/** The services that write extracts. */
export const extractOwners = ["queue-ingest", "signals", "scoring"] as const;
export type ExtractOwner = (typeof extractOwners)[number];

export const extractBucket = (owner: ExtractOwner): string => `extracts-${owner}`;
export const manifestObject = "manifest.json";
/** Subject of plain messages with the manifest's SHA-256, which are sent at each change and as a heartbeat. */
export const extractSubject = (owner: ExtractOwner): string => `extracts.${owner}`;
/** Subject of plain messages by which a reader reports that an object of the manifest is missing or damaged. */
export const extractReportSubject = (owner: ExtractOwner): string => `extract-reports.${owner}`;

export const extractLimits = {
	/** Maximum size of a view's file (bytes). */
	viewBytes: 512 * 1024 * 1024,
	/** Size of a bucket (bytes), which contains the newest files and the previous ones. */
	bucketBytes: 1024 * 1024 * 1024,
	manifestBytes: 4 * 1024 * 1024,
} as const;

const day = z.iso.date();

const extractColumn = z.strictObject({
	name: z.string(),
	/** Type of the column in the file, by DuckDB's name: VARCHAR, DOUBLE, DATE, VARCHAR[], JSON. */
	type: z.string(),
	description: z.string(),
	unit: z.string().nullable(),
});

export const extractManifest = z.strictObject({
	owner: z.enum(extractOwners),
	/** When the views were read, in one transaction. */
	made_at: z.iso.datetime(),
	data_version: z.number().int().nonnegative(),
	/** Day of the newest accepted list by region; empty for owners without lists. */
	lists: z.record(z.string(), day.nullable()),
	views: z.array(
		z.strictObject({
			database: z.enum(databases),
			name: z.string(),
			description: z.string(),
			rows: z.number().int().nonnegative(),
			bytes: z.number().int().nonnegative(),
			sha256: sha256(),
			/** Hash of the rows as PostgreSQL wrote them. If it is unchanged, the rows are not encoded again. */
			source_sha256: sha256(),
			/** Name of the object in the bucket. */
			object: z.string(),
			/** Data version at which the view's rows last changed. */
			data_version: z.number().int().nonnegative(),
			/** `made_at` of the extract at that data version. */
			as_of: z.iso.datetime(),
			columns: z.array(extractColumn),
		}),
	),
});
export type ExtractManifest = z.output<typeof extractManifest>;
export type ExtractView = ExtractManifest["views"][number];
