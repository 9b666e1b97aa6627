/** Notes what became of a file, and with it how fresh its pipeline is. */
import type { Sql } from "#libs/postgres/connect.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import type { Dropped } from "../sources/parsed.ts";

export interface FileReport {
	name: string;
	sha256: string;
	sizeBytes: number;
	rows_in: number;
	stored: number;
	known: number;
	dropped: Dropped[];
	/** Refused: no row of it is stored. */
	outcome: "applied" | "unchanged" | "refused";
	reason: string | null;
}

export async function recordFile(sql: Sql, pipeline: Pipeline, report: FileReport, now: Date): Promise<void> {
	const at = now.toISOString();
	await sql.begin(async (tx) => {
		await tx`
			insert into source_files (source, name, sha256, size_bytes, rows_in, stored, known, dropped, outcome, reason, received_at)
			values (${pipeline}, ${report.name}, ${report.sha256}, ${report.sizeBytes}, ${report.rows_in}, ${report.stored},
				${report.known}, ${JSON.stringify(report.dropped)}::text::jsonb, ${report.outcome}, ${report.reason}, ${at})`;
		await tx`
			update pipelines set
				last_checked_at = ${at},
				last_success_at = case when ${report.outcome !== "refused"} then ${at}::timestamptz else last_success_at end,
				last_changed_at = case when ${report.stored > 0} then ${at}::timestamptz else last_changed_at end,
				last_outcome = ${report.outcome}
			where pipeline = ${pipeline}`;
	});
}
