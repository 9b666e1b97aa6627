import { Parser } from "@asyncapi/parser";
import { expect, test } from "vitest";
import { type WebhookType, webhookBody, webhookMessages } from "#libs/contract/webhook-messages.ts";
import { asyncapiDocument } from "./asyncapi.ts";
import { webhookTransport } from "./asyncapi-webhooks.ts";

const types = Object.keys(webhookMessages) as WebhookType[];

test.each(types)("%s has an example that is as its schema has it", (type) => {
	expect(webhookBody(type).parse(webhookMessages[type].example)).toEqual(webhookMessages[type].example);
});

test("every type is a message that a reader receives, as the official parser takes it", async () => {
	const { servers, channels, operations, messages, securitySchemes } = webhookTransport(true);
	expect(Object.keys(messages)).toHaveLength(types.length);
	expect(messages.webhookDigestDaily).toMatchObject({ name: "digest.daily" });
	const document = { ...asyncapiDocument(), servers, channels, operations, components: { messages, securitySchemes } };
	const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
	expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([]);
	expect(parsed?.operations().filterByReceive()[0]?.messages().length).toBe(types.length);
});

test("an interface without webhooks says nothing of them", () => {
	expect(webhookTransport(false).channels).toEqual({});
});
