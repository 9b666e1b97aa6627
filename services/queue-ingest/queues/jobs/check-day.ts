/** Checks the day of a list by the events in its rows. */
import { newestEvent } from "../../sources/inner-events.ts";
import type { Source } from "../../sources/source.ts";
import type { StandardFile } from "./files/parse-file.ts";
import { Held, type IngestRequest } from "./record-attempt.ts";

/**
 * Throws `Held` for a list with an event after its day, if a person or a name gave the day, and for a stale copy: its newest event is older
 * than the previous list's (`newestBefore`). A day given by a person releases the latter, `accept` both.
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
		throw new Held(`${feed}: it is not a list of ${day}: its newest event is of ${later}`);
	// Requests with events leave lists of active requests.
	if (request.asOf !== null || source.coverage === "active-only") return;
	const newest = newestEvent(events, asOf);
	if (newest !== undefined && newestBefore !== null && newest < newestBefore)
		throw new Held(
			`${feed}: its newest event is of ${newest}, that of the list before of ${newestBefore}: it is older than ${day}; give its day with --as-of`,
		);
}
