import { type Bucket, deleteObject, deletePieces, listObjects, statObject } from "#libs/bus/objects.ts";
import { manifestObject } from "#libs/contract/extracts.ts";

/** Deletes what no manifest names, and pieces that a writer left behind that was killed. */
export async function tidy(bucket: Bucket, named: ReadonlySet<string>): Promise<void> {
	const { names, pieces } = await listObjects(bucket);
	const ids = new Set<string>();
	for (const name of names) {
		if (name !== manifestObject && !named.has(name)) await deleteObject(bucket, name);
		else ids.add((await statObject(bucket, name))?.id ?? "");
	}
	for (const id of pieces.keys()) if (!ids.has(id)) await deletePieces(bucket, id);
}
