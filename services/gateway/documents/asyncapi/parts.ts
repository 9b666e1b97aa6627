/** Code that the transports of the AsyncAPI document share: the type of a transport, and the description of an event as a message. */
import { cloudEventNotes } from "#libs/contract/events/cloud-event.ts";
import type { EventShape } from "#libs/contract/events/event.ts";
import { type JsonObject, jsonSchema } from "../../registry/json-schema.ts";

/** A way to receive events. Names of its servers, channels, operations and messages are unique among all transports. */
export interface Transport {
	name: string;
	guide: string[];
	/** Complete programs. */
	samples: Sample[];
	servers: JsonObject;
	channels: JsonObject;
	/** Operations from the subscriber's side. */
	operations: JsonObject;
	messages: JsonObject;
	securitySchemes: JsonObject;
}

export interface Sample {
	title: string;
	code: string;
}

export const refTo = (...path: string[]): { $ref: string } => ({ $ref: `#/${path.join("/")}` });

export const capitalize = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Schema of the headers that carry CloudEvents attributes. Some have the same value in each message of the event. */
export function cloudEventHeadersSchema({ publisher, name }: Pick<EventShape, "publisher" | "name">): JsonObject {
	const fixed: Partial<Record<string, string>> = {
		specversion: "1.0",
		source: `/${publisher}`,
		type: `${publisher}.${name}`,
		datacontenttype: "application/json",
	};
	return Object.fromEntries(
		Object.entries(cloudEventNotes).map(([attribute, description]) => [
			`ce-${attribute}`,
			{
				type: "string",
				description,
				...(attribute in fixed && { const: fixed[attribute] }),
				...(attribute === "time" && { format: "date-time" }),
			},
		]),
	);
}

export function eventMessage(declared: EventShape, headers: JsonObject, example: (payload: object) => JsonObject) {
	const { publisher, name, summary, payload, example: shown } = declared;
	return {
		name: `${publisher}.${name}`,
		title: name,
		summary,
		contentType: "application/json",
		tags: [{ name: publisher }],
		headers,
		payload: jsonSchema(payload, "draft-7"),
		...(shown !== undefined && { examples: [{ name: "invented", headers: example(shown), payload: shown }] }),
	};
}

/** The service's HTTP server. `publicUrl` is empty if it is not configured. */
export function apiServer(publicUrl = ""): JsonObject {
	const title = "The service over HTTP";
	if (publicUrl === "")
		return {
			title,
			host: "{host}",
			protocol: "http",
			variables: { host: { default: "localhost:8080", description: "Where this document came from" } },
		};
	const { host, protocol, pathname } = new URL(publicUrl);
	return { title, host, protocol: protocol.replace(":", ""), ...(pathname !== "/" && { pathname }) };
}
