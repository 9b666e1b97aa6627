/** Checks the day of a list by the events in its rows. */
import { newestEvent } from "../../sources/inner-events.ts";
import type { Source } from "../../sources/source.ts";
import type { StandardFile } from "./files/parse-file.ts";
import { HeldBack, type IngestRequest } from "./record-attempt.ts";

/**
 * Throws `HeldBack` if the list has an event later than its day (unless the list or its download states the day), and if it is a stale copy:
 * its newest event is older than that of the previous list (`newestBefore`). A day that a person gives releases a stale copy; `accept`
 * releases both.
 */
export function checkDay(
	source: Source,
	request: Pick<IngestRequest, "asOf" | "fetchedAt" | "accept">,
	{ feed, asOf, events, publishedOn }: StandardFile,
	newestBefore: string | null,
	now: Date,
): void {
	if (request.accept) return;
	const day = asOf.slice(0, 10);
	const isStated = request.asOf === null && (request.fetchedAt !== undefined || publishedOn !== null);
	const later = newestEvent(events, now.toISOString());
	if (!isStated && later !== undefined && later > day)
		throw new HeldBack(`${feed}: contains an event of ${later}, so it is not a list of ${day}`);
	// A list of active requests loses the requests that have events, so its newest event may become older.
	if (request.asOf !== null || source.coverage === "active-only") return;
	const newest = newestEvent(events, asOf);
	if (newest !== undefined && newestBefore !== null && newest < newestBefore)
		throw new HeldBack(
			`${feed}: its newest event is of ${newest}, but the previous list has one of ${newestBefore}, so it is older than ${day}: give its day with --as-of`,
		);
}
