/** Notes what became of a file, and with it how fresh its pipeline is. */
import { createHash } from "node:crypto";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Dropped } from "../domain/parsed.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import type { SourceFile } from "./read-task.ts";

export interface FileReport {
	name: string;
	sha256: string;
	sizeBytes: number;
	rows_in: number;
	stored: number;
	known: number;
	dropped: Dropped[];
	/** What was left out of the rows that were kept. */
	notes: Dropped[];
	/** Refused: no row of it is stored. */
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
	/**
	 * Of a file given by hand: when the newest of its records was published or filed (ISO), null where it holds none: however lately it was
	 * loaded, its pipeline is no newer. Absent for what the publisher has just sent.
	 */
	newest?: string | null;
}

/** Files that are stored as one have the first one's name, and one hash over all of them. */
export function aboutFiles(files: readonly SourceFile[]): Pick<FileReport, "name" | "sha256" | "sizeBytes"> {
	const hash = createHash("sha256");
	for (const { bytes } of files) hash.update(bytes);
	const [first, ...more] = files.map(({ name }) => name);
	return {
		name: more.length === 0 ? (first ?? "") : `${first} and ${more.length} more`,
		sha256: hash.digest("hex"),
		sizeBytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
	};
}

/** A file of which nothing is stored. */
export const refusal = (about: Pick<FileReport, "name" | "sha256" | "sizeBytes">, reason: string): FileReport => ({
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
	// An older file does not make what came before it older, and a day that is still to come is none.
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
