/** The interface as OpenAPI 3.1, derived from the registry: what is declared is documented. */
import { z } from "zod";
import { type OperationShape, resources } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { httpOperations, pathParameters } from "../http/bindings.ts";
import { about } from "./about.ts";

type JsonSchema = Record<string, unknown>;

/** Errors that any operation can answer; 404 only where the path names something. */
const errors = {
	400: ["BadRequest", "The request cannot be read"],
	403: ["Forbidden", "The key is missing or not valid"],
	404: ["NotFound", "There is no such thing"],
	422: ["Invalid", "A parameter is unknown, missing or out of bounds; `errors` says which"],
	429: ["TooManyRequests", "The rate limit is exceeded; `Retry-After` says for how long"],
	500: ["ServerError", "A fault of the service"],
	503: ["Unavailable", "A part of the service does not answer; `Retry-After` says when to try again"],
} as const;

/** The document. `serverUrl` is the address under which callers reach the service; by default that of the document. */
export function openapiDocument(serverUrl = "/"): JsonSchema {
	const paths: Record<string, JsonSchema> = {};
	for (const { name, operation, http } of httpOperations()) {
		paths[http.path] = { ...paths[http.path], [http.method.toLowerCase()]: describe(name, operation, http) };
	}
	return {
		openapi: "3.1.0",
		info: { title: about.name, version: about.version, description: about.description },
		servers: [{ url: serverUrl }],
		tags: Object.keys(resources).map((name) => ({ name })),
		paths,
		components: { schemas: { Error: errorSchema }, responses: errorResponses() },
	};
}

function describe(name: string, operation: OperationShape, http: HttpBinding): JsonSchema {
	return {
		operationId: name,
		summary: operation.summary,
		tags: Object.entries(resources).flatMap(([resource, members]) => (name in members ? [resource] : [])),
		"x-price": http.price,
		parameters: parameters(operation, http),
		responses: { 200: success(operation), ...errorReferences(http) },
	};
}

function parameters(operation: OperationShape, http: HttpBinding): JsonSchema[] {
	const inPath = new Set(pathParameters(http.path));
	return Object.entries(operation.params.shape).map(([name, schema]) => {
		// A parameter is read by a preprocessor, whose input says nothing: what it is turned into is what it means.
		const { description, ...rest } = jsonSchema(schema);
		return {
			name,
			in: inPath.has(name) ? "path" : "query",
			...(description === undefined ? {} : { description }),
			required: !schema.safeParse(undefined).success,
			schema: rest,
		};
	});
}

function success(operation: OperationShape): JsonSchema {
	const mediaType = operation.mediaType ?? "application/json";
	return { description: operation.summary, content: { [mediaType]: { schema: jsonSchema(operation.reply) } } };
}

function errorReferences(http: HttpBinding): JsonSchema {
	const namesSomething = pathParameters(http.path).length > 0;
	return Object.fromEntries(
		Object.entries(errors)
			.filter(([status]) => status !== "404" || namesSomething)
			.map(([status, [name]]) => [status, { $ref: `#/components/responses/${name}` }]),
	);
}

function errorResponses(): JsonSchema {
	const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
	return Object.fromEntries(Object.values(errors).map(([name, description]) => [name, { description, content }]));
}

const errorSchema: JsonSchema = {
	type: "object",
	required: ["detail"],
	properties: {
		detail: { type: "string", description: "What is wrong, as a sentence" },
		errors: {
			type: "array",
			description: "With a 422: each parameter at fault",
			items: {
				type: "object",
				required: ["loc", "msg"],
				properties: {
					loc: { type: "array", items: { type: "string" }, description: 'Where, as ["query", "per_page"]' },
					msg: { type: "string" },
				},
			},
		},
	},
};

function jsonSchema(schema: z.ZodType): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output" }) as JsonSchema;
	return rest;
}
