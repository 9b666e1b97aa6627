/** Ingests files given by hand, each of them completely or not at all, and records their outcomes. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import { sumFiles } from "#libs/service/ingest-program.ts";
import { type Content, type FileGroup, newestOf, type Pipeline, type Refused } from "../records/records.ts";
import { createRefusal, createReport, describeFiles, type FileReport, recordFile } from "../records/source-files.ts";
import { findFiles, type UnreadableFile } from "./find-files.ts";
import { readGroups } from "./read-files.ts";
import { storeContent } from "./store.ts";

/** Maximum bytes and groups that one worker thread reads. Starting a worker takes as long as reading fifty small files. */
const maxThreadBytes = 16 * 1024 ** 2;
const maxThreadGroups = 200;

interface Options {
	now: () => Date;
	report: (report: FileReport) => void;
	/** Called for each file in a folder that is not from this source. `reason` describes the file. */
	reportSkipped: (path: string, reason: string) => void;
}

/** Throws if the database fails. A faulty file does not throw but is reported as refused. */
export async function ingestFiles(
	sql: Sql,
	source: Pipeline,
	paths: string[],
	options: Options,
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	const record = async (report: FileReport) => {
		await recordFile(sql, source, report, options.now());
		options.report(report);
		reports.push(report);
	};
	const ingest = async (groups: FileGroup[]) => {
		const contents = await readGroups({ source, groups, now: options.now().toISOString() });
		for (const [at, content] of contents.entries()) await record(await storeFile(sql, groups[at] ?? [], content));
	};
	let waitingGroups: FileGroup[] = [];
	let bytes = 0;
	for await (const groupOrFailure of findFiles(source, paths, options.reportSkipped)) {
		if (!Array.isArray(groupOrFailure)) {
			await record(refuseUnreadable(groupOrFailure));
			continue;
		}
		waitingGroups.push(groupOrFailure);
		bytes += groupOrFailure.reduce((sum, file) => sum + file.bytes.length, 0);
		if (bytes < maxThreadBytes && waitingGroups.length < maxThreadGroups) continue;
		await ingest(waitingGroups);
		waitingGroups = [];
		bytes = 0;
	}
	await ingest(waitingGroups);
	return reports;
}

async function storeFile(sql: Sql, files: FileGroup, content: Content | Refused): Promise<FileReport> {
	if ("refused" in content) return createRefusal(describeFiles(files), content.refused);
	const stored = await storeContent(sql, content);
	return { ...createReport(files, content, stored), newest: newestOf(content) };
}

const refuseUnreadable = ({ name, file, reason }: UnreadableFile): FileReport =>
	createRefusal(file === undefined ? { name, sha256: "", sizeBytes: 0 } : describeFiles([file]), `${name}: ${reason}`);

export const sumReports = (source: Pipeline, reports: readonly FileReport[]) => ({
	...sumFiles(source, reports),
	notes: reports.flatMap(({ notes }) => notes).reduce((sum, { count }) => sum + count, 0),
});

/** Form D and 8-K share a folder, because EDGAR publishes both. */
const folders: readonly { folder: string; sources: readonly Pipeline[] }[] = [
	{ folder: "sec", sources: ["form-d", "8-k"] },
	{ folder: "news", sources: ["news"] },
];

/** Loads the folders `news/` and `sec/` below `root`, each file with the reader that recognizes it. Returns how many were refused. */
export async function loadFolder(
	sql: Sql,
	root: string,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<{ refused: number }> {
	let refused = 0;
	for (const { folder, sources } of folders) {
		const path = join(root, folder);
		if (!(await stat(path).catch(() => null))?.isDirectory()) continue;
		const unrecognizedFiles = new Map<string, number>();
		for (const source of sources) {
			const reports = await ingestFiles(sql, source, [path], {
				now,
				report: ({ name, reason }) => reason !== null && report(`${folder}, ${source}: ${name} refused: ${reason}`),
				reportSkipped: (file) => unrecognizedFiles.set(file, (unrecognizedFiles.get(file) ?? 0) + 1),
			});
			refused += reports.filter(({ outcome }) => outcome === "refused").length;
			const { files, rows_in, stored, known, dropped } = sumReports(source, reports);
			report(
				`${folder}, ${source}: ${files} files, ${rows_in} rows, ${stored} stored, ${known} known already, ${dropped} dropped`,
			);
		}
		for (const [file, times] of unrecognizedFiles)
			if (times === sources.length)
				report(`${file} was not ingested: it is not a known kind of ${sources.join(" or ")} file`);
	}
	return { refused };
}
