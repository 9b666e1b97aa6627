/** Streams of server-sent events, derived from the operations that have a stream. */

import type { EventShape } from "#libs/contract/events/event.ts";
import { openEvents } from "#libs/contract/index.ts";
import type { HttpOperation } from "../../registry/bindings.ts";
import { isRequired, type JsonObject, type JsonSchema, jsonSchema } from "../../registry/json-schema.ts";
import { basePlaceholder, callUrl } from "../calls.ts";
import { apiServer, capitalize, refTo, type Sample, type Transport } from "./parts.ts";

type EventStream = HttpOperation & {
	operation: { eventStream: NonNullable<HttpOperation["operation"]["eventStream"]> };
};

const hasEventStream = (one: HttpOperation): one is EventStream => one.operation.eventStream !== undefined;

export function sseTransport(operations: readonly HttpOperation[], publicUrl = ""): Transport {
	const streams = operations.filter(hasEventStream);
	const messages = streams.flatMap((stream) =>
		Object.entries(stream.operation.eventStream).map(
			([event, data]) =>
				[messageName(stream, event), message(stream.http.path, event, jsonSchema(data, "draft-7"))] as const,
		),
	);
	return {
		name: "Server-sent events",
		guide,
		samples: streams.slice(0, 1).map((stream) => sample(stream, publicUrl)),
		servers: { api: apiServer(publicUrl) },
		channels: Object.fromEntries(streams.map((stream) => [stream.name, channel(stream)])),
		operations: Object.fromEntries(streams.map((stream) => [`receive${capitalize(stream.name)}`, receive(stream)])),
		messages: Object.fromEntries(messages),
		securitySchemes: {
			key: {
				type: "httpApiKey",
				in: "header",
				name: "X-API-Key",
				description: "A key, `pk_...`; a free one is at /register",
			},
		},
	};
}

const guide = [
	"A GET whose response (`text/event-stream`) does not end: each event has an `id`, its name as `event`, and the message as JSON in `data`. A line that begins with a colon is a heartbeat.",
	"After a lost connection, continue with the last `id` in the header `Last-Event-ID`, or in `after`: browsers and libraries for `EventSource` do so automatically. The first bytes contain the position at which a stream begins, so that it can be resumed before its first event.",
	"Events have no headers here, so `x-cloudevents` of each message describes the attributes of CloudEvents 1.0: fixed values, or a location in the data (`$message.payload#/...`). `id` and `time` are `id` and `occurred_at` of the data, the same as at NATS; a row of /changes/stream has neither, and is identified by its `seq`.",
];

const messageName = ({ name }: HttpOperation, event: string): string =>
	`${name}${event.split(".").map(capitalize).join("")}`;

function channel(stream: EventStream): JsonObject {
	const { operation, http } = stream;
	const names = Object.keys(operation.eventStream).map((event) => messageName(stream, event));
	return {
		address: http.path,
		title: http.path,
		description: operation.summary,
		servers: [refTo("servers", "api")],
		messages: Object.fromEntries(names.map((name) => [name, refTo("components", "messages", name)])),
	};
}

function receive(stream: EventStream): JsonObject {
	const { name, operation, http } = stream;
	const params = Object.entries(operation.params.shape);
	const required = params.filter(([, schema]) => isRequired(schema)).map(([each]) => each);
	const query = {
		type: "object",
		properties: Object.fromEntries(params.map(([each, schema]) => [each, jsonSchema(schema, "draft-7")])),
		...(required.length > 0 && { required }),
	};
	return {
		action: "receive",
		channel: refTo("channels", name),
		summary: operation.summary,
		description: `The response of ${http.method} ${http.path}, which does not end. A client that was disconnected continues after the \`Last-Event-ID\` that it sends.`,
		security: [refTo("components", "securitySchemes", "key")],
		messages: Object.keys(operation.eventStream).map((event) =>
			refTo("channels", name, "messages", messageName(stream, event)),
		),
		bindings: { http: { method: http.method, query, bindingVersion: "0.3.0" } },
	};
}

/** The CloudEvents attributes of an event: fixed values, or their locations in its data. */
function cloudEventAttributes({ publisher, name, about }: EventShape, fields: ReadonlySet<string>): JsonObject {
	const locate = (...candidates: (string | undefined)[]) => {
		const found = candidates.find((field) => field !== undefined && fields.has(field));
		return found === undefined ? undefined : `$message.payload#/${found}`;
	};
	return {
		specversion: "1.0",
		source: `/${publisher}`,
		type: `${publisher}.${name}`,
		id: locate("id", "seq"),
		time: locate("occurred_at", "detected_at"),
		...(locate(about) !== undefined && { subject: locate(about) }),
		datacontenttype: "application/json",
	};
}

/** Describes one event of a stream. Its example is the example of the declared event, reduced to the fields of the stream. */
function message(path: string, event: string, payload: JsonSchema): JsonObject {
	const declared = openEvents.find((one) => one.declared.name === event)?.declared;
	const fields = new Set(Object.keys(payload.properties ?? {}));
	const shown = Object.fromEntries(Object.entries(declared?.example ?? {}).filter(([field]) => fields.has(field)));
	return {
		name: event,
		title: `${path} ${event}`,
		summary: declared?.summary ?? event,
		contentType: "application/json",
		payload,
		...(declared !== undefined && { "x-cloudevents": cloudEventAttributes(declared, fields) }),
		...(declared?.example !== undefined && { examples: [{ name: "invented", payload: shown }] }),
	};
}

const sample = ({ operation, http }: EventStream, publicUrl: string): Sample => ({
	title: "In a shell",
	code: `curl -N -H "X-API-Key: $KEY" "${publicUrl || basePlaceholder}${callUrl(http, operation.example ?? {})}"\n`,
});
