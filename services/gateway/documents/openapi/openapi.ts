/** The interface as OpenAPI 3.1, derived from the registry. */
import { about, resourceNotes } from "#libs/contract/documents/about.ts";
import { type OperationName, type OperationShape, resources } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { type HttpOperation, httpOperations, pathParameters } from "../../registry/bindings.ts";
import { isRequired, type JsonObject, jsonSchema } from "../../registry/json-schema.ts";
import { type CallParams, codeSamples } from "../calls.ts";
import { toolNames } from "../catalog.ts";
import type { LiveExample, LiveExamples } from "../live-examples.ts";
import { notesOn } from "../terms.ts";
import { errorComponents, errorReferences, headersOfSuccess } from "./errors.ts";
import { contactOf, factsOf, type Payments, paymentInfo } from "./facts.ts";
import { NamedSchemas, pascal } from "./named-schemas.ts";

export interface DocumentOptions extends Payments {
	contact?: string | undefined;
}

/**
 * `serverUrl`: address of the service, by default relative to the document. `live`: current responses to the examples; an example that is
 * not among them has the declared parameters and no response.
 */
export function openapiDocument(
	serverUrl = "/",
	options: DocumentOptions = { keyless: "open", railsEnabled: [] },
	live: LiveExamples = new Map(),
): JsonObject {
	const paths: Record<string, JsonObject> = {};
	const schemas = new NamedSchemas();
	const document = { ...options, serverUrl, schemas, tools: toolNames() };
	for (const declared of httpOperations()) {
		const { path, method } = declared.http;
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: describe(declared, document, live.get(declared.name)),
		};
	}
	const errors = errorComponents();
	return {
		openapi: "3.1.0",
		info: {
			title: about.name,
			version: about.version,
			description: about.description,
			// License of the interface. Each source has its own terms for its data.
			license: { name: "MIT", identifier: "MIT" },
			contact: contactOf(options.contact),
			"x-guidance": notesOn(options).join("\n"),
		},
		"x-service-info": { categories: ["energy", "infrastructure", "data"], docs: links(serverUrl) },
		servers: [{ url: serverUrl }],
		tags: tags(),
		paths,
		components: { securitySchemes, ...errors, schemas: { ...schemas.components(), ...errors.schemas } },
	};
}

function links(serverUrl: string): { homepage: string; apiReference: string } {
	const base = serverUrl.replace(/\/$/, "");
	return { homepage: `${base}/docs`, apiReference: `${base}/openapi.json` };
}

function tags(): JsonObject[] {
	const names = new Set(httpOperations().flatMap(({ name }) => tagsOf(name)));
	return [...names].map((name) => ({ name, description: resourceNotes[name] ?? name }));
}

const tagsOf = (name: OperationName): string[] =>
	Object.entries(resources).flatMap(([resource, members]) => (name in members ? [resource] : []));

/** Shared by all operations of one document. */
interface DocumentContext extends DocumentOptions {
	serverUrl: string;
	schemas: NamedSchemas;
	tools: ReadonlyMap<OperationName, string>;
}

function describe(declared: HttpOperation, document: DocumentContext, live: LiveExample | undefined): JsonObject {
	const { name, operation, http } = declared;
	const { serverUrl, schemas, tools } = document;
	const facts = factsOf(declared, tools.get(name)).join("; ");
	const payment = paymentInfo(declared, document);
	const example = live?.params ?? operation.example ?? {};
	const body = requestBody(declared, example, schemas);
	return {
		operationId: name,
		summary: operation.summary,
		description: [`${facts.charAt(0).toUpperCase()}${facts.slice(1)}.`, noPastOf(operation)].filter(Boolean).join(" "),
		tags: tagsOf(name),
		...(http.deprecated !== undefined && { deprecated: true }),
		"x-price": http.price,
		"x-codeSamples": codeSamples(declared, example, serverUrl),
		...(payment !== undefined && { "x-payment-info": payment }),
		security: security(http, document),
		parameters: parameters(operation, http, example),
		...(body !== undefined && { requestBody: body }),
		responses: {
			200: success(declared, schemas, live),
			...errorReferences(http, payment !== undefined),
		},
	};
}

/** Explains why an operation has no parameter `as_of`; empty if it has one or needs no explanation. */
const noPastOf = ({ noPast }: OperationShape): string => (noPast === undefined ? "" : `No as_of. ${noPast}`);

const securitySchemes = {
	key: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key, `pk_...`; a free one is at /register" },
	bearer: { type: "http", scheme: "bearer", description: "The same key as `Authorization: Bearer pk_...`" },
	keyInQuery: { type: "apiKey", in: "query", name: "api_key", description: "The same key, where no header can be set" },
	// Declared as an API key, because a second bearer scheme would look like another form of the key.
	credits: {
		type: "apiKey",
		in: "header",
		name: "Authorization",
		description: "Prepaid credits, `Bearer cr_...`: they pay for single calls without a key",
	},
};
const withKey = [{ key: [] }, { bearer: [] }, { keyInQuery: [] }];
const withoutKey = {};

/** The accepted security schemes, as alternatives. A free endpoint lists none, although a key raises its rate limit. */
function security(http: HttpBinding, { keyless, railsEnabled }: DocumentOptions): object[] {
	if (http.credential === "credits") return [{ credits: [] }];
	if (http.needsKey) return withKey;
	if (http.price === "free") return [];
	if (keyless === "closed" || (keyless === "pay" && railsEnabled.length === 0)) return withKey;
	const acceptsCredits = keyless === "pay" && railsEnabled.includes("card");
	return [withoutKey, ...withKey, ...(acceptsCredits ? [{ credits: [] }] : [])];
}

function parameters(operation: OperationShape, http: HttpBinding, example: CallParams): JsonObject[] {
	const inPath = new Set(pathParameters(http.path));
	return Object.entries(operation.params.shape)
		.filter(([name]) => !takesBody(http.method) || inPath.has(name))
		.map(([name, schema]) => {
			// The schema is of the parsed parameters: the input of their preprocessors may be anything.
			const { description, deprecated, ...rest } = jsonSchema(schema);
			return {
				name,
				...(deprecated === true && { deprecated }),
				in: inPath.has(name) ? "path" : "query",
				...(description === undefined ? {} : { description }),
				required: isRequired(schema),
				schema: rest,
				...(name in example && { example: rest.type === "array" ? [example[name]].flat() : example[name] }),
			};
		});
}

/** The body of a POST or PATCH; undefined if there are no parameters besides the path's. */
function requestBody(
	{ name: operationName, operation, http }: HttpOperation,
	exampleParams: CallParams,
	schemas: NamedSchemas,
): JsonObject | undefined {
	const inPath = new Set(pathParameters(http.path));
	const fields = Object.entries(operation.params.shape).filter(([name]) => !inPath.has(name));
	if (!takesBody(http.method) || fields.length === 0) return undefined;
	const required = fields.filter(([, schema]) => isRequired(schema)).map(([name]) => name);
	const properties = Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field)]));
	const schema = schemas.add(`${pascal(operationName)}Request`, {
		type: "object",
		properties,
		...(required.length > 0 && { required }),
		additionalProperties: false,
	});
	const example = Object.fromEntries(Object.entries(exampleParams).filter(([name]) => !inPath.has(name)));
	return {
		required: required.length > 0,
		content: {
			"application/json": { schema, example },
			...(Object.values(properties).every(fitsForm) && { "application/x-www-form-urlencoded": { schema, example } }),
		},
	};
}

/** Whether a form can send the field. A form field is text, so it cannot be an object or a list of objects. */
const fitsForm = ({ type, items, anyOf }: JsonObject): boolean =>
	![type].flat().includes("object") &&
	[items ?? [], anyOf ?? []].flat().every((part) => part === false || fitsForm(part as JsonObject));

function success(
	{ name, operation, http }: HttpOperation,
	schemas: NamedSchemas,
	live: LiveExample | undefined,
): JsonObject {
	const { mediaType = "application/json", mediaTypes = {} } = operation;
	// A shortened example whose rows lack fields would not match the schema.
	const example = live?.answer?.isWhole === true ? { example: live.answer.value } : {};
	const others = new Set([...Object.values<string>(mediaTypes), ...(otherForms[name] ?? [])]);
	others.delete(mediaType);
	return {
		description: operation.summary,
		headers: headersOfSuccess(operation, http),
		content: {
			[mediaType]: { schema: schemas.refer(`${pascal(name)}Response`, operation.reply), ...example },
			...Object.fromEntries([...others].map((type) => [type, { schema: { type: "string" } }])),
		},
	};
}

const otherForms: Partial<Record<OperationName, string[]>> = {
	runQuery: ["text/csv"],
	getQuery: ["text/csv"],
	getUsage: ["text/csv"],
};
