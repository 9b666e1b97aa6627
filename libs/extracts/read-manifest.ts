import { hash } from "node:crypto";
import { type Bucket, ObjectMissing, readObject } from "#libs/bus/objects.ts";
import { type ExtractManifest, extractLimits, extractManifest, manifestObject } from "#libs/contract/extracts.ts";

const longestMs = 10_000;

/** What a bucket holds; undefined where it holds nothing yet, or what another release wrote. */
export async function readManifest(bucket: Bucket): Promise<(ExtractManifest & { sha256: string }) | undefined> {
	const parts: Uint8Array[] = [];
	try {
		const limits = { maxBytes: extractLimits.manifestBytes, timeoutMs: longestMs };
		for await (const part of readObject(bucket, manifestObject, limits)) parts.push(part);
	} catch (error) {
		if (error instanceof ObjectMissing) return undefined;
		throw error;
	}
	const text = Buffer.concat(parts).toString();
	const parsed = extractManifest.safeParse(JSON.parse(text));
	return parsed.success ? { ...parsed.data, sha256: manifestHash(text) } : undefined;
}

/** By which a manifest is announced. */
export const manifestHash = (text: string): string => hash("sha256", text, "hex");
