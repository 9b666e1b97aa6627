/** Stages, guards, compares and writes one list of a snapshot. */
import type { ProjectRegion } from "#libs/contract/vocabulary.ts";
import type { Transaction } from "#libs/postgres/connect.ts";
import { replaceSample } from "../../history/events/remove-sample.ts";
import { notReplaced, sampleUrl } from "../../sources/archive.ts";
import type { TableLayout } from "../../sources/filed-cells.ts";
import { lockWriters } from "../../sources/locks.ts";
import type { Feed, Source } from "../../sources/source.ts";
import {
	confirmingHours,
	confirmsChange,
	judgeFirstList,
	judgeList,
	type Measures,
	maxExampleRequests,
} from "../guards.ts";
import { sourceOf } from "../sources/index.ts";
import { type Applied, applyList } from "./apply-list.ts";
import { checkDay } from "./check-day.ts";
import { compareCells } from "./compare-cells.ts";
import { compareFields, measureList } from "./compare-list.ts";
import type { StandardFile } from "./files/parse-file.ts";
import { HeldBack, type IngestRequest } from "./record-attempt.ts";
import { stageList } from "./stage-list.ts";

/** Expects the caller's transaction to hold the region's lock. Returns undefined if another replica has already applied the list. @throws HeldBack */
export async function applyFile(
	tx: Transaction,
	id: number,
	request: IngestRequest,
	file: StandardFile,
	now: Date,
	progress: (step: string, share: number) => void,
): Promise<Applied | undefined> {
	const source = sourceOf(file.feed);
	const { asOf } = file;
	progress("stage", 0);
	const isSample = request.files.some((incoming) => incoming.url === sampleUrl);
	if (source.completes !== undefined) await requireCompletedList(tx, source.completes, file.feed);
	else if (!isSample) await replaceSample(tx, source, id, file);
	const previous = await readFeedState(tx, file.feed);
	if (previous?.sha256 === file.sha256) return undefined;
	const elapsedHours = previous && (Date.parse(asOf) - Date.parse(previous.appliedAsOf)) / 3_600_000;
	if (elapsedHours !== undefined && elapsedHours < 0)
		throw new HeldBack(`${file.feed}: the list is older than the applied list of ${previous?.appliedAsOf}`);
	if (previous?.publishedOn && file.publishedOn && file.publishedOn < previous.publishedOn && !request.accept)
		throw new HeldBack(
			`${file.feed}: the list is dated ${file.publishedOn}, but the previous list was dated ${previous.publishedOn}`,
		);
	checkDay(source, request, file, previous?.newestEvent ?? null, now);
	const { superseded } = await stageList(tx, id, request.region, file);
	if (previous === undefined && superseded === file.requests.length && source.partOf === undefined)
		throw new HeldBack(`${file.feed}: the operator's other lists already contain every request`);
	progress("compare", 0.4);
	await guard(tx, source, request, file, elapsedHours);
	await compareFields(tx, source, previous === undefined);
	await compareCells(tx, file.feed, file.tables, previous?.tables ?? null);
	await lockWriters(tx);
	progress("write", 0.6);
	const counts = await applyList(tx, source, {
		id,
		group: request.region,
		region: listRegion(source),
		asOf,
		previousAsOf: previous?.appliedAsOf ?? null,
	});
	await acceptList(tx, id, request, file, counts, now);
	return counts;
}

/** A list that completes another list can only be loaded after that list, and not if only the sample of that list is loaded. */
async function requireCompletedList(tx: Transaction, completed: Feed, feed: Feed): Promise<void> {
	const loaded = await tx`
		select from feeds l join snapshot_files f on f.feed = l.feed and f.sha256 = l.applied_sha256
		where l.feed = ${completed} and f.url is distinct from ${sampleUrl} limit 1`;
	if (loaded.count === 0)
		throw new HeldBack(`${feed}: the list completes requests of the list ${completed}, which must be loaded first`);
}

/** Returns the region of a list's requests. Throws if the publisher is not an operator (LBNL). */
export function listRegion({ feed, region }: Source): ProjectRegion {
	if (region === null) throw new Error(`${feed} is not an operator's list: it has no region`);
	return region;
}

/** Records the list as the feed's current one, with which the next list is compared. */
async function acceptList(
	tx: Transaction,
	id: number,
	request: IngestRequest,
	file: StandardFile,
	counts: Applied,
	now: Date,
): Promise<void> {
	await tx`
		insert into feeds (feed, region, applied_as_of, applied_sha256, published_on, requests, etag, last_modified,
			last_checked_at, last_success_at, last_changed_at, last_outcome)
		select ${file.feed}, ${request.region}, ${file.asOf}, ${file.sha256}, ${file.publishedOn}, ${counts.rows}, f.etag,
			f.last_modified, ${now.toISOString()}, ${file.asOf}, ${file.asOf}, 'applied'
		from snapshot_files f where f.snapshot_id = ${id} and f.feed = ${file.feed}
		on conflict (feed) do update set applied_as_of = excluded.applied_as_of, applied_sha256 = excluded.applied_sha256,
			published_on = excluded.published_on, requests = excluded.requests, etag = excluded.etag,
			last_modified = excluded.last_modified, last_checked_at = excluded.last_checked_at,
			last_success_at = greatest(feeds.last_success_at, excluded.last_success_at),
			last_changed_at = case when ${counts.new + counts.changed + counts.disappeared > 0}
				then excluded.last_changed_at else feeds.last_changed_at end,
			last_outcome = 'applied', last_reason = null`;
}

interface FeedState {
	appliedAsOf: string;
	sha256: string;
	publishedOn: string | null;
	/** Null if the adapter did not report tables when the list was loaded. */
	tables: TableLayout[] | null;
	/** `YYYY-MM-DD`; null if the list has no event, or was loaded before events were recorded. */
	newestEvent: string | null;
}

async function readFeedState(tx: Transaction, feed: Feed): Promise<FeedState | undefined> {
	const [row] = await tx<FeedState[]>`
		select iso(applied_as_of) as "appliedAsOf", applied_sha256 as sha256, feeds.published_on as "publishedOn",
			l.tables, to_char(l.newest_event, 'YYYY-MM-DD') as "newestEvent"
		from feeds left join lateral (
			select tables, newest_event from snapshot_files f where f.feed = feeds.feed and f.sha256 = feeds.applied_sha256
			order by snapshot_id desc limit 1) l on true
		where feed = ${feed} and applied_as_of is not null`;
	return row;
}

/** Holds the list back unless it is plausible, was released by hand, or repeats a sharp change. `elapsedHours`: undefined for a feed's first list. */
export async function guard(
	tx: Transaction,
	source: Source,
	request: IngestRequest,
	file: StandardFile,
	elapsedHours: number | undefined,
	base = "projects",
): Promise<void> {
	if (elapsedHours === undefined) {
		// Only lists loaded by hand can be examples; a downloaded list is always judged.
		const isExample = request.fetchedAt === undefined && file.requests.length <= maxExampleRequests;
		const reasons = isExample ? [] : judgeFirstList(source, file.requests);
		if (reasons.length === 0 || request.accept) return;
		throw new HeldBack(`${source.feed}: the first list may be incomplete: ${reasons.join("; ")}`);
	}
	const malformed = file.dropped.filter((entry) => entry.malformed).reduce((sum, entry) => sum + entry.count, 0);
	const measures = await measureList(tx, source, malformed, base);
	const verdict = judgeList(source, measures, elapsedHours);
	if (verdict.reasons.length === 0 || request.accept) return;
	if (verdict.holdOnce) {
		const [earlier] = await tx<{ measures: Measures; hours: number }[]>`
			select measures, extract(epoch from ${file.asOf}::timestamptz - as_of) / 3600 as hours from snapshots f
			where region = ${request.region} and outcome = 'quarantined' and hold_once and measures ->> 'feed' = ${source.feed}
				and as_of <= ${file.asOf}::timestamptz - make_interval(hours => ${confirmingHours}) and ${notReplaced(tx)}
			order by id desc limit 1`;
		if (earlier !== undefined && confirmsChange(earlier.measures, measures, earlier.hours)) return;
	}
	throw new HeldBack(`${source.feed}: ${verdict.reasons.join("; ")}`, measures, verdict.holdOnce);
}
