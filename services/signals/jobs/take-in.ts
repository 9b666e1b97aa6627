/** Takes in what was downloaded: read in a thread, stored, and recorded where it said something new. */
import type { Pipeline } from "../domain/pipelines.ts";
import { readGroups } from "./read-file.ts";
import type { Content, SourceFile } from "./read-task.ts";
import { aboutFiles, type FileReport, recordFile, refusal } from "./record-file.ts";
import { storeContent } from "./store-content.ts";
import type { Stored } from "./storing.ts";
import type { Tally, Turn } from "./turn.ts";
import { describeUnknown, kindOf } from "./unknown-files.ts";

export interface TakeInOptions {
	/** Whose reader, where it is not the pipeline's own: EDGAR's feeds list forms of both. */
	reader?: Pipeline;
	/** Records the file even if it said nothing new. */
	always?: boolean;
	/** What is left of the content to store. */
	select?: (content: Content) => Content;
}

export interface TakenIn extends Stored {
	/** Rows that the files hold, wanted or not. */
	rowsIn: number;
}

/**
 * Several files are read by one thread and stored as one, without those that cannot be read: their refusals are recorded, and the turn
 * goes on. Null when none of them could be. Throws when the database or the reader fails.
 */
export async function takeIn(
	turn: Turn,
	tally: Tally,
	files: readonly SourceFile[],
	options: TakeInOptions = {},
): Promise<TakenIn | null> {
	const source = options.reader ?? turn.pipeline;
	const now = turn.now().toISOString();
	const contents = await readGroups({ source, groups: files.map((file) => [file]), now });
	const accepted: SourceFile[] = [];
	const read: Content[] = [];
	for (const [at, file] of files.entries()) {
		const content = isUnknown(source, file)
			? { refused: `${file.name}: ${describeUnknown(file).reason}` }
			: contents[at];
		if (content === undefined) throw new Error("a file was read as none");
		if ("refused" in content) {
			await refuse(turn, tally, file, content.refused);
			continue;
		}
		accepted.push(file);
		read.push(content);
	}
	if (accepted.length === 0) return null;
	const joined = joinContents(read);
	const { rowsIn, dropped, notes, ...records } = options.select?.(joined) ?? joined;
	const done = await storeContent(turn.sql, records);
	tally.add(done);
	if (done.stored > 0 || options.always) {
		const outcome = done.stored > 0 ? "applied" : "unchanged";
		const report: FileReport = {
			...aboutFiles(accepted),
			rows_in: rowsIn,
			dropped,
			notes,
			...done,
			outcome,
			reason: null,
		};
		await recordFile(turn.sql, turn.pipeline, report, turn.now());
	}
	return { ...done, rowsIn };
}

/** Records a file that cannot be used, or that is not where it should be (then without bytes). */
export async function refuse(turn: Turn, tally: Tally, file: SourceFile, reason: string): Promise<void> {
	tally.complain(reason);
	const about = aboutFiles([file]);
	await recordFile(turn.sql, turn.pipeline, refusal(about, reason), turn.now());
	turn.log.warn({ pipeline: turn.pipeline, file: about.name, reason }, "a download could not be used");
}

/** The readers of filings pass over what is of no known kind; a download of no known kind is no file. */
const isUnknown = (source: Pipeline, file: SourceFile): boolean => source !== "news" && kindOf(source, file) === null;

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
