import { Parser } from "@asyncapi/parser";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { projectScored } from "#libs/contract/events/scoring.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { asyncapiDocument } from "./asyncapi.ts";
import { sseTransport } from "./asyncapi-sse.ts";

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
	test("is a channel at its path, with its parameters and messages, and one that does not is none", () => {
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

	test("is what the official parser takes", async () => {
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
