/** Outcome of loading a file, printed on the command line and stored with the file. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Fragment, Sql, Transaction } from "#libs/postgres/connect.ts";
import type { IncomingFile } from "./archive.ts";
import type { Dropped, ListGroup } from "./source.ts";

export type LoadOutcome = "applied" | "unchanged" | "quarantined" | "failed";

/** Outcome of one file: rows_in = rows_stored + the sum of `reported`; `notes` concern stored rows. */
export interface FileReport {
	file: string;
	outcome: LoadOutcome;
	/** Description of the content, such as a schedule. */
	holds: string | null;
	year: number | null;
	rows_in: number;
	rows_stored: number;
	reported: Dropped[];
	notes: Dropped[];
	reason: string | null;
}

/** Returns the report of a file without anything new. */
export const unchangedReport = (file: Pick<IncomingFile, "name">): FileReport => ({
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

export const unreadReport = (file: Pick<IncomingFile, "name">, error: unknown): FileReport => ({
	...unchangedReport(file),
	outcome: error instanceof StructureError ? "quarantined" : "failed",
	reason: error instanceof Error ? error.message : String(error),
});

export function summarizeOutcomes(parts: readonly AttemptOutcome[]): AttemptOutcome {
	const outcomes = parts.map((part) => part.outcome);
	const outcome = (["failed", "quarantined", "applied"] as const).find((one) => outcomes.includes(one)) ?? "unchanged";
	const reasons = [...new Set(parts.map((part) => part.reason).filter((reason) => reason !== null))];
	return { outcome, reason: reasons.length === 0 ? null : reasons.join("; ").slice(0, 2_000) };
}

interface AttemptOutcome {
	outcome: LoadOutcome;
	reason: string | null;
}

export async function closeAttempt(
	sql: Sql | Transaction,
	id: number,
	attempt: AttemptOutcome & { rows?: number },
): Promise<void> {
	const { outcome, reason, rows = 0 } = attempt;
	await sql`
		update snapshots set outcome = ${outcome}, reason = ${reason}, rows = ${rows}, finished_at = now() where id = ${id}`;
}

/** Records the time and outcome of a check that did not change a feed. `region`: set for a list of requests. */
export async function noteCheck(
	sql: Sql | Transaction,
	feed: string,
	attempt: AttemptOutcome,
	now: Date,
	region: ListGroup | null = null,
): Promise<void> {
	await sql`
		insert into feeds (feed, region, last_checked_at, last_outcome, last_reason)
		values (${feed}, ${region}, ${now.toISOString()}, ${attempt.outcome}, ${attempt.reason})
		on conflict (feed) do update set last_checked_at = excluded.last_checked_at, last_outcome = excluded.last_outcome,
			last_reason = excluded.last_reason`;
}

/** Records the applied state of a feed from `state`, a query of newest, published_on, stored and sha256. */
export async function noteApplied(tx: Transaction, feed: string, state: Fragment, now: Date): Promise<void> {
	await tx`
		insert into feeds (feed, applied_as_of, applied_sha256, published_on, requests, last_checked_at, last_success_at,
			last_changed_at, last_outcome)
		select ${feed}, newest, sha256, published_on, stored, ${now.toISOString()}, newest, newest, 'applied' from (${state}) f
		on conflict (feed) do update set applied_as_of = excluded.applied_as_of, applied_sha256 = excluded.applied_sha256,
			published_on = excluded.published_on, requests = excluded.requests, last_checked_at = excluded.last_checked_at,
			last_success_at = excluded.last_success_at, last_changed_at = excluded.last_changed_at, last_outcome = 'applied',
			last_reason = null`;
}
