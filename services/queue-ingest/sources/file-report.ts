/** Outcome of loading a file, printed on the command line and stored with the file. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { IncomingFile } from "./archive.ts";
import type { RowNote } from "./row-account.ts";

export type LoadOutcome = "applied" | "unchanged" | "quarantined" | "failed";

/** Outcome of one file: rows_in = rows_stored + the sum of `reported`; `notes` are said of rows that are stored. */
export interface FileReport {
	file: string;
	outcome: LoadOutcome;
	/** Description of the file: a schedule, or something else. */
	holds: string | null;
	year: number | null;
	rows_in: number;
	rows_stored: number;
	reported: RowNote[];
	notes: RowNote[];
	reason: string | null;
}

/** The report of a file that says nothing new. */
export const unchanged = (file: Pick<IncomingFile, "name">): FileReport => ({
	file: file.name,
	outcome: "unchanged",
	holds: null,
	year: null,
	rows_in: 0,
	rows_stored: 0,
	reported: [],
	notes: [],
	reason: null,
});

/** The report of a file that was not read, and why. */
export const unread = (file: Pick<IncomingFile, "name">, error: unknown): FileReport => ({
	...unchanged(file),
	outcome: error instanceof StructureError ? "quarantined" : "failed",
	reason: error instanceof Error ? error.message : String(error),
});

/** The worst of all outcomes, and every reason. */
export function summary(parts: { outcome: LoadOutcome; reason: string | null }[]): {
	outcome: LoadOutcome;
	reason: string | null;
} {
	const outcomes = parts.map((part) => part.outcome);
	const outcome = (["failed", "quarantined", "applied"] as const).find((one) => outcomes.includes(one)) ?? "unchanged";
	const reasons = [...new Set(parts.map((part) => part.reason).filter((reason) => reason !== null))];
	return { outcome, reason: reasons.length === 0 ? null : reasons.join("; ").slice(0, 2_000) };
}
