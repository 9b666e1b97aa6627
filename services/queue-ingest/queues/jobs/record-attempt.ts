/** Records the outcome of an attempt to ingest a snapshot, and returns it. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";
import type { ArchivedFile, IncomingFile } from "../../sources/archive.ts";
import { newestOf, toTheSecond } from "../../sources/as-of.ts";
import { type LoadOutcome, noteCheck } from "../../sources/file-report.ts";
import type { Feed, ListGroup } from "../../sources/source.ts";
import type { Measures } from "../guards.ts";
import { sourcesOf } from "../sources/index.ts";
import type { Applied } from "./apply-list.ts";
import type { ReadFile, StandardFile } from "./files/parse-file.ts";

/** Each figure is a number of projects. `withdrawn`: known ones that became Withdrawn; `disappeared`: newly missing. */
export interface IngestResult<O = LoadOutcome> extends Applied {
	region: ListGroup;
	as_of: string | null;
	outcome: O;
	reason: string | null;
}

export interface IngestRequest {
	region: ListGroup;
	files: IncomingFile[];
	/** ISO time given by the user; if null, it is derived from the file, its name or `fetchedAt`. */
	asOf: string | null;
	/** ISO time of the download. It is also the time of a list that contains no day. */
	fetchedAt?: string;
	/** Whether a person released the list: plausibility is not checked, but a faulty structure is still refused. */
	accept?: boolean;
	/** The lists of the only file, if they are already parsed. */
	parsedLists?: readonly ReadFile[];
	/** For a progress bar: the step, and the finished share (0 to 1). */
	onProgress?: (step: string, share: number) => void;
	now?: () => Date;
}

export const noChanges: Applied = { rows: 0, new: 0, changed: 0, status_changes: 0, withdrawn: 0, disappeared: 0 };

/** Thrown by guards: the list is refused like one with a faulty structure. `holdOnce`: a second, similar list is accepted. */
export class HeldBack extends StructureError {
	readonly measures: Measures | null;
	readonly holdOnce: boolean;
	constructor(reason: string, measures: Measures | null = null, holdOnce = false) {
		super(reason);
		this.measures = measures;
		this.holdOnce = holdOnce;
	}
}

/**
 * Records that polled lists are still the applied ones. Returns `asOf`, else the time of the applied list. Does not raise the data
 * version: responses about polls (freshness, sources, integrity) are cached for seconds only.
 */
export async function recordUnchanged(
	sql: Sql,
	region: ListGroup,
	feeds: Feed[],
	asOf: string | null,
	now: Date,
): Promise<string | null> {
	const [row] = await sql<{ as_of: string | null }[]>`
		with polled as (
			update feeds set last_checked_at = ${now.toISOString()}, last_outcome = 'unchanged', last_reason = null,
				-- A list that states its day does not become newer when it is fetched again.
				last_success_at = greatest(last_success_at, case when published_on is null then ${asOf}::timestamptz end)
			where feed = any(${feeds}::text[])
			returning feed, coalesce(${asOf}::timestamptz, applied_as_of) as as_of),
		noted as (
			insert into snapshots (region, feed, as_of, outcome, finished_at)
			select ${region}, feed, as_of, 'unchanged', now() from polled)
		select iso(max(as_of)) as as_of from polled`;
	return row?.as_of ?? asOf;
}

/** Records why a snapshot was not applied; served data does not change. */
export async function recordRejection(
	sql: Sql,
	id: number,
	request: IngestRequest,
	files: ArchivedFile[],
	parsed: StandardFile[],
	error: unknown,
	now: Date,
): Promise<IngestResult> {
	const outcome = error instanceof StructureError ? "quarantined" : "failed";
	const reason = error instanceof Error ? error.message : String(error);
	const asOf = request.asOf ?? newestOf(parsed.map((file) => file.asOf)) ?? request.fetchedAt ?? now.toISOString();
	const affected = affectedFeeds(request.region, files, parsed);
	const measures =
		error instanceof HeldBack && error.measures !== null ? { ...error.measures, feed: reason.split(":")[0] } : null;
	await sql.begin(async (tx) => {
		await tx`
			update snapshots set outcome = ${outcome}, reason = ${reason}, as_of = ${asOf}, finished_at = now(),
				hold_once = ${error instanceof HeldBack && error.holdOnce},
				measures = ${measures === null ? null : JSON.stringify(measures)}::text::jsonb
			where id = ${id}`;
		for (const feed of affected) await noteCheck(tx, feed, { outcome, reason }, now, request.region);
		await raiseDataVersion(tx);
	});
	return { region: request.region, as_of: toTheSecond(asOf), outcome, ...noChanges, reason };
}

function affectedFeeds(region: ListGroup, files: ArchivedFile[], parsed: StandardFile[]): Feed[] {
	if (parsed.length > 0) return parsed.map((file) => file.feed);
	const requested = files.flatMap((file) => file.feed ?? []);
	if (requested.length > 0) return requested;
	const matchingSources = files.flatMap((file) => sourcesOf(region).filter((source) => source.recognises(file)));
	const [first] = sourcesOf(region);
	return matchingSources.length > 0
		? matchingSources.map((source) => source.feed)
		: first === undefined
			? []
			: [first.feed];
}

/** Records a list that failed before it could be identified: the download failed or the file is unreadable. */
export async function recordFailure(
	sql: Sql,
	region: ListGroup,
	feed: Feed | null,
	outcome: "quarantined" | "failed",
	reason: string,
	asOf: string,
	now: Date,
): Promise<IngestResult> {
	await sql.begin(async (tx) => {
		await tx`
			insert into snapshots (region, feed, as_of, outcome, reason, finished_at)
			values (${region}, ${feed}, ${asOf}, ${outcome}, ${reason}, now())`;
		if (feed !== null) await noteCheck(tx, feed, { outcome, reason }, now, region);
		await raiseDataVersion(tx);
	});
	return { region, as_of: toTheSecond(asOf), outcome, ...noChanges, reason };
}
