/** Event streams over NATS. Subscribers read mirrors in their own account with pull consumers. */
import { cloudEventHeaders } from "#libs/bus/events/publish.ts";
import { streamAgeHours } from "#libs/bus/events/topology.ts";
import { subscriber, subscriberInbox, subscriberLimits } from "#libs/bus/mirror/mirror-wire.ts";
import { type EventShape, publicPublishers, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { changeRecorded } from "#libs/contract/events/queue-ingest.ts";
import { type Owner, openEvents } from "#libs/contract/index.ts";
import type { JsonObject } from "../../registry/json-schema.ts";
import { capitalize, cloudEventHeadersSchema, eventMessage, refTo, type Transport } from "./parts.ts";

const mebibyte = 1024 ** 2;

/** `address`: host and port of NATS. If it is undefined, they are variables of the document. */
export function natsTransport(address?: string): Transport {
	const byEvent = openEvents.map(({ name, declared }) => [name, declared] as const);
	const byStream = publicPublishers.map((publisher) => [streamOf(publisher), publisher] as const);
	return {
		name: "NATS",
		guide,
		samples: [{ title: "A durable consumer, in TypeScript", code: sample(address) }],
		servers: { nats: server(address) },
		channels: {
			...Object.fromEntries(byEvent.map(([name, declared]) => [name, eventChannel(name, declared)])),
			...Object.fromEntries(byStream.map(([stream, publisher]) => [stream, streamChannel(stream, publisher)])),
		},
		operations: {
			...Object.fromEntries(
				byEvent.map(([name, { summary }]) => [`receive${capitalize(name)}`, receive(name, [name], summary)]),
			),
			...Object.fromEntries(
				byStream.map(([stream, publisher]) => [
					`receive_${stream}`,
					receive(stream, namesOf(publisher), `Every event of ${publisher}, in the order in which it published them.`),
				]),
			),
		},
		messages: Object.fromEntries(byEvent.map(([name, declared]) => [name, message(declared)])),
		securitySchemes: {
			[subscriber]: {
				type: "userPassword",
				description: `User \`${subscriber}\`; the operator gives its password (\`NATS_PASSWORD_SUBSCRIBER\`)`,
			},
		},
	};
}

/** `consumer-request.ts` and `nats-accounts.ts` enforce these rules. */
export const guide = [
	`Log in as \`${subscriber}\` with \`inboxPrefix: "${subscriberInbox}"\`: replies to any other inbox do not arrive. The user has a separate account with a mirror of each stream: same name, subjects, headers and sequence numbers.`,
	"Read with pull consumers: a durable one with `ack_policy: explicit` stores your position, an ephemeral or ordered one does not. Name the stream and, for some of its events only, `filter_subjects`; begin at the oldest event, now, a sequence number or a time (`deliver_policy`). Push consumers (`deliver_subject`) are refused, and streams cannot be listed: set `checkAPI: false` if your client requests account information.",
	`A mirror retains ${streamAgeHours / 24} days and at most ${subscriberLimits.mirrorBytes / mebibyte} MiB; the oldest events are deleted first. A subscriber that was disconnected for longer reads the lists and the change log over HTTP (\`/projects?cursor=*\`, then \`/changes?after=\` its \`meta.seq\`) and continues here.`,
	`A stream allows ${subscriberLimits.consumers} consumers of all subscribers together, so set an \`inactive_threshold\` (a week at most) on one whose client may not return. A consumer can have at most ${subscriberLimits.ackPending} unacknowledged deliveries and ${subscriberLimits.waiting} waiting requests for events; unacknowledged events are delivered again. If your durable consumer was lost with its mirror, create it again from the sequence number after your last event (\`opt_start_seq\`).`,
];

function server(address: string | undefined): JsonObject {
	return {
		host: address ?? "{host}:{port}",
		protocol: "nats",
		title: "Event streams",
		description: "NATS with JetStream. TLS if the server requires it.",
		...(address === undefined && {
			variables: {
				host: { default: "localhost", description: "Where the operator runs NATS" },
				port: { default: "4222", description: "Its port for clients" },
			},
		}),
		security: [refTo("components", "securitySchemes", subscriber)],
		"x-nats": { user: subscriber, inboxPrefix: subscriberInbox, checkAPI: false },
	};
}

/** A program that follows the change feed, because most subscribers read that. */
const sample = (
	address = "localhost:4222",
): string => `import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";

const nats = await connect({
	servers: process.env.NATS_ADDRESS ?? "${address}",
	user: "${subscriber}",
	pass: process.env.NATS_PASSWORD,
	inboxPrefix: "${subscriberInbox}",
});
const stream = "${streamOf(changeRecorded.publisher)}";
const name = "my-desk";
// If the consumer exists, this changes nothing, and reading resumes where it was.
const manager = await jetstreamManager(nats, { checkAPI: false });
await manager.consumers.add(stream, {
	durable_name: name,
	ack_policy: "explicit",
	filter_subject: "${subjectOf(changeRecorded)}",
});
const consumer = await jetstream(nats).consumers.get(stream, name);
for await (const message of await consumer.consume()) {
	console.log(message.headers?.get("ce-subject"), message.json());
	message.ack();
}
`;

const namesOf = (publisher: Owner): string[] =>
	openEvents.filter(({ declared }) => declared.publisher === publisher).map(({ name }) => name);

const eventChannel = (name: string, declared: EventShape): JsonObject =>
	channel(subjectOf(declared), declared.publisher, [name], {
		title: declared.name,
		description: declared.summary,
	});

const streamChannel = (stream: string, publisher: Owner): JsonObject =>
	channel(`event.${publisher}.>`, publisher, namesOf(publisher), {
		title: `Stream ${stream}`,
		description: `Every event of ${publisher}: a consumer without a filter. Only this keeps the order of events with different names.`,
	});

function channel(subject: string, publisher: Owner, messages: string[], titles: JsonObject): JsonObject {
	return {
		address: subject,
		...titles,
		servers: [refTo("servers", "nats")],
		messages: Object.fromEntries(messages.map((name) => [name, refTo("components", "messages", name)])),
		bindings: { nats: { bindingVersion: "0.1.0" } },
		"x-jetstream": {
			stream: streamOf(publisher),
			filter_subject: subject,
			consumer: "pull",
			max_age_hours: streamAgeHours,
			max_bytes: subscriberLimits.mirrorBytes,
			max_consumers: subscriberLimits.consumers,
			max_ack_pending: subscriberLimits.ackPending,
		},
	};
}

const receive = (channel: string, messages: string[], summary: string): JsonObject => ({
	action: "receive",
	channel: refTo("channels", channel),
	summary,
	description: "With a pull consumer of the channel's stream. Unacknowledged messages are delivered again.",
	messages: messages.map((name) => refTo("channels", channel, "messages", name)),
	bindings: { nats: { bindingVersion: "0.1.0" } },
});

function message(declared: EventShape): JsonObject {
	const fields = {
		"Nats-Msg-Id": { type: "string", description: "The event's `id`" },
		...cloudEventHeadersSchema(declared),
	};
	const optional = ["ce-subject", "ce-time"];
	const headers = {
		type: "object",
		description: "CloudEvents in binary mode: values are percent-encoded. There may be others, such as `traceparent`",
		properties: fields,
		required: Object.keys(fields).filter((name) => !optional.includes(name)),
	};
	return eventMessage(declared, headers, (payload) => {
		const { id } = payload as { id: string };
		return {
			"Nats-Msg-Id": id,
			...Object.fromEntries(cloudEventHeaders(subjectOf(declared), id, JSON.stringify(payload))),
		};
	});
}
