/** Loads reference files of one source by hand, each whole or not at all, and reports on each. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { whyNoCountyList } from "./sources/energy-communities/irs-list.ts";
import { readReference } from "./sources/index.ts";
import type { Dropped, Reference, ReferenceFile, ReferenceSource } from "./sources/reference.ts";
import { loadedRows, storeReference } from "./store.ts";

/** The largest known file is the 48E(h) program's workbook of all tracts. */
const maxBytes = 64 * 1024 ** 2;
/** Text up to this size is read in this thread, because starting another takes a hundred milliseconds. */
const smallBytes = 64 * 1024;

export interface Options {
	now: () => Date;
	report: (report: FileReport) => void;
	/** Called with each file of a folder that is not a list of the source, and the reason. */
	leftOut: (path: string, reason: string) => void;
}

export interface FileReport {
	name: string;
	sha256: string;
	/** A description such as "Notice 2024-48, counties"; null where the file was refused. */
	holds: string | null;
	rows_in: number;
	stored: number;
	known: number;
	dropped: Dropped[];
	/** Remarks on what was stored, each half a sentence. */
	noted: string[];
	/** No row of a refused file is stored. */
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
}

/** @param paths files or folders. @throws if the database fails; an invalid file has the outcome `refused` instead */
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
	if (read.bytes === undefined) return reportOf({ name, outcome: "refused", reason: `${name}: ${read.reason}` });
	return loadBytes(sql, source, { name, bytes: read.bytes }, { now, sample: false });
}

const reportOf = (report: Pick<FileReport, "name" | "outcome" | "reason"> & Partial<FileReport>): FileReport => ({
	...{ sha256: "", holds: null, rows_in: 0, stored: 0, known: 0, dropped: [], noted: [] },
	...report,
});

/** `sample`: the file must be the bundled sample; otherwise it must not be. */
export async function loadBytes(
	sql: Sql,
	source: ReferenceSource,
	file: ReferenceFile,
	{ now, sample }: { now: Date; sample: boolean },
): Promise<FileReport> {
	const { name, bytes } = file;
	const sha256 = createHash("sha256").update(bytes).digest("hex");
	const loaded = await loadedRows(sql, source, sha256);
	if (loaded !== null) {
		const reason = "the file is loaded already";
		return reportOf({ name, sha256, rows_in: loaded, known: loaded, outcome: "unchanged", reason });
	}
	try {
		const content = await readFile({ source, file, today: now.toISOString().slice(0, 10) });
		const isSample = content.source === "energy-communities" && content.sample;
		if (isSample !== sample) throw new StructureError(`${name}: is the bundled sample, which --sample loads`);
		const about = { name, sha256, sizeBytes: bytes.length };
		const { stored, known, noted } = await storeReference(sql, content, about, now);
		return {
			...{ name, sha256, holds: titleOf(content), rows_in: content.rowsIn, stored, known, noted },
			dropped: [...content.dropped, ...lowerCosts(content, stored + known)],
			outcome: known === 0 ? "applied" : "unchanged",
			reason: null,
		};
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		const reason = error.message.startsWith(name) ? error.message : `${name}: ${error.message}`;
		return reportOf({ name, sha256, outcome: "refused", reason });
	}
}

export interface ReadTask {
	source: ReferenceSource;
	file: ReferenceFile;
	today: string;
}

/** Files that may be large when unpacked are read in a thread with limits on memory and time. @throws StructureError */
function readFile(task: ReadTask): Promise<Reference> {
	const { source, file, today } = task;
	if (!isZip(file.bytes) && file.bytes.length <= smallBytes) return readReference(source, file, today);
	return readInThread(new URL("./read-worker.ts", import.meta.url), file.name, task);
}

function lowerCosts(content: Reference, entries: number): Dropped[] {
	const count = content.source === "ic-costs" ? content.costs.length - entries : 0;
	return count === 0
		? []
		: [{ reason: "the file has a higher cost for the same request and day", count, examples: [] }];
}

function titleOf(content: Reference): string {
	if (content.source === "ic-costs") return "interconnection costs";
	if (content.source === "low-income") return `${content.name}, from ${content.validFrom}`;
	const { notice, kind, complete } = content;
	return `Notice ${notice}, ${kind === "coal-tracts" ? "coal-closure tracts" : complete ? "counties" : "some counties"}`;
}

/** Records the outcome of a file, from which the freshness of its source follows. */
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

export const fileNames: Record<ReferenceSource, RegExp> = {
	"energy-communities": /\.(tsv|csv|xlsx)$/i,
	"low-income": /^nmtc.*\.json$|lowincome.*\.xlsx$/i,
	"ic-costs": /\.(csv|xlsx)$/i,
};

/** The path itself, or the files of a folder that may be lists of the source. */
async function filesAt(source: ReferenceSource, path: string, leftOut: Options["leftOut"]): Promise<string[]> {
	if (!(await stat(path).catch(() => undefined))?.isDirectory()) return [path];
	const entries = await readdir(path, { withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map(({ name }) => ({ name, fault: faultOf(source, name) }));
	const sorted = files.sort((a, b) => (a.name < b.name ? -1 : 1));
	for (const { name, fault } of sorted) if (fault !== null) leftOut(join(path, name), fault);
	return sorted.filter(({ fault }) => fault === null).map(({ name }) => join(path, name));
}

function faultOf(source: ReferenceSource, name: string): string | null {
	if (!fileNames[source].test(name)) return `not a file of ${source}`;
	return source === "energy-communities" ? whyNoCountyList(name) : null;
}

/** One line for a person who loads files. */
export function formatReport(report: FileReport): string {
	const { name, outcome, holds, rows_in, stored, known, dropped, noted, reason } = report;
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const lost = dropped.map(({ reason: why, count, examples }) => `; dropped ${count}: ${why} (${examples.join(", ")})`);
	const notes = noted.map((note) => `; ${note}`);
	const what = holds === null ? "" : `${holds}, `;
	return `${name}: ${outcome}, ${what}${rows_in} rows, ${stored} stored, ${known} known already${[...lost, ...notes].join("")}`;
}
