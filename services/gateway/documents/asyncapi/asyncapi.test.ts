import { Parser } from "@asyncapi/parser";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { publicPublishers, streamOf, subjectOf } from "#libs/contract/events/event.ts";
import { events } from "#libs/contract/index.ts";
import { owners } from "#libs/contract/operation.ts";
import { asyncapiDocument } from "./asyncapi.ts";

const schema = z.looseObject({
	servers: z.record(z.string(), z.looseObject({ host: z.string() })),
	channels: z.record(z.string(), z.looseObject({ address: z.string(), messages: z.record(z.string(), z.unknown()) })),
	operations: z.record(z.string(), z.looseObject({ action: z.string(), channel: z.looseObject({ $ref: z.string() }) })),
	components: z.looseObject({
		messages: z.record(
			z.string(),
			z.looseObject({
				name: z.string(),
				payload: z.looseObject({}),
				headers: z.looseObject({}).optional(),
				examples: z.array(
					z.looseObject({ payload: z.unknown(), headers: z.record(z.string(), z.string()).default({}) }),
				),
			}),
		),
	}),
});
const full = {
	publicUrl: "https://api.example.com",
	natsAddress: "nats.example.com:4222",
	contact: "data@example.com",
};
const document = schema.parse(asyncapiDocument());

const ajv = new Ajv({ strict: false, formats: { date: true, "date-time": true } });

/** The faults that an independent reader of JSON Schema finds in a value. */
const faults = (of: object | boolean, value: unknown) => (ajv.validate(of, value) ? [] : ajv.errors);

/** Information and hints of the parser, below warnings: that there is a later version. */
const warning = 1;

test.each([
	["without settings", {}],
	["with every setting", full],
])("the official parser reports no problem %s", async (_what, options) => {
	const parser = new Parser();
	const { document: parsed, diagnostics } = await parser.parse(JSON.stringify(asyncapiDocument(options)));
	expect(diagnostics.filter(({ severity }) => severity <= warning)).toEqual([]);
	expect(parsed?.operations().filterByReceive()).toHaveLength(Object.keys(document.operations).length);
});

test("the parser does report problems", async () => {
	const broken = structuredClone(document);
	broken.components.messages = {};
	const { diagnostics } = await new Parser().parse(JSON.stringify(broken));
	expect(diagnostics.filter(({ severity }) => severity <= warning).length).toBeGreaterThan(0);
});

describe("every event of an open publisher, and no event of another publisher", () => {
	const open = Object.entries(events).filter(([, { publisher }]) => publicPublishers.includes(publisher));

	test.each(open)("%s has its subject, its message and an operation", (name, declared) => {
		expect(document.channels[name]).toMatchObject({
			address: subjectOf(declared),
			messages: { [name]: { $ref: `#/components/messages/${name}` } },
			"x-jetstream": { stream: streamOf(declared.publisher) },
		});
		expect(Object.values(document.operations)).toContainEqual(
			expect.objectContaining({ action: "receive", channel: { $ref: `#/channels/${name}` } }),
		);
		const message = document.components.messages[name];
		expect(message?.name).toBe(`${declared.publisher}.${declared.name}`);
		for (const { payload, headers } of message?.examples ?? []) {
			expect(declared.payload.parse(payload)).toEqual(payload);
			expect(faults(message?.payload ?? false, payload)).toEqual([]);
			expect(faults(message?.headers ?? false, headers)).toEqual([]);
			expect(headers).toMatchObject({ "ce-type": message?.name, "Nats-Msg-Id": headers["ce-id"] });
		}
		expect(message?.examples).toHaveLength(1);
	});

	test("a stream has the messages of its publisher", () => {
		for (const publisher of publicPublishers) {
			const names = open.filter(([, declared]) => declared.publisher === publisher).map(([name]) => name);
			expect(Object.keys(document.channels[streamOf(publisher)]?.messages ?? {})).toEqual(names);
		}
	});

	test("other publishers are not mentioned", () => {
		const text = JSON.stringify(document);
		for (const owner of owners.filter((one) => !publicPublishers.includes(one)))
			expect(text).not.toMatch(new RegExp(`event\\.${owner}\\.|"${streamOf(owner)}"`));
		const atNats = Object.values(document.channels).filter(({ address }) => address.startsWith("event."));
		const named = new Set(atNats.flatMap(({ messages }) => Object.keys(messages)));
		expect([...named].sort()).toEqual(open.map(([name]) => name).sort());
	});
});

test("addresses are the configured ones, or variables if none are configured", () => {
	expect(document.servers.nats?.host).toBe("{host}:{port}");
	expect(schema.parse(asyncapiDocument(full)).servers.nats?.host).toBe(full.natsAddress);
});
