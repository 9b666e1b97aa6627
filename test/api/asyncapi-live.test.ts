/** Events that the services publish of the sample, checked against the document by an independent validator of JSON Schema. */
import { jetstream } from "@nats-io/jetstream";
import { Ajv } from "ajv";
import { expect } from "vitest";
import { z } from "zod";
import { publicPublishers, streamOf } from "#libs/contract/events/event.ts";
import { test, type World } from "../support/world.ts";
import { text } from "./support/discovery.ts";

const documentSchema = z.looseObject({
	channels: z.record(z.string(), z.looseObject({ address: z.string(), messages: z.record(z.string(), z.unknown()) })),
	components: z.looseObject({
		messages: z.record(
			z.string(),
			z.looseObject({ payload: z.looseObject({}), headers: z.looseObject({}).optional() }),
		),
	}),
});

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

test("every message in the open streams matches the document: subject, headers and payload", async () => {
	const { channels, components } = documentSchema.parse(JSON.parse(await text(world.url, "/asyncapi.json")));
	const ajv = new Ajv({ strict: false, formats: { date: true, "date-time": true } });
	const bySubject = new Map(
		Object.values(channels).flatMap(({ address, messages }) => {
			const [name = "", ...others] = Object.keys(messages);
			const { payload, headers } = components.messages[name] ?? {};
			if (others.length > 0 || payload === undefined || headers === undefined) return [];
			return [[address, { payload: ajv.compile(payload), headers: ajv.compile(headers) }] as const];
		}),
	);
	const seen = new Set<string>();
	for (const publisher of publicPublishers) {
		const manager = await jetstream(world.operator.nats).jetstreamManager(false);
		const { messages: count } = (await manager.streams.info(streamOf(publisher))).state;
		expect(count, publisher).toBeGreaterThan(0);
		const consumer = await jetstream(world.operator.nats).consumers.get(streamOf(publisher));
		for await (const message of await consumer.fetch({ max_messages: count, expires: 10_000 })) {
			const { subject } = message;
			const described = bySubject.get(subject);
			const headers = Object.fromEntries(
				(message.headers?.keys() ?? []).map((name) => [name, message.headers?.get(name)]),
			);
			const payload = message.json<{ id: string; occurred_at: string }>();
			expect([subject, described?.payload(payload), described?.payload.errors]).toEqual([subject, true, null]);
			expect([subject, described?.headers(headers), described?.headers.errors]).toEqual([subject, true, null]);
			expect(headers).toMatchObject({ "ce-time": payload.occurred_at, "ce-type": subject.slice("event.".length) });
			expect(decodeURIComponent(headers["ce-id"] ?? "")).toBe(payload.id);
			seen.add(subject);
		}
	}
	// A change, a state, a score and a headline at the least.
	expect([...seen]).toEqual(
		expect.arrayContaining([
			"event.queue-ingest.change.recorded",
			"event.queue-ingest.project.changed",
			"event.scoring.project.scored",
			"event.signals.news.recorded",
		]),
	);
});
