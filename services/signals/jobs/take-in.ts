/** Takes in what was downloaded: read in a thread, stored, and recorded where it said something new. */
import { createHash } from "node:crypto";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { recogniseEightK } from "../sources/eight-k/index.ts";
import { recogniseFormD } from "../sources/form-d/index.ts";
import { type Content, readFiles, type SourceFile } from "./read-file.ts";
import { type FileReport, recordFile } from "./record-file.ts";
import { storeArticles } from "./store-articles.ts";
import { storeFilings } from "./store-filings.ts";
import { storeIndex } from "./store-index.ts";
import { storeRaises } from "./store-raises.ts";
import type { Stored } from "./storing.ts";
import type { Tally, Turn } from "./turn.ts";

export interface TakeInOptions {
	/** Whose reader, where it is not the pipeline's own: EDGAR's feeds list forms of both. */
	reader?: Pipeline;
	/** Records the file even if it said nothing new. */
	always?: boolean;
	/** What is left of the content to store. */
	select?: (content: Content) => Content;
}

export interface TakenIn extends Stored {
	/** Rows that the file holds, wanted or not. */
	rowsIn: number;
}

/**
 * Several files are read together, because a thread is dear, and one by one if one of them cannot be read. Answers null when that is
 * the only one: the refusal is recorded, and the turn goes on. Throws when the database or the reader fails.
 */
export async function takeIn(
	turn: Turn,
	tally: Tally,
	files: readonly SourceFile[],
	options: TakeInOptions = {},
): Promise<TakenIn | null> {
	const source = options.reader ?? turn.pipeline;
	let content: Content;
	try {
		for (const file of files) refuseForeign(source, file);
		content = await readFiles({ source, files: [...files], now: turn.now().toISOString() });
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		if (files.length > 1) return oneByOne(turn, tally, files, options);
		await refuse(turn, tally, files, error.message);
		return null;
	}
	const { rowsIn, dropped, ...records } = options.select?.(content) ?? content;
	const done = await storeContent(turn.sql, records);
	tally.add(done);
	if (done.stored > 0 || options.always) {
		const outcome = done.stored > 0 ? "applied" : "unchanged";
		const report: FileReport = { ...aboutFiles(files), rows_in: rowsIn, dropped, ...done, outcome, reason: null };
		await recordFile(turn.sql, turn.pipeline, report, turn.now());
	}
	return { ...done, rowsIn };
}

async function oneByOne(
	turn: Turn,
	tally: Tally,
	files: readonly SourceFile[],
	options: TakeInOptions,
): Promise<TakenIn> {
	const sum = { stored: 0, known: 0, rowsIn: 0 };
	for (const file of files) {
		const taken = await takeIn(turn, tally, [file], options);
		sum.stored += taken?.stored ?? 0;
		sum.known += taken?.known ?? 0;
		sum.rowsIn += taken?.rowsIn ?? 0;
	}
	return sum;
}

/** Records a file that cannot be used, or that is not where it should be (then without bytes). */
export async function refuse(turn: Turn, tally: Tally, files: readonly SourceFile[], reason: string): Promise<void> {
	tally.complain(reason);
	const about = aboutFiles(files);
	const report: FileReport = { ...about, rows_in: 0, stored: 0, known: 0, dropped: [], outcome: "refused", reason };
	await recordFile(turn.sql, turn.pipeline, report, turn.now());
	turn.log.warn({ pipeline: turn.pipeline, file: about.name, reason }, "a download could not be used");
}

/** The readers of filings pass over what is of no known kind; a download of no known kind is no file. */
function refuseForeign(source: Pipeline, file: SourceFile): void {
	if (source === "news") return;
	const kind = source === "form-d" ? recogniseFormD(file) : recogniseEightK(file);
	if (kind === null) throw new StructureError(`${file.name}: is no file of ${source} that is known`);
}

async function storeContent(sql: Sql, content: Omit<Content, "rowsIn" | "dropped">): Promise<Stored> {
	const parts = [
		await storeIndex(sql, content.index),
		await storeRaises(sql, content.raises),
		await storeFilings(sql, content.filings, content.coFilers),
		await storeArticles(sql, content.articles),
	];
	return parts.reduce((sum, part) => ({ stored: sum.stored + part.stored, known: sum.known + part.known }));
}

function aboutFiles(files: readonly SourceFile[]): { name: string; sha256: string; sizeBytes: number } {
	const hash = createHash("sha256");
	for (const { bytes } of files) hash.update(bytes);
	const [first, ...more] = files.map(({ name }) => name);
	return {
		name: more.length === 0 ? (first ?? "") : `${first} and ${more.length} more`,
		sha256: hash.digest("hex"),
		sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	};
}
