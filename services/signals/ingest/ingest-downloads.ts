/** Reads downloaded files in a thread, stores them as one, and records them where something was new. */
import type { Ingested, IngestOptions, StepRun } from "../polling/poll.ts";
import type { Content, SourceFile } from "../records/records.ts";
import { fileReport, recordFile } from "../records/source-files.ts";
import { describeUnknown, recogniseKind } from "./find-files.ts";
import { readGroups } from "./read-files.ts";
import { storeContent } from "./store.ts";

/** Throws when the database or the reader fails. It records each file that cannot be read, and continues without it. */
export async function ingestDownloads(
	run: StepRun,
	files: readonly SourceFile[],
	{ reader, always, select }: IngestOptions,
): Promise<Ingested | null> {
	const { pipeline } = run.poll;
	const source = reader ?? pipeline;
	const groups = files.map((file) => [file]);
	const contents = await readGroups({ source, groups, now: run.now().toISOString() });
	const accepted: SourceFile[] = [];
	const read: Content[] = [];
	for (const [at, file] of files.entries()) {
		// The readers of filings skip a file of an unknown kind. As a download it is an error.
		const isUnknown = source !== "news" && recogniseKind(source, file) === null;
		const content = isUnknown ? { refused: `${file.name}: ${describeUnknown(file).reason}` } : contents[at];
		if (content === undefined) throw new Error(`${file.name}: the reader returned no content`);
		if ("refused" in content) await run.refuse(file, content.refused);
		else {
			accepted.push(file);
			read.push(content);
		}
	}
	if (accepted.length === 0) return null;
	const joined = joinContents(read);
	const content = select?.(joined) ?? joined;
	const stored = await storeContent(run.sql, content);
	run.accepted++;
	run.stored += stored.stored;
	run.known += stored.known;
	if (stored.stored > 0 || always)
		await recordFile(run.sql, pipeline, fileReport(accepted, content, stored), run.now());
	return { ...stored, rowsIn: content.rowsIn };
}

const joinContents = (contents: readonly Content[]): Content => ({
	rowsIn: contents.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
	dropped: contents.flatMap(({ dropped }) => dropped),
	notes: contents.flatMap(({ notes }) => notes),
	articles: contents.flatMap(({ articles }) => articles),
	raises: contents.flatMap(({ raises }) => raises),
	index: contents.flatMap(({ index }) => index),
	filings: contents.flatMap(({ filings }) => filings),
	coFilers: contents.flatMap(({ coFilers }) => coFilers),
});
