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
const manifestMs = 10_000;
const viewMs = 60_000;

/** The manifest in a bucket; undefined if another release wrote it. @throws ObjectMissing if the manifest is missing or damaged */
export async function readManifest(bucket: Bucket): Promise<(ExtractManifest & { sha256: string }) | undefined> {
	const limits = { maxBytes: extractLimits.manifestBytes, timeoutMs: manifestMs };
	const text = Buffer.concat(await Array.fromAsync(readObject(bucket, manifestObject, limits))).toString();
	const parsed = extractManifest.safeParse(JSON.parse(text));
	return parsed.success ? { ...parsed.data, sha256: manifestHash(text) } : undefined;
}

/** Like `readManifest`, but returns undefined if the manifest is missing or damaged: for the owner, which writes a new one. */
export async function readOwnManifest(bucket: Bucket): ReturnType<typeof readManifest> {
	try {
		return await readManifest(bucket);
	} catch (error) {
		if (error instanceof ObjectMissing) return undefined;
		throw error;
	}
}

/** The hash with which a manifest is announced. */
export const manifestHash = (text: string): string => hash("sha256", text, "hex");

/**
 * Names of the objects that have all their pieces. After a power cut, JetStream may count pieces that it has lost: if `suspected`, the
 * objects are also read completely.
 */
export async function listCompleteObjects(
	bucket: Bucket,
	suspected: boolean,
	signal: AbortSignal,
): Promise<Set<string>> {
	const { names, pieces } = await listObjects(bucket);
	const whole = new Set<string>();
	for (const name of names) {
		const object = await statObject(bucket, name);
		if (object === undefined || object.pieces !== (pieces.get(object.id) ?? 0)) continue;
		if (!suspected || (await isReadable(bucket, name, signal))) whole.add(name);
	}
	return whole;
}

interface WrittenManifest {
	/** The manifest as JSON. */
	text: string;
	views: readonly ExtractView[];
	suspected: boolean;
	signal: AbortSignal;
}

/** Whether the manifest and its objects can be read: JetStream acknowledges messages even when its files are damaged. */
export async function isStored(bucket: Bucket, { text, views, suspected, signal }: WrittenManifest): Promise<boolean> {
	const whole = await listCompleteObjects(bucket, suspected, signal);
	const stored = await readOwnManifest(bucket);
	return stored?.sha256 === manifestHash(text) && views.every(({ object }) => whole.has(object));
}

async function isReadable(bucket: Bucket, name: string, signal: AbortSignal): Promise<boolean> {
	const options = { maxBytes: extractLimits.viewBytes, timeoutMs: viewMs, signal };
	try {
		for await (const _ of readObject(bucket, name, options));
		return true;
	} catch (error) {
		if (error instanceof ObjectMissing) return false;
		throw error;
	}
}

/** Deletes the objects that `named` does not contain, and pieces that belong to no object because their writer was killed. */
export async function deleteUnnamedObjects(bucket: Bucket, named: ReadonlySet<string>): Promise<void> {
	const { names, pieces } = await listObjects(bucket);
	const ids = new Set<string>();
	for (const name of names) {
		if (name !== manifestObject && !named.has(name)) await deleteObject(bucket, name);
		else ids.add((await statObject(bucket, name))?.id ?? "");
	}
	for (const id of pieces.keys()) if (!ids.has(id)) await deletePieces(bucket, id);
}
