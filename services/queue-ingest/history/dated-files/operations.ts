import { type Bucket, readObject } from "#libs/bus/objects.ts";
import { notFound, unavailable } from "#libs/contract/errors.ts";
import { type ArchiveFile, archiveLimits } from "#libs/contract/exports/archive.ts";
import type { Handler } from "#libs/contract/index.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import type { Resources } from "../../resources.ts";
import { readArchive } from "./bucket.ts";

/** Timeout for sending a file, which the speed of the gateway's disk limits (ms). */
const transferTimeoutMs = 10 * 60_000;

export function listArchive({ sql, archive }: Resources): Handler<"listArchive"> {
	return async (_, { signal }) => {
		// Reads the data version before the manifest, because files archived meanwhile have a higher version.
		const dataVersion = await readDataVersion(sql);
		return { json: JSON.stringify(await readArchive(requireBucket(archive), signal)), dataVersion };
	};
}

export function getArchiveFile({ sql, archive }: Resources): Handler<"getArchiveFile"> {
	return async function* ({ dataset, series, file }, { signal, head }) {
		const bucket = requireBucket(archive);
		const name = `${dataset}/${series}/${file}`;
		const dataVersion = await readDataVersion(sql);
		const archived = (await readArchive(bucket, signal)).files.find((one) => one.name === name);
		if (archived === undefined) throw notFound(`no file ${name} in the archive; GET /archive lists its files`);
		head?.(responseHeaders(archived, dataVersion));
		yield* readObject(bucket, name, { maxBytes: archiveLimits.fileBytes, timeoutMs: transferTimeoutMs, signal });
	};
}

function requireBucket(archive: Bucket | undefined): Bucket {
	if (archive === undefined) throw unavailable("the archive cannot be reached");
	return archive;
}

const responseHeaders = (
	{ schema_version, seq, rows, made_at }: ArchiveFile,
	dataVersion: number,
): Record<string, string> => ({
	"x-data-version": String(dataVersion),
	"x-schema-version": schema_version,
	"x-seq": String(seq),
	"generated-at": made_at,
	rows: String(rows),
});
