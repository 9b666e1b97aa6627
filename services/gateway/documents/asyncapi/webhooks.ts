/** Webhooks: messages that the service posts to a URL of the account. The subscriber's program is the server. */
import { httpHeadersOf } from "#libs/contract/events/cloud-event.ts";
import {
	type WebhookType,
	webhookBody,
	webhookCloudEvent,
	webhookMessages,
} from "#libs/contract/operations/subscriptions/webhook-messages.ts";
import { type JsonObject, jsonSchema } from "../../registry/json-schema.ts";
import { capitalize, cloudEventHeadersSchema, refTo, type Transport } from "./parts.ts";

const types = Object.keys(webhookMessages) as WebhookType[];

const messageName = (type: string): string => `webhook${type.split(".").map(capitalize).join("")}`;

/** `isOffered`: whether the interface has operations that create webhooks. */
export function webhookTransport(isOffered: boolean): Transport {
	const empty = { servers: {}, channels: {}, operations: {}, messages: {}, securitySchemes: {}, samples: [] };
	if (!isOffered) return { name: "Webhooks", guide, ...empty };
	const names = types.map(messageName);
	return {
		name: "Webhooks",
		guide,
		samples: [{ title: "A receiver, in TypeScript", code: sample }],
		servers: {
			receiver: {
				host: "{receiver}",
				protocol: "https",
				title: "Your own server",
				description: "The `url` of a webhook: https, a public address, no redirects.",
				variables: { receiver: { default: "example.com", description: "Host of your server" } },
			},
		},
		channels: {
			webhooks: {
				address: "/",
				title: "Webhook",
				description: "One POST to the webhook's address for each message, in the order of `seq`.",
				servers: [refTo("servers", "receiver")],
				messages: Object.fromEntries(names.map((name) => [name, refTo("components", "messages", name)])),
			},
		},
		operations: {
			receiveWebhook: {
				action: "receive",
				channel: refTo("channels", "webhooks"),
				summary: "What is sent to a webhook.",
				description: "A POST for each message. A 2xx response acknowledges it; after any other it is sent again.",
				messages: names.map((name) => refTo("channels", "webhooks", "messages", name)),
				bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
			},
		},
		messages: Object.fromEntries(types.map((type) => [messageName(type), message(type)])),
		securitySchemes: {},
	};
}

const guide = [
	"Create a webhook with POST /webhooks, which returns its secret (`whsec_...`) once. Messages are signed by Standard Webhooks 1.0: verify the headers `webhook-id`, `webhook-timestamp` and `webhook-signature` over the body as received, with any of its libraries. After a secret is replaced there are two signatures for a while; one has to be valid.",
	"The first message to an address is a challenge: nothing else is sent until the receiver responds with 2xx and its `challenge` as the body.",
	"Respond with 2xx when the message is stored. After any other response it is sent again for three days, at growing intervals, and no later message is sent meanwhile; then the webhook is disabled. 410 disables it at once.",
	"Headers `ce-...` are the attributes of CloudEvents 1.0 in binary mode: the body is the data of the event, `ce-id` is `webhook-id`, and `ce-subject` the request of a change. The same change has another id at NATS and in another webhook, but the same `seq`. The signature covers `webhook-id`, `webhook-timestamp` and the body, so trust only those.",
	"`webhook-id` is the same in every attempt and when a message is sent again: drop one that you have. POST /webhooks/{webhook_id}/replay sends changes again from an earlier `seq`.",
];

const sample = `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

// The body as received: JSON that is serialized again has another signature.
export async function POST(request) {
	const body = await request.text();
	const message = webhook.verify(body, Object.fromEntries(request.headers));
	if (message.type === "webhook.challenge") return new Response(message.data.challenge);
	console.log(request.headers.get("webhook-id"), message.type, message.data);
	return new Response(null, { status: 204 });
}
`;

const signed = {
	"webhook-id": { type: "string", description: "The same in every attempt: drop one that you have seen" },
	"webhook-timestamp": { type: "string", description: "Time of the attempt: seconds since 1970, UTC" },
	"webhook-signature": { type: "string", description: "`v1,` and a signature; several are separated by spaces" },
};

function headersOf(type: WebhookType): JsonObject {
	const { "ce-datacontenttype": _, ...attributes } = cloudEventHeadersSchema({
		publisher: "subscriptions",
		name: type,
	});
	const properties: JsonObject = {
		...signed,
		...attributes,
		"ce-id": { type: "string", description: "The same as `webhook-id`" },
		"ce-time": { type: "string", format: "date-time", description: "The message's `timestamp`" },
		"ce-subject": {
			type: "string",
			description: "The request of a change; absent if a message concerns no request or several",
		},
	};
	return { type: "object", properties, required: Object.keys(properties).filter((name) => name !== "ce-subject") };
}

/** Headers of the example. All values are invented, also the signature. */
const exampleHeaders = (type: WebhookType): JsonObject => {
	const id = "msg_3_48211";
	return {
		"webhook-id": id,
		"webhook-timestamp": "1772366400",
		"webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
		...httpHeadersOf(webhookCloudEvent(id, webhookMessages[type].example)),
	};
};

function message(type: WebhookType): JsonObject {
	const { summary, example } = webhookMessages[type];
	return {
		name: type,
		title: `webhook ${type}`,
		summary,
		contentType: "application/json",
		headers: headersOf(type),
		payload: jsonSchema(webhookBody(type), "draft-7"),
		examples: [{ name: "invented", headers: exampleHeaders(type), payload: example }],
	};
}
