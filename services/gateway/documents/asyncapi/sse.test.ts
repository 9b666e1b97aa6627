import { Parser } from "@asyncapi/parser";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { cloudEvent } from "#libs/contract/events/cloud-event.ts";
import { projectScored } from "#libs/contract/events/scoring.ts";
import { openEvents } from "#libs/contract/index.ts";
import { type HttpOperation, httpOperations } from "../../registry/bindings.ts";
import { asyncapiDocument } from "./asyncapi.ts";
import { sseTransport } from "./sse.ts";

/** As operations declare it; of the data only two fields are shown. */
const stream: HttpOperation = {
	name: "getScore",
	operation: {
		owner: "gateway",
		summary: "Scores as they change.",
		params: z.strictObject({ after: z.int().optional().describe("Begin after it"), min_score: z.int().optional() }),
		reply: z.string(),
		eventStream: { "project.scored": projectScored.payload.pick({ id: true, investability_score: true }) },
		mediaType: "text/event-stream",
		example: { min_score: 60 },
	},
	http: { method: "GET", path: "/scores/stream", price: "standard" },
};
const { eventStream: _, ...withoutEvents } = stream.operation;
const still: HttpOperation = { ...stream, name: "getStats", operation: withoutEvents };
const part = sseTransport([stream, still], "https://api.example.com/data");

describe("an operation that streams events", () => {
	test("is a channel at its path, with its parameters and messages; other operations are not channels", () => {
		expect(Object.keys(part.channels)).toEqual(["getScore"]);
		expect(part.channels.getScore).toMatchObject({ address: "/scores/stream" });
		expect(part.operations.receiveGetScore).toMatchObject({
			action: "receive",
			bindings: { http: { method: "GET", query: { properties: { after: { description: "Begin after it" } } } } },
		});
		expect(part.servers).toMatchObject({ api: { host: "api.example.com", protocol: "https", pathname: "/data" } });
	});

	test("shows the event's example as far as it shows its fields", () => {
		const { id, investability_score } = projectScored.payload.parse(projectScored.example);
		expect(part.messages.getScoreProjectScored).toMatchObject({
			name: "project.scored",
			examples: [{ payload: { id, investability_score } }],
		});
	});

	test("is accepted by the official parser", async () => {
		const { servers, channels, operations, messages, securitySchemes } = part;
		const document = {
			...asyncapiDocument(),
			servers,
			channels,
			operations,
			components: { messages, securitySchemes },
		};
		const { diagnostics } = await new Parser().parse(JSON.stringify(document));
		expect(diagnostics.filter(({ severity }) => severity <= 1)).toEqual([]);
	});
});

const messageShape = z.looseObject({
	name: z.string(),
	"x-cloudevents": z.record(z.string(), z.string()),
	examples: z.array(z.looseObject({ payload: z.record(z.string(), z.unknown()) })),
});

describe("the CloudEvents attributes", () => {
	const messages = Object.values(sseTransport(httpOperations()).messages).map((message) => messageShape.parse(message));
	const attributesOf = ({ "x-cloudevents": places }: (typeof messages)[number], payload: Record<string, unknown>) =>
		Object.fromEntries(
			Object.entries(places).map(([name, place]) => [
				name,
				place.startsWith("$message.payload#/") ? payload[place.slice("$message.payload#/".length)] : place,
			]),
		);

	test.each(messages.filter(({ name }) => name !== "change.recorded"))(
		"of $name: they are those that NATS has",
		(message) => {
			const declared = openEvents.find((one) => one.declared.name === message.name)?.declared;
			const example = z.looseObject({ id: z.string(), occurred_at: z.string() }).parse(declared?.example);
			if (declared === undefined) throw new Error("it is not declared");
			const { subject, ...sent } = cloudEvent(declared, example);
			// A subject that is no field of the data is the key in the id.
			expect(attributesOf(message, example)).toEqual({ ...sent, ...(declared.about !== undefined && { subject }) });
		},
	);

	test("of a change: the seq as id, the list's time, the request as subject", () => {
		const [change] = messages.filter(({ name }) => name === "change.recorded");
		const [example] = change?.examples ?? [];
		if (change === undefined || example === undefined) throw new Error("changes are not streamed");
		const { seq, detected_at, project_id } = example.payload;
		expect(attributesOf(change, example.payload)).toMatchObject({
			...{ specversion: "1.0", source: "/queue-ingest", type: "queue-ingest.change.recorded" },
			...{ id: seq, time: detected_at, subject: project_id },
		});
		expect([seq, detected_at, project_id]).not.toContain(undefined);
	});
});
