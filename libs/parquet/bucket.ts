/** The objects in a bucket of extracts or of the archive: which ones are complete, and which ones the manifest names. */
import { hash } from "node:crypto";
import {
	type Bucket,
	deleteObject,
	deletePieces,
	listObjects,
	ObjectMissing,
	readObject,
	statObject,
} from "#libs/bus/objects.ts";
import {
	type ExtractManifest,
	type ExtractView,
	extractLimits,
	extractManifest,
	manifestObject,
} from "#libs/contract/exports/extracts.ts";

/** Time limits for reading a manifest and a view (ms). */
const manifestTimeoutMs = 10_000;
const viewTimeoutMs = 60_000;

/**
 * Reads the manifest of a bucket. Returns undefined if it was written by a release with a different format.
 * @throws ObjectMissing if the manifest is missing or damaged
 */
export async function readManifest(bucket: Bucket): Promise<(ExtractManifest & { sha256: string }) | undefined> {
	const limits = { maxBytes: extractLimits.manifestBytes, timeoutMs: manifestTimeoutMs };
	const text = Buffer.concat(await Array.fromAsync(readObject(bucket, manifestObject, limits))).toString();
	const parsed = extractManifest.safeParse(JSON.parse(text));
	return parsed.success ? { ...parsed.data, sha256: manifestHash(text) } : undefined;
}

/** Like `readManifest`, but for the owner: returns undefined if the manifest is missing or damaged, because the owner writes a new one. */
export async function readOwnManifest(bucket: Bucket): ReturnType<typeof readManifest> {
	try {
		return await readManifest(bucket);
	} catch (error) {
		if (error instanceof ObjectMissing) return undefined;
		throw error;
	}
}

/** Hash that announces a manifest. */
export const manifestHash = (text: string): string => hash("sha256", text, "hex");

/**
 * Returns the names of the objects that have all their pieces. After a power cut, JetStream may count pieces that it has lost: with
 * `readAll`, each object is therefore also read to its end.
 */
export async function listCompleteObjects(bucket: Bucket, readAll: boolean, signal: AbortSignal): Promise<Set<string>> {
	const { names, pieces } = await listObjects(bucket);
	const completeObjects = new Set<string>();
	for (const name of names) {
		const object = await statObject(bucket, name);
		if (object === undefined || object.pieces !== (pieces.get(object.id) ?? 0)) continue;
		if (!readAll || (await isReadable(bucket, name, signal))) completeObjects.add(name);
	}
	return completeObjects;
}

interface WrittenManifest {
	/** The manifest as JSON. */
	text: string;
	views: readonly ExtractView[];
	readAll: boolean;
	signal: AbortSignal;
}

/** Whether the manifest and its objects can be read back: JetStream acknowledges messages even when its files are damaged. */
export async function isStored(bucket: Bucket, { text, views, readAll, signal }: WrittenManifest): Promise<boolean> {
	const completeObjects = await listCompleteObjects(bucket, readAll, signal);
	const stored = await readOwnManifest(bucket);
	return stored?.sha256 === manifestHash(text) && views.every(({ object }) => completeObjects.has(object));
}

async function isReadable(bucket: Bucket, name: string, signal: AbortSignal): Promise<boolean> {
	const options = { maxBytes: extractLimits.viewBytes, timeoutMs: viewTimeoutMs, signal };
	try {
		for await (const _ of readObject(bucket, name, options));
		return true;
	} catch (error) {
		if (error instanceof ObjectMissing) return false;
		throw error;
	}
}

/** Deletes the objects that are not in `retained`, and pieces that belong to no object because their writer was killed. */
export async function deleteOtherObjects(bucket: Bucket, retained: ReadonlySet<string>): Promise<void> {
	const { names, pieces } = await listObjects(bucket);
	const ids = new Set<string>();
	for (const name of names) {
		if (name !== manifestObject && !retained.has(name)) await deleteObject(bucket, name);
		else ids.add((await statObject(bucket, name))?.id ?? "");
	}
	for (const id of pieces.keys()) if (!ids.has(id)) await deletePieces(bucket, id);
}
