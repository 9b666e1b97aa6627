/** Reads files of a source in a thread with a bound on its memory and its time. */
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { readAll } from "./read-content.ts";
import type { Content, FileGroup, ReadTask, Refused } from "./read-task.ts";

/** Files that are read as one. Throws `StructureError` when they are not whole, `Error` for a fault of ours. */
export async function readFiles(task: { source: Pipeline; files: FileGroup; now: string }): Promise<Content> {
	const [content] = await readGroups({ source: task.source, groups: [task.files], now: task.now });
	if (content === undefined) throw new Error("a group of files was read as none");
	if ("refused" in content) throw new StructureError(content.refused);
	return content;
}

/** So few bytes cannot hold a thread up for long, and a thread costs a hundred milliseconds. */
const smallBytes = 64 * 1024;

const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Archives are never small: what they inflate to is unknown. */
function isSmall(groups: FileGroup[]): boolean {
	const files = groups.flat();
	return (
		files.every(({ bytes }) => !isZip(bytes) && !isGzip(bytes)) &&
		files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= smallBytes
	);
}

/** Of each group its content or why it is refused. What a thread does not survive is read again by itself. */
export async function readGroups(task: ReadTask): Promise<(Content | Refused)[]> {
	const [first] = task.groups;
	if (first === undefined) return [];
	if (isSmall(task.groups)) return readAll(task);
	try {
		return await readInThread(new URL("./read-worker.ts", import.meta.url), first[0]?.name ?? "", task);
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		if (task.groups.length === 1) return [{ refused: error.message }];
		const each: (Content | Refused)[] = [];
		for (const group of task.groups) each.push(...(await readGroups({ ...task, groups: [group] })));
		return each;
	}
}
