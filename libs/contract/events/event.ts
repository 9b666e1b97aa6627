/** The declaration of an event that a service publishes on JetStream. */
import { z } from "zod";
import { timestamp } from "../envelopes.ts";
import type { Owner } from "../operation.ts";
import { integer } from "../params.ts";

export interface EventShape {
	publisher: Owner;
	/** `noun.past`: the subject is `event.<publisher>.<noun>.<past>`. */
	name: `${string}.${string}`;
	summary: string;
	/** A flat payload. `event()` adds `id`, `occurred_at` and `version`. */
	payload: z.ZodType;
	/** The field that contains the subject of the event, if the key in the ID is not the subject. The name occurs only once in the payload. */
	about?: string;
	/** An invented example for documents. Every event of an open publisher has one. */
	example?: object;
}

/** Every event has an `id` for deduplication, its time, and the increasing version of its subject. */
const heading = {
	id: z
		.string()
		.min(1)
		.max(200)
		.describe(
			"Unique to this event: its name, its subject and its version. Consumers ignore an id that they have processed",
		),
	occurred_at: timestamp().describe("When the change was found, or the event was published again"),
	version: z
		.int()
		.min(1)
		.max(Number.MAX_SAFE_INTEGER)
		.describe("Version of the subject, increasing: of two events, the one with the lower version is the older state"),
};

export function event<
	const P extends Owner,
	const N extends `${string}.${string}`,
	S extends z.ZodRawShape,
>(declaration: { publisher: P; name: N; summary: string; payload: S; about?: keyof S & string; example?: object }) {
	return { ...declaration, payload: z.strictObject({ ...heading, ...declaration.payload }) };
}

export const subjectOf = (declared: EventShape): string => `event.${declared.publisher}.${declared.name}`;
/** Name of a publisher's stream: QUEUE_INGEST for queue-ingest. */
export const streamOf = (publisher: Owner): string => publisher.toUpperCase().replaceAll("-", "_");

/** The services whose events are public and mirrored for subscribers. The other services' events are about accounts. */
export const publicPublishers: readonly Owner[] = ["queue-ingest", "signals", "scoring"];

export const eventStreamType = "text/event-stream";

export const eventStreamText = () => z.string().describe("Server-sent events: id, event, and data in JSON");

/** The parameter `after` of a stream whose IDs are positions in a JetStream stream. */
export const afterEvent = (what: string) =>
	integer(0, Number.MAX_SAFE_INTEGER)
		.optional()
		.describe(
			`Start after the event with this id: ${what}; when absent, with new events. The header Last-Event-ID takes precedence`,
		);

export const retainedEventsNote =
	"events are retained for at most 30 days; 0, or the id of an older event, starts with the oldest retained";
