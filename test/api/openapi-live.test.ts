/** The OpenAPI document of the running system, with what its examples answer now. */
import { describe, expect } from "vitest";
import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import { eventually } from "../support/eventually.ts";
import { test, type World } from "../support/world.ts";
import { answersOf, documentSchema, text } from "./support/discovery.ts";
import { startGateway } from "./support/gateway.ts";

let world: World;
test.beforeAll(({ readOnlyWorld }) => {
	world = readOnlyWorld;
});

describe("/openapi.json", () => {
	test("shows parameters that work and answers that fit their schemas", async () => {
		const document = await eventually(async () => {
			const made = documentSchema.parse(JSON.parse(await text(world.url, "/openapi.json")));
			return answersOf(made).length > 30 ? made : undefined;
		});
		for (const { operationId, answer } of answersOf(document)) {
			const { reply }: OperationShape = operations[operationId as OperationName];
			expect(reply.safeParse(answer).error?.issues, operationId).toBeUndefined();
		}
		const { parameters } = document.paths["/projects/{project_id}"]?.get ?? { parameters: [] };
		const id = parameters.find(({ name }) => name === "project_id")?.example;
		expect((await fetch(`${world.url}/projects/${id}`)).status).toBe(200);
	});

	test("is the same bytes while nothing changes", async () => {
		const gateway = await startGateway();
		try {
			const first = await gateway.get("/openapi.json");
			const again = await gateway.get("/openapi.json", { "if-none-match": first.headers.get("etag") ?? "" });
			expect(again.status).toBe(304);
		} finally {
			await gateway[Symbol.asyncDispose]();
		}
	});
});
