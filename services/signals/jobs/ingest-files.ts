/** Takes in files of one source, each whole or not at all, and records what became of it. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Dropped } from "../domain/parsed.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { findFiles, type Unreadable } from "./find-files.ts";
import { readGroups } from "./read-file.ts";
import { type Content, type FileGroup, newestOf, type Refused } from "./read-task.ts";
import { aboutFiles, type FileReport, recordFile, refusal } from "./record-file.ts";
import { storeContent } from "./store-content.ts";

/** What one thread reads: starting it takes as long as reading fifty small files. */
const threadBytes = 16 * 1024 ** 2;
const threadGroups = 200;

export interface Options {
	now: () => Date;
	/** Called with each file's report as it comes. */
	report: (report: FileReport) => void;
	/** Called with each file of a folder that is none of the source's, and what it is instead. */
	leftOut: (path: string, reason: string) => void;
}

/** Throws when the database fails; what is wrong with a file is its outcome. */
export async function ingestFiles(
	sql: Sql,
	source: Pipeline,
	paths: string[],
	options: Options,
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	const keep = async (report: FileReport) => {
		await recordFile(sql, source, report, options.now());
		options.report(report);
		reports.push(report);
	};
	const ingest = async (groups: FileGroup[]) => {
		const contents = await readGroups({ source, groups, now: options.now().toISOString() });
		for (const [at, content] of contents.entries()) await keep(await storeFile(sql, groups[at] ?? [], content));
	};
	let waiting: FileGroup[] = [];
	let bytes = 0;
	for await (const found of findFiles(source, paths, options.leftOut)) {
		if (!Array.isArray(found)) {
			await keep(unreadable(found));
			continue;
		}
		waiting.push(found);
		bytes += sizeOf(found);
		if (bytes < threadBytes && waiting.length < threadGroups) continue;
		await ingest(waiting);
		waiting = [];
		bytes = 0;
	}
	await ingest(waiting);
	return reports;
}

async function storeFile(sql: Sql, files: FileGroup, content: Content | Refused): Promise<FileReport> {
	if ("refused" in content) return refusal(aboutFiles(files), content.refused);
	const { stored, known } = await storeContent(sql, content);
	return {
		...aboutFiles(files),
		rows_in: content.rowsIn,
		stored,
		known,
		dropped: content.dropped,
		notes: content.notes,
		outcome: stored > 0 ? "applied" : "unchanged",
		reason: null,
		newest: newestOf(content),
	};
}

const unreadable = ({ name, file, reason }: Unreadable): FileReport =>
	refusal(file === undefined ? { name, sha256: "", sizeBytes: 0 } : aboutFiles([file]), `${name}: ${reason}`);

const sizeOf = (files: FileGroup): number => files.reduce((sum, { bytes }) => sum + bytes.length, 0);

/** What the last line of an ingest by hand says. */
export interface Sum {
	source: Pipeline;
	files: number;
	rows_in: number;
	stored: number;
	known: number;
	/** Rows that became no record, for the reasons given file by file. */
	dropped: number;
	/** Values left out of rows that were kept, and rows of further tables that fit none; likewise. */
	notes: number;
	outcome: "applied" | "unchanged" | "refused" | "failed";
	reason: string | null;
}

/** Refused when a file was; failed when there was none. */
export function sumOf(source: Pipeline, reports: readonly FileReport[]): Sum {
	const of = (count: (report: FileReport) => number) => reports.reduce((sum, report) => sum + count(report), 0);
	const refusals = reports.filter(({ outcome }) => outcome === "refused");
	const stored = of((report) => report.stored);
	const taken = stored > 0 ? "applied" : "unchanged";
	const outcome = refusals.length > 0 ? "refused" : reports.length === 0 ? "failed" : taken;
	return {
		source,
		files: reports.length,
		rows_in: of((report) => report.rows_in),
		stored,
		known: of((report) => report.known),
		dropped: of((report) => countOf(report.dropped)),
		notes: of((report) => countOf(report.notes)),
		outcome,
		reason: reports.length === 0 ? `no file of ${source} was found` : (refusals[0]?.reason ?? null),
	};
}

const countOf = (rows: readonly Dropped[]): number => rows.reduce((sum, { count }) => sum + count, 0);
