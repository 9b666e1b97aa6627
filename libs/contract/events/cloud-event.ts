/** CloudEvents 1.0: the attributes of an event that leaves the system. They are the same by whatever transport it goes, so that a reader of two drops what it has. */
import type { EventShape } from "./event.ts";

export interface CloudEventAttributes {
	specversion: "1.0";
	/** Unique with `source`. */
	id: string;
	/** The service that says it, as a path: `/queue-ingest`. */
	source: string;
	/** `queue-ingest.project.changed`: behind `event.` it is the subject at NATS. */
	type: string;
	/** RFC 3339; absent where the event does not say when it occurred. */
	time?: string;
	/** Subject of the event: `PJM-AE1-070`; absent where its id names no one thing. */
	subject?: string;
	datacontenttype: "application/json";
}

/** Description of each attribute, for the documents. */
export const cloudEventNotes: Readonly<Record<keyof CloudEventAttributes, string>> = {
	specversion: "Version of CloudEvents",
	id: "The event's `id`; unique with `source`, and the same when a message is delivered again",
	source: "The service that publishes the event, as a path",
	type: "Publisher and name of the event; behind `event.` it is the subject at NATS",
	time: "The event's `occurred_at`",
	subject:
		"What the event is about: the key in its `id`, of a change the request; absent where it is about no one thing",
	datacontenttype: "Media type of the payload",
};

/** One event: its declaration, and at least these fields of its payload and the one that names its subject. */
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

/** Each attribute as a header of NATS, in binary mode. */
export const headersOf = (attributes: CloudEventAttributes): [name: string, value: string][] =>
	Object.entries(attributes).map(([name, value]) => [`ce-${name}`, encoded(value)]);

/** The same of HTTP, which says `datacontenttype` as its own Content-Type. */
export const httpHeadersOf = (attributes: CloudEventAttributes): Record<string, string> =>
	Object.fromEntries(headersOf(attributes).filter(([name]) => name !== "ce-datacontenttype"));

/** The rule of both bindings: space, `"`, `%` and what is not printable ASCII. */
const encoded = (value: string): string =>
	value.replace(/[^\x21-\x7e]|["%]/gu, (character) =>
		[...new TextEncoder().encode(character)]
			.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`)
			.join(""),
	);

/** An event id is `<name>:<key>:<version>`, and with `:again:<ms>` behind it where the event is published again. */
function keyIn(id: string, name: string): string | undefined {
	if (!id.startsWith(`${name}:`)) return undefined;
	return /^(.+?):\d+(?::again:\d+)?$/.exec(id.slice(name.length + 1))?.[1];
}

/** A text of a payload that is not parsed, by the name of its field: no text within a payload has quotes as a field has them. */
export const textIn = (payload: string, field: string): string | undefined =>
	new RegExp(`"${field}"\\s*:\\s*"([^"\\\\]+)"`).exec(payload)?.[1];
