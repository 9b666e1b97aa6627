import { type Bucket, listObjects, ObjectMissing, readObject, statObject } from "#libs/bus/objects.ts";
import { type ExtractView, extractLimits } from "#libs/contract/extracts.ts";
import { manifestHash, manifestIn } from "./read-manifest.ts";

const longestMs = 60_000;

/**
 * Names of the objects that have all their pieces. JetStream may have lost some (a power cut), and still count them: `suspected` objects are read
 * from beginning to end.
 */
export async function wholeObjects(bucket: Bucket, suspected: boolean, signal: AbortSignal): Promise<Set<string>> {
	const { names, pieces } = await listObjects(bucket);
	const whole = new Set<string>();
	for (const name of names) {
		const object = await statObject(bucket, name);
		if (object === undefined || object.pieces !== (pieces.get(object.id) ?? 0)) continue;
		if (!suspected || (await isReadable(bucket, name, signal))) whole.add(name);
	}
	return whole;
}

interface Written {
	/** Of the manifest. */
	text: string;
	views: readonly ExtractView[];
	suspected: boolean;
	signal: AbortSignal;
}

/** Whether what was written can be read: JetStream acknowledges messages also when its files are damaged. */
export async function isStored(bucket: Bucket, { text, views, suspected, signal }: Written): Promise<boolean> {
	const whole = await wholeObjects(bucket, suspected, signal);
	const stored = await manifestIn(bucket);
	return stored?.sha256 === manifestHash(text) && views.every(({ object }) => whole.has(object));
}

async function isReadable(bucket: Bucket, name: string, signal: AbortSignal): Promise<boolean> {
	const reading = { maxBytes: extractLimits.viewBytes, timeoutMs: longestMs, signal };
	try {
		for await (const _ of readObject(bucket, name, reading));
		return true;
	} catch (error) {
		if (error instanceof ObjectMissing) return false;
		throw error;
	}
}
