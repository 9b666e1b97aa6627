/** Checks the day of a list against the events in its rows. */
import { newestEvent } from "../../sources/inner-events.ts";
import type { Source } from "../../sources/source.ts";
import type { StandardFile } from "./files/parse-file.ts";
import { HeldBack, type IngestRequest } from "./record-attempt.ts";

/**
 * Throws `HeldBack` if the list has an event after its day, unless the list or its download states the day. Also throws it if the list is a
 * stale copy: its newest event is older than that of the previous list (`previousNewest`). A stale copy is accepted if a person gives its day,
 * and both are accepted with `accept`.
 */
export function checkDay(
	source: Source,
	request: Pick<IngestRequest, "asOf" | "fetchedAt" | "accept">,
	{ feed, asOf, events, publishedOn }: StandardFile,
	previousNewest: string | null,
	now: Date,
): void {
	if (request.accept) return;
	const day = asOf.slice(0, 10);
	const isStated = request.asOf === null && (request.fetchedAt !== undefined || publishedOn !== null);
	const newestOfAll = newestEvent(events, now.toISOString());
	if (!isStated && newestOfAll !== undefined && newestOfAll > day)
		throw new HeldBack(`${feed}: the list contains an event of ${newestOfAll}, so it is not a list of ${day}`);
	// A list of active requests loses the requests that have events, so its newest event may become older.
	if (request.asOf !== null || source.coverage === "active-only") return;
	const newest = newestEvent(events, asOf);
	if (newest !== undefined && previousNewest !== null && newest < previousNewest)
		throw new HeldBack(
			`${feed}: the newest event in the list is from ${newest}, but the previous list has one from ${previousNewest}, so the list is older than ${day}: give its day with --as-of`,
		);
}
