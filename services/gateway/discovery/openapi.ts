/** The interface as OpenAPI 3.1, derived from the registry: what is declared is documented. */
import { z } from "zod";
import { type OperationName, type OperationShape, resources } from "#libs/contract/index.ts";
import type { HttpBinding } from "#libs/contract/operation.ts";
import { type HttpOperation, httpOperations, pathParameters } from "../http/bindings.ts";
import { about } from "./about.ts";
import { errorComponents, errorReferences } from "./openapi-errors.ts";
import { type Payments, paymentInfo } from "./payment-info.ts";
import { notesOn } from "./terms.ts";

type JsonSchema = Record<string, unknown>;

export interface DocumentOptions extends Payments {
	/** The operator's e-mail address. */
	contact?: string | undefined;
}

/** The document. `serverUrl` is the address under which callers reach the service; by default that of the document. */
export function openapiDocument(
	serverUrl = "/",
	options: DocumentOptions = { keyless: "open", railsEnabled: [] },
): JsonSchema {
	const paths: Record<string, JsonSchema> = {};
	for (const declared of httpOperations()) {
		const { path, method } = declared.http;
		paths[path] = { ...paths[path], [method.toLowerCase()]: describe(declared, options) };
	}
	return {
		openapi: "3.1.0",
		info: {
			title: about.name,
			version: about.version,
			description: about.description,
			...(options.contact !== undefined && { contact: { email: options.contact } }),
			"x-guidance": notesOn(options).join("\n"),
		},
		"x-service-info": { categories: ["energy", "infrastructure", "data"], docs: links(serverUrl) },
		servers: [{ url: serverUrl }],
		tags: Object.keys(resources).map((name) => ({ name })),
		paths,
		components: { securitySchemes, ...errorComponents() },
	};
}

/** Of the pages that explain the service. */
function links(serverUrl: string): { homepage: string; apiReference: string } {
	const base = serverUrl.replace(/\/$/, "");
	return { homepage: `${base}/docs`, apiReference: `${base}/openapi.json` };
}

function describe(declared: HttpOperation, options: DocumentOptions): JsonSchema {
	const { name, operation, http } = declared;
	const payment = paymentInfo(declared, options);
	const body = requestBody(operation, http);
	return {
		operationId: name,
		summary: operation.summary,
		tags: Object.entries(resources).flatMap(([resource, members]) => (name in members ? [resource] : [])),
		"x-price": http.price,
		...(payment !== undefined && { "x-payment-info": payment }),
		security: security(name, http, options),
		parameters: parameters(operation, http),
		...(body !== undefined && { requestBody: body }),
		responses: { 200: success(name, operation), ...errorReferences(http, payment !== undefined) },
	};
}

const securitySchemes = {
	key: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key, `pk_...`; a free one is at /register" },
	bearer: { type: "http", scheme: "bearer", description: "The same key as `Authorization: Bearer pk_...`" },
	keyInQuery: { type: "apiKey", in: "query", name: "api_key", description: "The same key, where no header can be set" },
	// A second bearer scheme would look like another form of the key.
	credits: {
		type: "apiKey",
		in: "header",
		name: "Authorization",
		description: "Prepaid credits, `Bearer cr_...`: they pay for single calls without a key",
	},
};
const withKey = [{ key: [] }, { bearer: [] }, { keyInQuery: [] }];
const withoutKey = {};

/** The alternatives. What is free says so by having none, though a key does no harm there; it raises the rate. */
function security(name: OperationName, http: HttpBinding, { keyless, railsEnabled }: DocumentOptions): object[] {
	if (name === "getCredits") return [{ credits: [] }];
	if (http.needsKey) return withKey;
	if (http.price === "free") return [];
	if (keyless === "closed" || (keyless === "pay" && railsEnabled.length === 0)) return withKey;
	const payable = keyless === "pay" && railsEnabled.includes("card");
	return [withoutKey, ...withKey, ...(payable ? [{ credits: [] }] : [])];
}

function parameters(operation: OperationShape, http: HttpBinding): JsonSchema[] {
	const inPath = new Set(pathParameters(http.path));
	return Object.entries(operation.params.shape)
		.filter(([name]) => http.method === "GET" || inPath.has(name))
		.map(([name, schema]) => {
			// A parameter is read by a preprocessor, whose input says nothing: what it is turned into is what it means.
			const { description, ...rest } = jsonSchema(schema);
			return {
				name,
				in: inPath.has(name) ? "path" : "query",
				...(description === undefined ? {} : { description }),
				required: isRequired(schema),
				schema: rest,
			};
		});
}

/** What a POST takes besides its path; undefined for nothing. */
function requestBody(operation: OperationShape, http: HttpBinding): JsonSchema | undefined {
	const inPath = new Set(pathParameters(http.path));
	const fields = Object.entries(operation.params.shape).filter(([name]) => !inPath.has(name));
	if (http.method !== "POST" || fields.length === 0) return undefined;
	const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
	const schema = {
		type: "object",
		properties: Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field)])),
		...(required.length > 0 && { required }),
		additionalProperties: false,
	};
	return {
		required: required.length > 0,
		content: { "application/json": { schema }, "application/x-www-form-urlencoded": { schema } },
	};
}

const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;

function success(name: OperationName, operation: OperationShape): JsonSchema {
	const mediaType = operation.mediaType ?? "application/json";
	return {
		description: operation.summary,
		content: {
			[mediaType]: { schema: jsonSchema(operation.reply) },
			// A browser that sends the form is answered with a page.
			...(name === "register" && { "text/html": { schema: { type: "string" } } }),
		},
	};
}

function jsonSchema(schema: z.ZodType): JsonSchema {
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output" }) as JsonSchema;
	return rest;
}
