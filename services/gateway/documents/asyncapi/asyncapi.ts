/** Published events as AsyncAPI 3.0, derived from the registry. */
import { about } from "#libs/contract/documents/about.ts";
import { publicPublishers } from "#libs/contract/events/event.ts";
import type { Owner } from "#libs/contract/operation.ts";
import { httpOperations } from "../../registry/bindings.ts";
import type { JsonObject } from "../../registry/json-schema.ts";
import { contactOf } from "../openapi/facts.ts";
import { natsTransport } from "./nats.ts";
import type { Transport } from "./parts.ts";
import { sseTransport } from "./sse.ts";
import { webhookTransport } from "./webhooks.ts";

export interface AsyncapiOptions {
	publicUrl?: string | undefined;
	/** Host and port at which subscribers reach NATS. */
	natsAddress?: string | undefined;
	contact?: string | undefined;
}

/** The ways to receive events. A transport without channels is omitted. */
export function transports({ natsAddress, publicUrl }: AsyncapiOptions): Transport[] {
	const operations = httpOperations();
	const hasWebhooks = operations.some(({ http }) => http.path === "/webhooks");
	const all = [natsTransport(natsAddress), sseTransport(operations, publicUrl), webhookTransport(hasWebhooks)];
	return all.filter(({ channels }) => Object.keys(channels).length > 0);
}

export function asyncapiDocument(options: AsyncapiOptions = {}): JsonObject {
	const parts = transports(options);
	const merged = (member: "servers" | "channels" | "operations" | "messages" | "securitySchemes"): JsonObject =>
		Object.assign({}, ...parts.map((part) => part[member]));
	const { publicUrl = "", contact } = options;
	return {
		asyncapi: "3.0.0",
		info: {
			title: `${about.name}: events`,
			version: about.version,
			description: [...subscribersGuide, ...parts.map(({ name, guide }) => `${name}. ${guide.join(" ")}`)].join("\n\n"),
			// License of the interface. Each source has its own terms for its data.
			license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
			contact: contactOf(contact, publicUrl),
			tags: publicPublishers.map((name) => ({ name, description: `Events of ${contents[name]}` })),
			...(publicUrl !== "" && { externalDocs: { url: `${publicUrl}/docs/events` } }),
		},
		defaultContentType: "application/json",
		servers: merged("servers"),
		channels: merged("channels"),
		operations: merged("operations"),
		components: { messages: merged("messages"), securitySchemes: merged("securitySchemes") },
	};
}

/** Subjects of each publisher's events. */
const contents: Partial<Record<Owner, string>> = {
	"queue-ingest": "requests, their changes, developers and plants",
	signals: "news, capital raises, filings and deals",
	scoring: "scores of requests and ratings of developers",
};

/** Sentences that apply to every transport. */
export const subscribersGuide = [
	"Operations are described from the subscriber's side: a subscriber receives messages.",
	"Every message is delivered at least once: drop one whose `source` and `id` you have seen. `version` rises with each state of a record, so of two events about one record the one with the lower version is older. Later versions of the interface may add fields: ignore unknown ones.",
	"Events are CloudEvents 1.0. The payload of each has `id`, `occurred_at` and `version`; an event that is published again (`:again:` in its id) repeats the current state.",
];
