/** Parameters and texts of all streams of server-sent events. */
import { z } from "zod";
import { integer } from "../params.ts";

export const eventStreamType = "text/event-stream";

/** The response as text: each event has `id`, `event` and one line of `data`, which is JSON. */
export const eventStreamText = () => z.string().describe("Server-sent events: id, event, and data in JSON");

/** For a stream whose ids are positions in a JetStream stream. */
export const afterEvent = (what: string) =>
	integer(0, Number.MAX_SAFE_INTEGER)
		.optional()
		.describe(
			`Start after the event with this id: ${what}; when absent, with new events. The header Last-Event-ID takes precedence`,
		);

export const keptEvents =
	"events are retained for at most 30 days; 0, or the id of an older event, starts with the oldest retained";
