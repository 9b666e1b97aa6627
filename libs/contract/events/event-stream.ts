/** Parameters and texts that all streams of server-sent events share. */
import { z } from "zod";
import { integer } from "../params.ts";

export const eventStreamType = "text/event-stream";

/** Text of the answer: each event has `id`, `event` and one line of `data`, which is JSON. */
export const eventStreamText = () => z.string().describe("Server-sent events: id, event, and data in JSON");

/** For a stream whose ids are places in a stream of JetStream. */
export const afterEvent = (what: string) =>
	integer(0, Number.MAX_SAFE_INTEGER)
		.optional()
		.describe(
			`Begin after the event with this id: ${what}; from now on when absent. The header Last-Event-ID says the same and wins`,
		);

export const keptEvents =
	"events are kept for 30 days at most; 0 begins with the oldest that is kept, as does the id of one that is not";
