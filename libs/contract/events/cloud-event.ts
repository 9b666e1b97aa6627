/**
 * CloudEvents 1.0 attributes of an event that leaves the system. They are the same on all transports, so that a consumer of two transports can
 * detect duplicates.
 */
import type { EventShape } from "./event.ts";

export interface CloudEventAttributes {
	specversion: "1.0";
	/** Unique together with `source`. */
	id: string;
	/** The publishing service as a path: `/queue-ingest`. */
	source: string;
	/** `queue-ingest.project.changed`; the NATS subject is `event.` followed by the type. */
	type: string;
	/** RFC 3339; absent if the event has no time. */
	time?: string;
	/** Subject of the event, such as `PJM-AE1-070`; absent if it has more than one. */
	subject?: string;
	datacontenttype: "application/json";
}

/** Description of each attribute, for the documents. */
export const cloudEventNotes: Readonly<Record<keyof CloudEventAttributes, string>> = {
	specversion: "Version of CloudEvents",
	id: "The event's `id`; unique with `source`, and the same when a message is delivered again",
	source: "The service that publishes the event, as a path",
	type: "Publisher and name of the event; prefixed with `event.`, it is the NATS subject",
	time: "The event's `occurred_at`",
	subject:
		"Subject of the event: the key in its `id`, or the request of a change; absent if there is more than one subject",
	datacontenttype: "Media type of the payload",
};

/** Derives an event's attributes from its declaration and payload. */
export function cloudEvent(
	{ publisher, name, about }: Pick<EventShape, "publisher" | "name" | "about">,
	payload: { id: string; occurred_at?: string | undefined; [field: string]: unknown },
): CloudEventAttributes {
	const { id, occurred_at } = payload;
	const subject = about === undefined ? keyIn(id, name) : payload[about];
	return {
		specversion: "1.0",
		id,
		source: `/${publisher}`,
		type: `${publisher}.${name}`,
		...(occurred_at !== undefined && { time: occurred_at }),
		...(typeof subject === "string" && { subject }),
		datacontenttype: "application/json",
	};
}

/** The attributes as NATS headers, in binary mode. */
export const headersOf = (attributes: CloudEventAttributes): [name: string, value: string][] =>
	Object.entries(attributes).map(([name, value]) => [`ce-${name}`, percentEncode(value)]);

/** The attributes as HTTP headers, where Content-Type replaces `datacontenttype`. */
export const httpHeadersOf = (attributes: CloudEventAttributes): Record<string, string> =>
	Object.fromEntries(headersOf(attributes).filter(([name]) => name !== "ce-datacontenttype"));

/** Encodes a value as both bindings require: spaces, `"`, `%` and everything that is not printable ASCII. */
const percentEncode = (value: string): string =>
	value.replace(/[^\x21-\x7e]|["%]/gu, (character) =>
		[...new TextEncoder().encode(character)]
			.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
			.join(""),
	);

/** An event id is `<name>:<key>:<version>`, followed by `:again:<ms>` if the event is published again. */
function keyIn(id: string, name: string): string | undefined {
	if (!id.startsWith(`${name}:`)) return undefined;
	return /^(.+?):\d+(?::again:\d+)?$/.exec(id.slice(name.length + 1))?.[1];
}

/** Reads a text field of a JSON payload without parsing the payload. This is safe because quotes within texts are escaped. */
export const textIn = (payload: string, field: string): string | undefined =>
	new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]+)"`).exec(payload)?.[1];
