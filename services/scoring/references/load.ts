/** Loads reference files of one source by hand, each completely or not at all, and reports the outcome of each. */
import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { FileOutcome } from "#libs/service/ingest-program.ts";
import { explainOtherList } from "./sources/energy-communities/irs-list.ts";
import { readReference } from "./sources/index.ts";
import type { Dropped, ReferenceFile, ReferenceList, ReferenceSource } from "./sources/reference.ts";
import { readLoadedRows, storeReference } from "./store.ts";

/** The largest known file is the workbook of all tracts of the 48E(h) program. */
const maxBytes = 64 * 1024 ** 2;
/** Text files up to this size are read in this thread, because starting another takes a hundred milliseconds. */
const maxInlineBytes = 64 * 1024;

interface Options {
	now: () => Date;
	report: (report: FileReport) => void;
	/** Called for each file in a folder that is not a list of the source. */
	reportSkipped: (path: string, reason: string) => void;
}

export interface FileReport extends FileOutcome {
	name: string;
	sha256: string;
	/** Description of the content, such as "Notice 2024-48, counties"; null if the file was refused. */
	holds: string | null;
	dropped: Dropped[];
	/** Remarks on what was stored, each a clause. */
	notes: string[];
}

/** @param paths files or folders. @throws if the database fails. An invalid file does not throw; its outcome is `refused` */
export async function loadReferenceFiles(
	sql: Sql,
	source: ReferenceSource,
	paths: readonly string[],
	{ now, report, reportSkipped }: Options,
): Promise<FileReport[]> {
	const reports: FileReport[] = [];
	for (const path of paths) {
		for (const file of await listFiles(source, path, reportSkipped)) {
			const fileReport = await loadFile(sql, source, file, now());
			await recordFile(sql, source, fileReport, now());
			report(fileReport);
			reports.push(fileReport);
		}
	}
	return reports;
}

async function loadFile(sql: Sql, source: ReferenceSource, path: string, now: Date): Promise<FileReport> {
	const name = basename(path);
	const read = await readRegularFile(path, maxBytes);
	if (read.bytes === undefined) return createReport({ name, outcome: "refused", reason: `${name}: ${read.reason}` });
	return loadBytes(sql, source, { name, bytes: read.bytes }, { now, sample: false });
}

const createReport = (report: Pick<FileReport, "name" | "outcome" | "reason"> & Partial<FileReport>): FileReport => ({
	sha256: "",
	holds: null,
	rows_in: 0,
	stored: 0,
	known: 0,
	dropped: [],
	notes: [],
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
	const loaded = await readLoadedRows(sql, source, sha256);
	if (loaded !== null) {
		const reason = "the file is already loaded";
		return createReport({ name, sha256, rows_in: loaded, known: loaded, outcome: "unchanged", reason });
	}
	try {
		const content = await readFile({ source, file, today: now.toISOString().slice(0, 10) });
		const isSample = content.source === "energy-communities" && content.sample;
		if (isSample !== sample) throw new StructureError(`${name} is the bundled sample; load it with --sample`);
		const identity = { name, sha256, sizeBytes: bytes.length };
		const { stored, known, notes } = await storeReference(sql, content, identity, now);
		return {
			name,
			sha256,
			holds: titleOf(content),
			rows_in: content.rowsIn,
			stored,
			known,
			notes,
			dropped: [...content.dropped, ...countLowerCosts(content, stored + known)],
			outcome: known === 0 ? "applied" : "unchanged",
			reason: null,
		};
	} catch (error) {
		if (!(error instanceof StructureError)) throw error;
		const reason = error.message.startsWith(name) ? error.message : `${name}: ${error.message}`;
		return createReport({ name, sha256, outcome: "refused", reason });
	}
}

export interface ReadTask {
	source: ReferenceSource;
	file: ReferenceFile;
	today: string;
}

/** Reads files that may be large when unpacked in a thread with limits on memory and time. @throws StructureError */
function readFile(task: ReadTask): Promise<ReferenceList> {
	const { source, file, today } = task;
	if (!isZip(file.bytes) && file.bytes.length <= maxInlineBytes) return readReference(source, file, today);
	return readInThread(new URL("./read-worker.ts", import.meta.url), file.name, task);
}

function countLowerCosts(content: ReferenceList, entries: number): Dropped[] {
	const count = content.source === "ic-costs" ? content.costs.length - entries : 0;
	return count === 0
		? []
		: [{ reason: "the file has a higher cost for the same request and day", count, examples: [] }];
}

function titleOf(content: ReferenceList): string {
	if (content.source === "ic-costs") return "interconnection costs";
	if (content.source === "low-income") return `${content.name}, from ${content.validFrom}`;
	const { notice, kind, complete } = content;
	return `Notice ${notice}, ${kind === "coal-tracts" ? "coal-closure tracts" : complete ? "counties" : "some counties"}`;
}

/** Records the outcome of a file, which determines the freshness of its source. */
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

/** Returns the path itself, or the files in the folder whose names fit the source. */
async function listFiles(
	source: ReferenceSource,
	path: string,
	reportSkipped: Options["reportSkipped"],
): Promise<string[]> {
	if (!(await stat(path).catch(() => undefined))?.isDirectory()) return [path];
	const entries = await readdir(path, { withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile()).map(({ name }) => ({ name, fault: findFault(source, name) }));
	const sorted = files.sort((a, b) => (a.name < b.name ? -1 : 1));
	for (const { name, fault } of sorted) if (fault !== null) reportSkipped(join(path, name), fault);
	return sorted.filter(({ fault }) => fault === null).map(({ name }) => join(path, name));
}

function findFault(source: ReferenceSource, name: string): string | null {
	if (!fileNames[source].test(name)) return `its name is not that of a ${source} file`;
	return source === "energy-communities" ? explainOtherList(name) : null;
}

/** Formats the report as one line for the person who loads the file. */
export function formatReport(report: FileReport): string {
	const { name, outcome, holds, rows_in, stored, known, dropped, notes, reason } = report;
	if (outcome === "refused") return `${name}: refused, ${reason}`;
	const droppedTexts = dropped.map(
		({ reason: why, count, examples }) => `; dropped ${count}: ${why} (${examples.join(", ")})`,
	);
	const noteTexts = notes.map((note) => `; ${note}`);
	const contentText = holds === null ? "" : `${holds}, `;
	return `${name}: ${outcome}, ${contentText}${rows_in} rows, ${stored} stored, ${known} known already${[...droppedTexts, ...noteTexts].join("")}`;
}
