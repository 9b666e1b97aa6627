import { Parser } from "@asyncapi/parser";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { z } from "zod";
import {
	type WebhookType,
	webhookBody,
	webhookMessages,
} from "#libs/contract/operations/subscriptions/webhook-messages.ts";
import { asyncapiDocument } from "./asyncapi.ts";
import { webhookTransport } from "./webhooks.ts";

const types = Object.keys(webhookMessages) as WebhookType[];

test.each(types)("%s has an example that matches its schema", (type) => {
	expect(webhookBody(type).parse(webhookMessages[type].example)).toEqual(webhookMessages[type].example);
});

test("every event type is a message that the reader receives, by the official parser", async () => {
	const { servers, channels, operations, messages, securitySchemes } = webhookTransport(true);
	expect(Object.keys(messages)).toHaveLength(types.length);
	expect(messages.webhookDigestDaily).toMatchObject({ name: "digest.daily" });
	const document = { ...asyncapiDocument(), servers, channels, operations, components: { messages, securitySchemes } };
	const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
	expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([]);
	expect(parsed?.operations().filterByReceive()[0]?.messages().length).toBe(types.length);
});

test.each(types)("%s has the CloudEvents attributes in its headers, by an independent schema validator", (type) => {
	const ajv = new Ajv({ strict: false, formats: { "date-time": true } });
	const message = shape.parse(
		Object.values(webhookTransport(true).messages).find((one) => shape.parse(one).name === type),
	);
	for (const { headers, payload } of message.examples) {
		expect(ajv.validate(message.headers, headers), JSON.stringify(ajv.errors)).toBe(true);
		expect(headers).toMatchObject({
			"ce-id": headers["webhook-id"],
			"ce-type": `subscriptions.${type}`,
			"ce-time": payload.timestamp,
			...(payload.data.project_id !== undefined && { "ce-subject": payload.data.project_id }),
		});
		expect(ajv.validate(message.headers, { ...headers, "ce-type": "another" })).toBe(false);
	}
	expect(message.examples).toHaveLength(1);
});

const shape = z.looseObject({
	name: z.string(),
	headers: z.looseObject({}),
	examples: z.array(
		z.looseObject({
			headers: z.record(z.string(), z.string()),
			payload: z.looseObject({ timestamp: z.string(), data: z.looseObject({ project_id: z.string().optional() }) }),
		}),
	),
});

test("an interface without webhooks does not mention them", () => {
	expect(webhookTransport(false).channels).toEqual({});
});
