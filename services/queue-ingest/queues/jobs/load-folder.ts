/** Loads every dated snapshot of a folder laid out as `<operator>/<date>/<file>`, oldest first. */
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { addHash } from "../../sources/archive.ts";
import { correctionInName, dateInName, savedOn } from "../../sources/as-of.ts";
import type { RawFile, Source } from "../../sources/source.ts";
import { fileNameOf, sources } from "../sources/index.ts";
import { recogniseContent } from "./files/recognise.ts";
import { ingestSnapshot } from "./ingest-snapshot.ts";
import { loadLbnl } from "./load-lbnl.ts";
import type { IngestResult } from "./record-attempt.ts";

export interface FolderFile {
	/** Relative to the folder. */
	path: string;
	source: Source;
	/** Day by which files are ordered (`YYYY-MM-DD`): the day in the name, else the day when the workbook was saved or the file changed. */
	date: string;
}

/** Receives the outcome of each file when it has been loaded. */
export type Report = (line: string, result: ReportedResult | null) => void;

export async function loadFolder(
	sql: Sql,
	folder: string,
	options: { asOf: string | null; now: () => Date; report: Report },
): Promise<{ failed: number }> {
	const { files, ignored } = await snapshotFiles(folder);
	for (const path of ignored) options.report(`${path}: skipped, not recognized as a list of a queue`, null);
	let failed = 0;
	for (const file of files) {
		const incoming = { name: basename(file.path), path: file.path, bytes: await readFile(join(folder, file.path)) };
		if (await wasApplied(sql, file.source, addHash(incoming).sha256)) {
			options.report(`${file.path}: already loaded`, null);
			continue;
		}
		const { region } = file.source;
		const result =
			region === null
				? await loadLbnl(sql, incoming, options.now())
				: await ingestSnapshot(sql, { region, files: [incoming], asOf: options.asOf, now: options.now });
		if (result.outcome === "failed" || result.outcome === "quarantined") failed++;
		options.report(`${file.path}: ${describeResult(result)}`, result);
	}
	return { failed };
}

export type ReportedResult = Omit<IngestResult<string>, "region">;

/** Describes a result in one line, such as `applied as of 2026-07-20, 2285 requests, 12 new`. */
export function describeResult(result: ReportedResult): string {
	const when = result.as_of === null ? "" : ` as of ${result.as_of.slice(0, 10)}`;
	const parts = [`${result.outcome}${when}`];
	if (result.outcome === "applied")
		parts.push(
			`${result.rows} requests`,
			`${result.new} new`,
			`${result.changed} changed`,
			`${result.withdrawn} withdrawn`,
			`${result.disappeared} newly missing`,
		);
	if (result.reason !== null) parts.push(result.reason);
	return parts.join(", ");
}

/** The lists of all utilities share a folder. */
const folderOf = ({ region, feed, utility }: Source): string =>
	utility ? "non_iso" : region === null ? feed : fileNameOf(region);

/**
 * Searches `folder` and the folders of operators in it. Returns the files that belong to a list (`files`, oldest first), and those that belong
 * to none or are in the folder of a different operator (`ignored`).
 */
export async function snapshotFiles(folder: string): Promise<{ files: FolderFile[]; ignored: string[] }> {
	const files: FolderFile[] = [];
	const ignored: string[] = [];
	const classify = async (path: string, candidates: readonly Source[]) => {
		const file = await recogniseFile(folder, path, candidates);
		if (file === undefined) ignored.push(path);
		else files.push(file);
	};
	for (const [name, candidates] of Map.groupBy(sources, folderOf)) {
		const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true }).catch(() => []);
		for (const entry of entries.filter((candidate) => candidate.isFile()))
			await classify(relative(folder, join(entry.parentPath, entry.name)), candidates);
	}
	const looseEntries = await readdir(folder, { withFileTypes: true }).catch(() => []);
	for (const entry of looseEntries.filter((candidate) => candidate.isFile())) await classify(entry.name, sources);
	// On one day, the cycle list comes before the serial list, which it supersedes, and a corrected file after the one that it replaces.
	const precedence = (file: FolderFile) => sources.indexOf(file.source);
	const correction = ({ path }: FolderFile) => correctionInName(path);
	files.sort(
		(a, b) =>
			a.date.localeCompare(b.date) ||
			precedence(a) - precedence(b) ||
			correction(a) - correction(b) ||
			a.path.localeCompare(b.path),
	);
	return { files, ignored: ignored.sort() };
}

async function recogniseFile(
	folder: string,
	path: string,
	candidates: readonly Source[],
): Promise<FolderFile | undefined> {
	const full = join(folder, path);
	const { size, mtime } = await stat(full);
	if (candidates.every((source) => size > source.maxBytes)) return undefined;
	const file = { name: basename(path), bytes: await readFile(full) };
	const source = candidates.find((candidate) => candidate.recognises(file)) ?? (await sourceByContent(file));
	if (source === undefined || !candidates.includes(source)) return undefined;
	const date = dateInName(path) ?? (await savedOn(file.bytes)) ?? mtime.toISOString().slice(0, 10);
	return { path, source, date };
}

/** Returns undefined if the file fits no list or several lists. */
async function sourceByContent(file: RawFile): Promise<Source | undefined> {
	try {
		return await recogniseContent(file);
	} catch (error) {
		if (error instanceof StructureError) return undefined;
		throw error;
	}
}

async function wasApplied(sql: Sql, { feed }: Source, sha256: string): Promise<boolean> {
	const rows = await sql`
		select from snapshot_files f join snapshots s on s.id = f.snapshot_id
		where f.sha256 = ${sha256} and f.feed = ${feed} and s.outcome in ('applied', 'backfilled', 'retracted') limit 1`;
	return rows.count > 0;
}
