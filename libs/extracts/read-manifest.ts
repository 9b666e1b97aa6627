import { hash } from "node:crypto";
import { type Bucket, ObjectMissing, readObject } from "#libs/bus/objects.ts";
import { type ExtractManifest, extractLimits, extractManifest, manifestObject } from "#libs/contract/extracts.ts";

const longestMs = 10_000;

/** The manifest in a bucket; undefined where another release wrote it. @throws ObjectMissing where it holds nothing yet, or a damaged manifest */
export async function readManifest(bucket: Bucket): Promise<(ExtractManifest & { sha256: string }) | undefined> {
	const parts: Uint8Array[] = [];
	const limits = { maxBytes: extractLimits.manifestBytes, timeoutMs: longestMs };
	for await (const part of readObject(bucket, manifestObject, limits)) parts.push(part);
	const text = Buffer.concat(parts).toString();
	const parsed = extractManifest.safeParse(JSON.parse(text));
	return parsed.success ? { ...parsed.data, sha256: manifestHash(text) } : undefined;
}

/** For the owner, who writes another where there is none. */
export async function manifestIn(bucket: Bucket): ReturnType<typeof readManifest> {
	try {
		return await readManifest(bucket);
	} catch (error) {
		if (error instanceof ObjectMissing) return undefined;
		throw error;
	}
}

/** By which a manifest is announced. */
export const manifestHash = (text: string): string => hash("sha256", text, "hex");
