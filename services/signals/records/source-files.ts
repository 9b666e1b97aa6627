/** The table `source_files`: the outcome of each file, which also gives the freshness of its pipeline. */
import { createHash } from "node:crypto";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Content, Dropped, Pipeline, SourceFile, Stored } from "./records.ts";

export interface FileReport {
	name: string;
	sha256: string;
	sizeBytes: number;
	rows_in: number;
	stored: number;
	known: number;
	dropped: Dropped[];
	notes: Dropped[];
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
	/**
	 * Publication of the newest record (ISO) of a file that was loaded by hand: loading an old file does not make its pipeline fresh.
	 * Absent for a download, which is as fresh as its pipeline can be.
	 */
	newest?: string | null;
}

type FileIdentity = Pick<FileReport, "name" | "sha256" | "sizeBytes">;

/** Files that are stored together have the name of the first and one hash over all. */
export function describeFiles(files: readonly SourceFile[]): FileIdentity {
	const hash = createHash("sha256");
	for (const { bytes } of files) hash.update(bytes);
	const [first, ...more] = files.map(({ name }) => name);
	return {
		name: more.length === 0 ? (first ?? "") : `${first} and ${more.length} more`,
		sha256: hash.digest("hex"),
		sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	};
}

export const fileReport = (files: readonly SourceFile[], content: Content, stored: Stored): FileReport => ({
	...describeFiles(files),
	...stored,
	rows_in: content.rowsIn,
	dropped: content.dropped,
	notes: content.notes,
	outcome: stored.stored > 0 ? "applied" : "unchanged",
	reason: null,
});

export const refusal = (about: FileIdentity, reason: string): FileReport => ({
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
	// An older file does not change the freshness of its pipeline.
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
