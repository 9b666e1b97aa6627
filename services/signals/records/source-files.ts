/** Records the outcome of each file in `source_files`, and the resulting freshness of its pipeline in `pipelines`. */
import { createHash } from "node:crypto";
import type { Sql } from "#libs/postgres/connect.ts";
import type { FileOutcome } from "#libs/service/ingest-program.ts";
import type { Content, Dropped, Pipeline, SourceFile, Stored } from "./records.ts";

export interface FileReport extends FileOutcome {
	name: string;
	sha256: string;
	sizeBytes: number;
	dropped: Dropped[];
	notes: Dropped[];
	/**
	 * Publication time (ISO) of the newest record in a file loaded by hand, so that an old file does not make its pipeline fresh.
	 * Undefined for a download, which is current when it is received.
	 */
	newest?: string | null;
}

type FileIdentity = Pick<FileReport, "name" | "sha256" | "sizeBytes">;

/** Identifies files that are stored together by the first name, the number of other files, and one hash of all bytes. */
export function describeFiles(files: readonly SourceFile[]): FileIdentity {
	const hash = createHash("sha256");
	for (const { bytes } of files) hash.update(bytes);
	const [first, ...otherNames] = files.map(({ name }) => name);
	return {
		name: otherNames.length === 0 ? (first ?? "") : `${first} and ${otherNames.length} more`,
		sha256: hash.digest("hex"),
		sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	};
}

export const createReport = (files: readonly SourceFile[], content: Content, stored: Stored): FileReport => ({
	...describeFiles(files),
	...stored,
	rows_in: content.rowsIn,
	dropped: content.dropped,
	notes: content.notes,
	outcome: stored.stored > 0 ? "applied" : "unchanged",
	reason: null,
});

export const createRefusal = (about: FileIdentity, reason: string): FileReport => ({
	...about,
	rows_in: 0,
	stored: 0,
	known: 0,
	dropped: [],
	notes: [],
	outcome: "refused",
	reason,
});

export async function recordFile(sql: Sql, pipeline: Pipeline, report: FileReport, now: Date): Promise<void> {
	const at = now.toISOString();
	const { newest = at } = report;
	const published = newest !== null && Date.parse(newest) > now.getTime() ? at : newest;
	// An older file does not make its pipeline less fresh.
	const latest = (column: string) => sql`greatest(${sql(column)}, ${published}::timestamptz)`;
	await sql.begin(async (tx) => {
		await tx`
			insert into source_files
				(source, name, sha256, size_bytes, rows_in, stored, known, dropped, notes, outcome, reason, received_at)
			values (${pipeline}, ${report.name}, ${report.sha256}, ${report.sizeBytes}, ${report.rows_in}, ${report.stored},
				${report.known}, ${JSON.stringify(report.dropped)}::text::jsonb, ${JSON.stringify(report.notes)}::text::jsonb,
				${report.outcome}, ${report.reason}, ${at})`;
		await tx`
			update pipelines set
				last_checked_at = ${at},
				last_success_at = case when ${report.outcome !== "refused"} then ${latest("last_success_at")} else last_success_at end,
				last_changed_at = case when ${report.stored > 0} then ${latest("last_changed_at")} else last_changed_at end,
				last_outcome = ${report.outcome}
			where pipeline = ${pipeline}`;
	});
}
