/** Downloads an operator's list and ingests it. A failure is recorded and does not stop other lists. */
import type { Validators } from "#libs/files/download.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { writtenAhead } from "#libs/postgres/written-ahead.ts";
import type { Logger } from "#libs/service/logger.ts";
import { schedule } from "#libs/service/schedule.ts";
import { httpClient } from "../../sources/http.ts";
import type { Feed, Http, Source } from "../../sources/source.ts";
import { sources } from "../sources/index.ts";
import { ingestSnapshot } from "./ingest-snapshot.ts";
import { describeResult } from "./load-folder.ts";
import { type IngestResult, noChanges, recordFailure, recordUnchanged } from "./record-attempt.ts";

/** Hours from a failed poll to the next. */
export const retryHours = 1;
/** Maximum hours from a successful poll to the next. A list with a shorter cadence is polled at its cadence. */
const maxPollHours = 24;

export const isPolled = ({ download }: Source): boolean => download !== undefined;

export const pollHours = ({ cadenceHours }: Pick<Source, "cadenceHours">): number =>
	Math.min(cadenceHours, maxPollHours);

/** Whether the list is due for a poll. The time of the last one is stored, so that a restart does not download the list again. */
export async function isDue(sql: Sql, source: Source, now: Date): Promise<boolean> {
	const [row] = await sql<{ due: boolean }[]>`
		select not paused and (last_checked_at is null or ${writtenAhead(sql, sql`last_checked_at`, now)} or last_checked_at <= ${now.toISOString()}::timestamptz
			- make_interval(secs => 3600 * case when last_outcome in ('failed', 'quarantined') then ${retryHours}
				else ${pollHours(source)} end::float8)) as due
		from feeds where feed = ${source.feed}`;
	return row?.due ?? true;
}

/** Throws if the list is loaded by hand. */
export async function refreshSource(
	sql: Sql,
	source: Source,
	options: {
		now: () => Date;
		signal: AbortSignal;
		http?: (validators: Validators | undefined, signal: AbortSignal, maxBytes: number) => Http;
	},
): Promise<IngestResult> {
	const { region } = source;
	if (region === null || source.download === undefined)
		throw new Error(`${source.feed} is loaded by hand: it cannot be polled`);
	const at = options.now();
	const fetchedAt = at.toISOString();
	const client = (options.http ?? httpClient)(await readValidators(sql, source.feed), options.signal, source.maxBytes);
	try {
		const file = await source.download(client);
		if (file === "not-modified") {
			await recordUnchanged(sql, region, [source.feed], fetchedAt, at);
			return { region, as_of: fetchedAt, outcome: "unchanged", ...noChanges, reason: null };
		}
		return await ingestSnapshot(sql, {
			region,
			asOf: null,
			fetchedAt,
			now: options.now,
			files: [{ ...file, path: file.name, feed: source.feed }],
		});
	} catch (error) {
		const reason = `${source.feed}: ${error instanceof Error ? error.message : String(error)}`;
		const outcome = error instanceof StructureError ? "quarantined" : "failed";
		return recordFailure(sql, region, source.feed, outcome, reason, fetchedAt, at);
	}
}

async function readValidators(sql: Sql, feed: Feed): Promise<Validators | undefined> {
	const [row] = await sql<Validators[]>`
		select etag, last_modified as "lastModified" from feeds where feed = ${feed} and applied_as_of is not null`;
	return row;
}

/** Interval between checks for lists that are due (ms). */
const everyMs = 5 * 60_000;

export function refreshJobs(sql: Sql, log: Logger, now: () => Date): AsyncDisposable[] {
	return sources.filter(isPolled).map((source) =>
		schedule({
			name: `refresh-${source.feed}`,
			everyMs,
			jitterMs: 30_000,
			sql,
			log,
			async run(signal) {
				if (!(await isDue(sql, source, now()))) return;
				const result = await refreshSource(sql, source, { now, signal });
				const level = result.outcome === "failed" || result.outcome === "quarantined" ? "warn" : "info";
				log[level]({ feed: source.feed, ...result }, describeResult(result));
			},
		}),
	);
}
