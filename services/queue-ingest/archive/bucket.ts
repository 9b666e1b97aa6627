/** The bucket of the archive: what its manifest names is there, and whole. */

import type { Bus } from "#libs/bus/connect.ts";
import { type Bucket, ensureBucket, ObjectMissing, putObject, readObject } from "#libs/bus/objects.ts";
import { type ArchiveManifest, archiveBucket, archiveLimits, archiveManifest } from "#libs/contract/archive.ts";
import { manifestObject } from "#libs/contract/extracts.ts";

const longestMs = 10_000;

export const openArchive = (bus: Bus): Promise<Bucket> =>
	ensureBucket(bus, archiveBucket, {
		description: "Requests and changes by day as Parquet",
		maxBytes: archiveLimits.bucketBytes,
	});

/** Without files where nothing is archived yet. */
export async function readArchive(bucket: Bucket, signal?: AbortSignal): Promise<ArchiveManifest> {
	const parts: Uint8Array[] = [];
	const limits = { maxBytes: archiveLimits.manifestBytes, timeoutMs: longestMs, ...(signal && { signal }) };
	try {
		for await (const part of readObject(bucket, manifestObject, limits)) parts.push(part);
	} catch (error) {
		if (error instanceof ObjectMissing) return { files: [] };
		throw error;
	}
	return archiveManifest.parse(JSON.parse(Buffer.concat(parts).toString()));
}

export async function writeManifest(bucket: Bucket, manifest: ArchiveManifest, signal: AbortSignal): Promise<void> {
	await putObject(bucket, manifestObject, Buffer.from(JSON.stringify(manifest)), signal);
}
