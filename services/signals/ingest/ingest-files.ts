/** Ingests files by hand, each whole or not at all, and records its outcome. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "#libs/postgres/connect.ts";
import { sumFiles } from "#libs/service/ingest-program.ts";
import { type Content, type FileGroup, newestOf, type Pipeline, type Refused } from "../records/records.ts";
import { describeFiles, type FileReport, fileReport, recordFile, refusal } from "../records/source-files.ts";
import { findFiles, type Unreadable } from "./find-files.ts";
import { readGroups } from "./read-files.ts";
import { storeContent } from "./store.ts";

/** Limits of what one thread reads. Starting it takes as long as reading fifty small files. */
const threadBytes = 16 * 1024 ** 2;
const threadGroups = 200;

interface Options {
	now: () => Date;
	report: (report: FileReport) => void;
	/** Called with each file of a folder that belongs to another source, and what it is. */
	leftOut: (path: string, reason: string) => void;
}

/** Throws when the database fails. A faulty file is an outcome. */
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
	let waiting: FileGroup[] = [];
	let bytes = 0;
	for await (const found of findFiles(source, paths, options.leftOut)) {
		if (!Array.isArray(found)) {
			await record(unreadable(found));
			continue;
		}
		waiting.push(found);
		bytes += found.reduce((sum, file) => sum + file.bytes.length, 0);
		if (bytes < threadBytes && waiting.length < threadGroups) continue;
		await ingest(waiting);
		waiting = [];
		bytes = 0;
	}
	await ingest(waiting);
	return reports;
}

async function storeFile(sql: Sql, files: FileGroup, content: Content | Refused): Promise<FileReport> {
	if ("refused" in content) return refusal(describeFiles(files), content.refused);
	const stored = await storeContent(sql, content);
	return { ...fileReport(files, content, stored), newest: newestOf(content) };
}

const unreadable = ({ name, file, reason }: Unreadable): FileReport =>
	refusal(file === undefined ? { name, sha256: "", sizeBytes: 0 } : describeFiles([file]), `${name}: ${reason}`);

export const sumReports = (source: Pipeline, reports: readonly FileReport[]) => ({
	...sumFiles(source, reports),
	notes: reports.flatMap(({ notes }) => notes).reduce((sum, { count }) => sum + count, 0),
});

/** EDGAR's publications of both kinds of filings share a folder. */
const folders: readonly { folder: string; sources: readonly Pipeline[] }[] = [
	{ folder: "sec", sources: ["form-d", "8-k"] },
	{ folder: "news", sources: ["news"] },
];

/** Loads the folders `news/` and `sec/` below `root`, each file with the reader that recognises it. Returns how many were refused. */
export async function loadFolder(
	sql: Sql,
	root: string,
	{ now, report }: { now: () => Date; report: (line: string) => void },
): Promise<{ refused: number }> {
	let refused = 0;
	for (const { folder, sources } of folders) {
		const path = join(root, folder);
		if (!(await stat(path).catch(() => null))?.isDirectory()) continue;
		const unknown = new Map<string, number>();
		for (const source of sources) {
			const reports = await ingestFiles(sql, source, [path], {
				now,
				report: ({ name, reason }) => reason !== null && report(`${folder}, ${source}: ${name} refused: ${reason}`),
				leftOut: (file) => unknown.set(file, (unknown.get(file) ?? 0) + 1),
			});
			refused += reports.filter(({ outcome }) => outcome === "refused").length;
			const { files, rows_in, stored, known, dropped } = sumReports(source, reports);
			report(
				`${folder}, ${source}: ${files} files, ${rows_in} rows, ${stored} stored, ${known} known already, ${dropped} dropped`,
			);
		}
		for (const [file, times] of unknown)
			if (times === sources.length) report(`${file}: not a file of ${folder}, left out`);
	}
	return { refused };
}
