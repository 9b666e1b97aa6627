/** What became of a reference file, and with it how fresh its source is. */
import { createHash } from "node:crypto";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Dropped, ReferenceFile, ReferenceSource } from "../sources/reference.ts";

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
