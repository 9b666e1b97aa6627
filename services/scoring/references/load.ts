/** Loads reference files of one source by hand, each whole or not at all, and says what became of it. */

import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { otherList } from "./sources/energy-communities/irs-list.ts";
import { readReference } from "./sources/index.ts";
import type { Dropped, Reference, ReferenceFile, ReferenceSource } from "./sources/reference.ts";
import { loadedRows, storeReference } from "./store.ts";

/** More than the largest known, the 48E(h) program's workbook of all tracts. */
const maxBytes = 64 * 1024 ** 2;

export interface Options {
	now: () => Date;
	/** Called with each file's report as it comes. */
	report: (report: FileReport) => void;
	/** Called with each file of a folder that is none of the source's, and what it is instead. */
	leftOut: (path: string, reason: string) => void;
}

/** Files, or folders of them. Throws when the database fails; what is wrong with a file is its outcome. */
export async function loadReferenceFiles(
	sql: Sql,
	source: ReferenceSource,
	paths: readonly string[],
	{ now, report, leftOut }: Options,
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	for (const path of paths) {
		for (const file of await filesAt(source, path, leftOut)) {
			const done = await loadFile(sql, source, file, now());
			await recordFile(sql, source, done, now());
			report(done);
			reports.push(done);
		}
	}
	return reports;
}

async function loadFile(sql: Sql, source: ReferenceSource, path: string, now: Date): Promise<FileReport> {
	const name = basename(path);
	const read = await readRegularFile(path, maxBytes);
	if (read.bytes === undefined) return refusal(name, null, `${name}: ${read.reason}`);
	return loadBytes(sql, source, { name, bytes: read.bytes }, { now, sample: false });
}

/** `sample`: the bundled sample, and nothing but it. */
export async function loadBytes(
	sql: Sql,
	source: ReferenceSource,
	file: ReferenceFile,
	{ now, sample }: { now: Date; sample: boolean },
): Promise<FileReport> {
	const sha256 = sha256Of(file);
	const loaded = await loadedRows(sql, source, sha256);
	const about = { name: file.name, sha256 };
	const unchanged = {
		...about,
		holds: null,
		rows_in: loaded ?? 0,
		stored: 0,
		known: loaded ?? 0,
		dropped: [],
		noted: [],
	};
	if (loaded !== null) return { ...unchanged, outcome: "unchanged", reason: "the file is loaded already" };
	try {
		const content = await readFile({ source, file, today: now.toISOString().slice(0, 10) });
		const isSample = content.source === "energy-communities" && content.sample;
		if (isSample !== sample) throw new StructureError(`${file.name}: is the bundled sample, which --sample loads`);
		const { stored, known, noted } = await storeReference(
			sql,
			content,
			{ ...about, sizeBytes: file.bytes.length },
			now,
		);
		const { rowsIn } = content;
		const dropped = [...content.dropped, ...repeated(content, stored + known)];
		const outcome = known === 0 ? "applied" : "unchanged";
		return { ...about, holds: titleOf(content), rows_in: rowsIn, stored, known, dropped, noted, outcome, reason: null };
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		const named = error.message.startsWith(file.name) ? error.message : `${file.name}: ${error.message}`;
		return refusal(file.name, file, named);
	}
}

/** Costs of one request and day are one entry. */
function repeated(content: Reference, entries: number): Dropped[] {
	const count = content.source === "ic-costs" ? content.costs.length - entries : 0;
	return count === 0
		? []
		: [{ reason: "the same request and day stand there with a higher cost", count, examples: [] }];
}

function titleOf(content: Reference): string {
	if (content.source === "ic-costs") return "interconnection costs";
	if (content.source === "low-income") return `${content.name}, from ${content.validFrom}`;
	const { notice, kind, complete } = content;
	return `Notice ${notice}, ${kind === "coal-tracts" ? "coal-closure tracts" : complete ? "counties" : "some counties"}`;
}

/** The path itself, or the files of a folder that may be the source's. */
async function filesAt(source: ReferenceSource, path: string, leftOut: Options["leftOut"]): Promise<string[]> {
	if (!(await stat(path).catch(() => undefined))?.isDirectory()) return [path];
	const entries = await readdir(path, { withFileTypes: true });
	const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
	return names.sort().flatMap((name) => {
		const other = strangeName(source, name);
		if (other !== null) leftOut(join(path, name), other);
		return other === null ? [join(path, name)] : [];
	});
}

/** What of a folder is one of the source's by its name, for the rest what it is. */
const names: Record<ReferenceSource, RegExp> = {
	"energy-communities": /\.(tsv|csv|xlsx)$/i,
	"low-income": /^nmtc.*\.json$|lowincome.*\.xlsx$/i,
	"ic-costs": /\.(csv|xlsx)$/i,
};

function strangeName(source: ReferenceSource, name: string): string | null {
	if (!names[source].test(name)) return `no file of ${source}`;
	return source === "energy-communities" ? otherList(name) : null;
}

/** What the last line of an ingest by hand says. */
export interface Sum {
	source: ReferenceSource;
	files: number;
	rows_in: number;
	stored: number;
	known: number;
	/** Rows that became no entry, for the reasons given file by file. */
	dropped: number;
	outcome: "applied" | "unchanged" | "refused" | "failed";
	reason: string | null;
}

/** Refused when a file was; failed when there was none. */
export function sumOf(source: ReferenceSource, reports: readonly FileReport[]): Sum {
	const of = (count: (report: FileReport) => number) => reports.reduce((sum, report) => sum + count(report), 0);
	const outcomes = new Set(reports.map(({ outcome }) => outcome));
	const worst = (["refused", "applied", "unchanged"] as const).find((outcome) => outcomes.has(outcome));
	return {
		source,
		files: reports.length,
		rows_in: of((report) => report.rows_in),
		stored: of((report) => report.stored),
		known: of((report) => report.known),
		dropped: of(({ dropped }) => dropped.reduce((sum, { count }) => sum + count, 0)),
		outcome: worst ?? "failed",
		reason:
			reports.length === 0
				? `no file of ${source} was found`
				: (reports.find(({ outcome }) => outcome === "refused")?.reason ?? null),
	};
}

// MERGED services/scoring/references/load.ts: What became of a reference file, and with it how fresh its source is.
export interface FileReport {
	name: string;
	sha256: string;
	/** What the file is, for people: "Notice 2024-48, counties"; null where it was refused. */
	holds: string | null;
	rows_in: number;
	/** Entries that it made or replaced. */
	stored: number;
	/** Entries that were loaded before. */
	known: number;
	dropped: Dropped[];
	/** What is to be known of what was stored, each half a sentence. */
	noted: string[];
	/** Refused: no row of it is stored. */
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
}

export const sha256Of = ({ bytes }: ReferenceFile): string => createHash("sha256").update(bytes).digest("hex");

/** A file of which nothing is stored; `file` is null where there is none to be read. */
export function refusal(name: string, file: ReferenceFile | null, reason: string): FileReport {
	const sha256 = file === null ? "" : sha256Of(file);
	const nothing = { holds: null, rows_in: 0, stored: 0, known: 0, dropped: [], noted: [] };
	return { name, sha256, ...nothing, outcome: "refused", reason };
}

export async function recordFile(sql: Sql, source: ReferenceSource, report: FileReport, now: Date): Promise<void> {
	const at = now.toISOString();
	await sql`
		update reference_sources set
			last_checked_at = ${at},
			last_success_at = case when ${report.outcome !== "refused"} then ${at}::timestamptz else last_success_at end,
			last_changed_at = case when ${report.outcome === "applied"} then ${at}::timestamptz else last_changed_at end,
			last_outcome = ${report.outcome},
			last_reason = ${report.reason}
		where source = ${source}`;
}

// MERGED services/scoring/references/load.ts: Reads a reference file; whatever may be large when unpacked, in a thread with a bound on its memory and its time.
export interface ReadTask {
	source: ReferenceSource;
	file: ReferenceFile;
	/** YYYY-MM-DD. */
	today: string;
}

/** So few bytes of text cannot hold the caller up for long, and a thread costs a hundred milliseconds. */
const smallBytes = 64 * 1024;

/** Throws `StructureError` for what is no whole file of the source, `Error` for a fault of ours. */
export function readFile(task: ReadTask): Promise<Reference> {
	const { bytes, name } = task.file;
	if (!isZip(bytes) && bytes.length <= smallBytes) return readReference(task.source, task.file, task.today);
	return readInThread(new URL("./read-worker.ts", import.meta.url), name, task);
}
