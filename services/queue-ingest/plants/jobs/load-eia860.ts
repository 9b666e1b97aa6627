/** Loads form EIA-860: files of any years, or a year's archive; each year's set in one transaction, whole or not at all. */

import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import type { ResolveNames } from "../../history/events/record-ownership.ts";
import { removeSample } from "../../history/events/remove-sample.ts";
import {
	type ArchivedFile,
	addHash,
	archive,
	type IncomingFile,
	recordReport,
	sampleUrl,
	unpack,
} from "../../sources/archive.ts";
import {
	closeAttempt,
	type FileReport,
	noteCheck,
	summarizeOutcomes,
	unchangedReport,
	unreadReport,
} from "../../sources/file-report.ts";
import type { RawFile } from "../../sources/source.ts";
import { eia860, maxBytes } from "../sources/index.ts";
import type { ReferenceFile, ScheduleFile } from "../sources/schedule.ts";
import { type Eia860Report, loadYear, type ReadSchedule, type YearReport } from "./load-eia860-year.ts";

/** Recorded instead of the feed's name for documentation and for schedules that are not used. */
const reference = `${eia860.feed} reference`;

export type FollowLinks = (tx: Transaction, source: { snapshotId: number; asOf: string }) => Promise<unknown>;

/**
 * Reports a faulty file as an outcome; throws only if the database fails. `resolve` finds the developers of owners' names. An unreadable
 * file does not hold back the other files of its year, whose data are then loaded without it.
 */
export async function loadEia860(
	sql: Sql,
	incoming: IncomingFile[],
	{ resolve, follow, now }: { resolve: ResolveNames; follow?: FollowLinks; now: () => Date },
): Promise<Eia860Report> {
	const { files, refused } = await unpackAll(incoming);
	const loaded = await loadedFiles(sql);
	const reports = [...refused, ...files.filter((file) => loaded.has(file.sha256)).map(unchangedReport)];
	const fresh = files.filter((file) => !loaded.has(file.sha256));
	const years: YearReport[] = [];
	if (fresh.length > 0) {
		const id = await archive(sql, "EIA-860", now().toISOString(), fresh);
		const read: ReadSchedule[] = [];
		for (const file of fresh) {
			const found = await readFile(sql, id, file);
			if ("content" in found) read.push(found);
			reports.push("content" in found ? found.report : found);
		}
		const isOwn = read.length > 0 && fresh.some((file) => file.url !== sampleUrl);
		if (isOwn) await sql.begin((tx) => removeSample(tx, id));
		for (const year of [...new Set(read.map(({ content }) => content.year))].sort()) {
			const set = read.filter(({ content }) => content.year === year);
			years.push(
				await loadYear(sql, year, set, {
					resolve,
					follow: (tx, asOf) => follow?.(tx, { snapshotId: id, asOf }),
					now: now(),
				}),
			);
		}
		const rows = reports.reduce((sum, file) => sum + file.rows_stored, 0);
		await closeAttempt(sql, id, { ...summarizeOutcomes([...years, ...reports]), rows });
	}
	const { outcome, reason } = summarizeOutcomes([...years, ...reports]);
	if (outcome !== "applied") await noteCheck(sql, eia860.feed, { outcome, reason }, now());
	return { source: "eia860", outcome, years, files: reports, reason };
}

async function unpackAll(incoming: IncomingFile[]): Promise<{ files: ArchivedFile[]; refused: FileReport[] }> {
	const files = new Map<string, ArchivedFile>();
	const refused: FileReport[] = [];
	for (const file of incoming) {
		try {
			const { length } = file.bytes;
			if (length > maxBytes)
				throw new StructureError(
					`${file.name}: has ${length} bytes, more than the maximum of ${maxBytes} for form EIA-860`,
				);
			for (const part of (await unpack(file)).map(addHash)) files.set(part.sha256, part);
		} catch (error) {
			refused.push(unreadReport(file, error));
		}
	}
	return { files: [...files.values()], refused };
}

async function loadedFiles(sql: Sql): Promise<Set<string>> {
	const rows = await sql<{ sha256: string }[]>`
		select sha256 from eia_schedules
		union select sha256 from snapshot_files where feed = ${reference}`;
	return new Set(rows.map((row) => row.sha256));
}

async function readFile(sql: Sql, snapshotId: number, file: ArchivedFile): Promise<ReadSchedule | FileReport> {
	try {
		const content = await readEia860(file);
		const { schedule, year, publishedOn, rowsIn, records, dropped, notes } = content;
		const feed = schedule === null ? reference : eia860.feed;
		await recordReport(sql, snapshotId, file.sha256, {
			feed,
			publishedOn,
			rowsIn,
			requests: records,
			dropped,
			unknownValues: [],
			unknownColumns: [],
		});
		const report: FileReport = {
			...unchangedReport(file),
			holds: content.schedule ?? content.what,
			year,
			rows_in: rowsIn,
			rows_stored: records.length,
			reported: dropped,
			notes,
		};
		return content.schedule === null ? report : { sha256: file.sha256, report, content };
	} catch (error) {
		return unreadReport(file, error);
	}
}

const worker = new URL("./read-eia860-worker.ts", import.meta.url);

/** Throws `StructureError` for an incomplete or unknown file, `Error` for an internal error. */
export const readEia860 = ({ name, bytes }: RawFile): Promise<ScheduleFile | ReferenceFile> =>
	readInThread(worker, name, { name, bytes } satisfies RawFile);
