/** Opens the bucket of the archive. All files in its manifest exist and are complete. */

import type { Bus } from "#libs/bus/connect.ts";
import { type Bucket, ensureBucket, listObjects, ObjectMissing, putObject, readObject } from "#libs/bus/objects.ts";
import { unavailable } from "#libs/contract/errors.ts";
import { type ArchiveManifest, archiveBucket, archiveLimits, archiveManifest } from "#libs/contract/exports/archive.ts";
import { manifestObject } from "#libs/contract/exports/extracts.ts";

const manifestTimeoutMs = 10_000;

export const openArchive = (bus: Bus): Promise<Bucket> =>
	ensureBucket(bus, archiveBucket, {
		description: "Requests and changes by day as Parquet",
		maxBytes: archiveLimits.bucketBytes,
	});

/** Reads the manifest, which has no files if nothing is archived yet. @throws AppError 503 if days are archived but the manifest is lost or damaged */
export async function readArchive(bucket: Bucket, signal?: AbortSignal): Promise<ArchiveManifest> {
	const parts: Uint8Array[] = [];
	const limits = { maxBytes: archiveLimits.manifestBytes, timeoutMs: manifestTimeoutMs, ...(signal && { signal }) };
	try {
		for await (const part of readObject(bucket, manifestObject, limits)) parts.push(part);
	} catch (error) {
		if (!(error instanceof ObjectMissing)) throw error;
		// With an empty manifest, all days would be deleted, which cannot be archived again. A delta shows that more than one day is archived.
		const { names } = await listObjects(bucket);
		if (names.some((name) => name.startsWith("projects/delta/")))
			throw unavailable("the manifest of the archive is lost or damaged (docs/archive.md)");
		return { files: [] };
	}
	return archiveManifest.parse(JSON.parse(Buffer.concat(parts).toString()));
}

export async function writeManifest(bucket: Bucket, manifest: ArchiveManifest, signal: AbortSignal): Promise<void> {
	await putObject(bucket, manifestObject, Buffer.from(JSON.stringify(manifest)), signal);
}
