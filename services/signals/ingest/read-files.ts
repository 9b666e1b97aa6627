/** Reads files of a pipeline in a worker thread with limits on memory and time. */
import { isGzip, isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { readEightK } from "../filings/sources/read-8-k.ts";
import { readNews } from "../news/sources/read-news.ts";
import { readFormD } from "../raises/sources/read-form-d.ts";
import { joinParsed } from "../records/account.ts";
import type { Content, FileGroup, Parsed, Pipeline, ReadTask, Refused } from "../records/records.ts";

/** Files up to this size are read in this thread: they cannot block it for long, and starting a worker takes a hundred milliseconds. */
const maxInlineBytes = 64 * 1024;

/** False for archives, because the size of their content is unknown. */
function isSmall(groups: FileGroup[]): boolean {
	const files = groups.flat();
	return (
		files.every(({ bytes }) => !isZip(bytes) && !isGzip(bytes)) &&
		files.reduce((sum, { bytes }) => sum + bytes.length, 0) <= maxInlineBytes
	);
}

/** Returns the content of each group, or why it is refused. If the worker dies, each group is read again in a separate worker. */
export async function readGroups(task: ReadTask): Promise<(Content | Refused)[]> {
	const [first] = task.groups;
	if (first === undefined) return [];
	if (isSmall(task.groups)) return readAll(task);
	try {
		return await readInThread(new URL("./read-worker.ts", import.meta.url), first[0]?.name ?? "", task);
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		if (task.groups.length === 1) return [{ refused: error.message }];
		const contents: (Content | Refused)[] = [];
		for (const group of task.groups) contents.push(...(await readGroups({ ...task, groups: [group] })));
		return contents;
	}
}

/** Reads in this thread. Throws only for internal errors. */
export async function readAll({ source, groups, now }: ReadTask): Promise<(Content | Refused)[]> {
	const contents: (Content | Refused)[] = [];
	for (const group of groups) {
		try {
			contents.push(await readGroup(source, group, new Date(now)));
		} catch (error) {
			if (!(error instanceof StructureError)) throw error;
			contents.push({ refused: error.message });
		}
	}
	return contents;
}

async function readGroup(source: Pipeline, files: FileGroup, now: Date): Promise<Content> {
	if (source === "form-d") {
		const { filings, index } = await readFormD(files, { now });
		return { ...combineCounts(filings, index), raises: filings.records, index: index.records };
	}
	if (source === "8-k") {
		const parts = files.map((file) => readEightK(file, now));
		const filings = joinParsed(parts.map((part) => part.filings));
		const index = joinParsed(parts.map((part) => part.index));
		return { ...combineCounts(filings, index), filings: filings.records, index: index.records };
	}
	const parts = await Promise.all(files.map(readNews));
	return { ...combineCounts(...parts), articles: parts.flatMap(({ records }) => records) };
}

const combineCounts = (...parts: Parsed<unknown>[]): Content => ({
	articles: [],
	raises: [],
	index: [],
	filings: [],
	rowsIn: parts.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
	dropped: parts.flatMap(({ dropped }) => dropped),
	notes: parts.flatMap(({ notes }) => notes),
});
