/** Loads files about the owners of companies into `company_evidence`, each file whole or not at all. */

import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql, Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import { wakeRelay } from "#libs/postgres/events/outbox.ts";
import { type ArchivedFile, addHash, archive, type IncomingFile, recordReport } from "../../sources/archive.ts";
import {
	closeAttempt,
	type FileReport,
	type LoadOutcome,
	summarizeOutcomes,
	unchangedReport,
	unreadReport,
} from "../../sources/file-report.ts";
import { insertRows } from "../../sources/insert-rows.ts";
import { lockGroup, lockWriters } from "../../sources/locks.ts";
import type { RawFile } from "../../sources/source.ts";
import type { EvidenceFile } from "../sources/evidence.ts";
import { identifyDevelopers } from "./identify-developers.ts";

/** The largest known file is 4 MB. */
const maxBytes = 64 * 1024 * 1024;
const feed = "companies";

export interface DevelopersReport {
	source: "developers";
	outcome: LoadOutcome;
	files: FileReport[];
	reason: string | null;
}

/** An invalid file has the outcome `quarantined`. Throws only if the database fails. */
export async function loadDevelopers(sql: Sql, incoming: IncomingFile[], now: () => Date): Promise<DevelopersReport> {
	const files: FileReport[] = [];
	for (const file of incoming.map(addHash)) files.push(await loadFile(sql, file, now()));
	return { source: "developers", ...summarizeOutcomes(files), files };
}

async function loadFile(sql: Sql, file: ArchivedFile, now: Date): Promise<FileReport> {
	if (await isLoaded(sql, file.sha256)) return unchangedReport(file);
	if (file.bytes.length > maxBytes)
		return unreadReport(
			file,
			new StructureError(`${file.name}: the file has ${file.bytes.length} bytes, more than the maximum of ${maxBytes}`),
		);
	const id = await archive(sql, feed, now.toISOString(), [file]);
	try {
		const content = await readEvidence(file);
		const { rowsIn, rowsKept, dropped } = content;
		const about = { feed, publishedOn: null, unknownValues: [], unknownColumns: [] };
		await recordReport(sql, id, file.sha256, { ...about, rowsIn, requests: Array(rowsKept), dropped });
		const outcome: LoadOutcome = content.source === null ? "unchanged" : "applied";
		await sql.begin(async (tx) => {
			await lockGroup(tx, feed);
			await lockWriters(tx);
			await writeEvidence(tx, content, file.sha256);
			if (await identifyDevelopers(tx)) {
				await raiseDataVersion(tx);
				await wakeRelay(tx);
			}
			await closeAttempt(tx, id, { outcome, reason: null, rows: rowsKept });
		});
		const report = { holds: content.what, rows_in: rowsIn, rows_stored: rowsKept, reported: dropped };
		return { ...unchangedReport(file), outcome, ...report };
	} catch (error) {
		const report = unreadReport(file, error);
		await closeAttempt(sql, id, report);
		return report;
	}
}

async function isLoaded(sql: Sql, sha256: string): Promise<boolean> {
	const rows = await sql`
		select from company_evidence where sha256 = ${sha256}
		union all select from snapshot_files where sha256 = ${sha256} and feed = ${feed} and requests = 0 limit 1`;
	return rows.count > 0;
}

/** A file contains whole editions, so it replaces the evidence from other files for the same editions. */
async function writeEvidence(tx: Transaction, { source, evidence }: EvidenceFile, sha256: string): Promise<void> {
	if (source === null) return;
	const editions = [...new Set(evidence.map(({ edition }) => edition))];
	await tx`delete from company_evidence where source = ${source} and edition = any(${editions}::text[])`;
	await insertRows(tx, "company_evidence", evidence, { source, sha256 });
}

const worker = new URL("./read-evidence-worker.ts", import.meta.url);

/** @throws StructureError if the file is incomplete or of no supported kind */
const readEvidence = ({ name, bytes }: RawFile): Promise<EvidenceFile> =>
	readInThread(worker, name, { name, bytes } satisfies RawFile);
