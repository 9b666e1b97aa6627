/**
 * Copies of the OpenAPI document for a tool that makes requests up from it: the document as served, less what no schema can say. Walks
 * the document, so that an operation that is new is in it by itself.
 */

import { type OperationName, type OperationShape, operations } from "#libs/contract/index.ts";
import {
	byReference,
	componentSchemas,
	type JsonSchema,
	withoutReferences,
} from "#libs/contract/schemas/json-schema.ts";

interface Schema {
	enum?: unknown[];
	description?: string;
	[word: string]: unknown;
}
interface Parameter {
	name: string;
	in: string;
	required: boolean;
	description?: string;
	schema: Schema;
	example?: unknown;
}
interface Body {
	properties?: Record<string, Schema>;
	required?: string[];
}
type Content = Record<string, { schema: Body }>;
export interface Operation {
	operationId: string;
	security: Record<string, string[]>[];
	parameters: Parameter[];
	requestBody?: { content: Content };
	responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
}
export interface Document {
	paths: Record<string, Record<string, Operation>>;
	components: { securitySchemes: Record<string, unknown>; schemas: Record<string, Schema> };
}

/** Operations that no stranger can ask, each with the reason. */
export const leftOut: Record<string, string> = {
	register: "makes an account with every call, of which an address gets few",
	rotateKey: "ends the key that the tool asks with",
	revokeKey: "ends the key that the tool asks with",
	requestKey: "mails, which an address may have done a few times an hour",
	verifyEmail: "mails, which an account may have done a few times a day",
	recoverKey: "takes a token that only a mail tells",
	confirmEmail: "takes a token that only a mail tells",
	confirmAlerts: "takes a token that only a mail tells",
	stopAlerts: "takes a token that only a mail tells",
	deleteAccount: "deletes the account that the tool asks with",
	buyCredits: "is paid for",
	startCheckout: "is paid for",
	getOpenapi:
		"is of no fixed form, and the tool takes the first item of a list there for the form of all; others judge it",
	streamChanges: "has no end, which the tool waits for",
	streamEvents: "has no end, which the tool waits for",
	streamScores: "has no end, which the tool waits for",
	createWebhook: "makes a webhook with every call, of which an account has few",
	createWatchlist: "makes a watchlist with every call, of which an account has few",
	createSavedQuery: "takes statements, which no schema can say",
	changeSavedQuery: "takes statements, which no schema can say",
	runSavedQuery: "takes the parameters of the saved query, which no schema can say",
	deleteSavedQuery: "deletes the saved query that other operations are asked for",
	deleteWebhook: "deletes the webhook that other operations are asked for",
	deleteWatchlist: "deletes the watchlist that other operations are asked for",
	getAsyncapi: "is of no fixed form, as the OpenAPI document; its own parser judges it",
	getProjectTile: "has rows and columns that are as many as its zoom allows, which no schema can say",
	openDispute:
		"needs other fields with each thing that is disputed, which the schema does not say, and evidence at an https address",
	changeCredits: "asks for credits, which are paid for",
	changeKey: "caps the key that the tool asks with",
	getReceipt: "asks for a payment, of which there is none",
	getCredits: "asks for credits, which are paid for",
};

/** Values that exist, by the name of the parameter or of operation and parameter: anything else finds nothing. */
export type Known = Record<string, string | number | readonly string[]>;

/** Parameters that are taken together or not at all, a distance without a default with that which it is from; no schema can say that either. */
const ofPlace = ["lat", "lon", "radius_km"];

/** The tool tries every set of the optional parameters, each with every set of their values: more together take forever. */
const together = { parameters: 3, values: 60 };

/** Every operation without its optional parameters, with each way to show a key. */
export const requiredOnly = (document: Document, known: Known): Document =>
	copyOf(withWholeBodies(document), known, (operation) => trying(operation, new Set())) as Document;

/**
 * Every parameter of every operation, beside a few others; of each operation one group of parameters a document. Changes of what an account
 * owns are not among them: a minute has few of them.
 */
export function everyParameter(document: Document, known: Known): Document[] {
	const documents: Document[] = [];
	const whole = withWholeBodies(document);
	const named = byReference(componentSchemas, document.components.schemas);
	for (let place = 0; ; place++) {
		const copy = copyOf(whole, known, (operation, method) => {
			if (method !== "get" && isOwners(operation)) return undefined;
			const groups = groupsOf(operation);
			if (place >= Math.max(1, groups.length)) return undefined;
			// The ways in were tried without parameters: one is enough.
			const security = operation.security.filter((way) => "key" in way);
			const tried = { ...trying(operation, new Set(groups[place])), security };
			return groups[place]?.includes("fields") ? withChosenFields(tried, named) : tried;
		});
		if (copy === undefined) return documents;
		documents.push(copy);
	}
}

/** The operation with the answer that the description of `fields` promises. */
function withChosenFields(operation: Operation, named: ReadonlyMap<string, JsonSchema>): Operation {
	const { fields }: OperationShape = operations[operation.operationId as OperationName];
	const { content } = operation.responses[200] ?? {};
	if (fields === undefined || content === undefined) return operation;
	const chosen = changed(content, ({ schema, ...rest }) => ({
		...rest,
		schema: requireChosen(withoutReferences(schema, named), fields),
	}));
	return { ...operation, responses: { ...operation.responses, 200: { ...operation.responses[200], content: chosen } } };
}

/** Requires of the rows of an answer, which has no references, only what `fields` always includes. */
export function requireChosen(answer: JsonSchema, fields: NonNullable<OperationShape["fields"]>): JsonSchema {
	const { anyOf, properties = {} } = answer;
	if (anyOf !== undefined) return { ...answer, anyOf: anyOf.map((each) => requireChosen(each, fields)) };
	if (fields.of === null) return { ...answer, required: [...fields.always] };
	const rows = properties[fields.of];
	const items = requireChosen(rows?.items ?? {}, { ...fields, of: null });
	return { ...answer, properties: { ...properties, [fields.of]: { ...rows, items } } };
}

/**
 * Neighbours in the declaration are never in one group: of two that limit each other (iso and region, a least and a most, a first and a
 * last day), which no schema can say, the tool would make contradictions up. Nor are two of which a description says that they cannot be
 * combined.
 */
function groupsOf(operation: Operation): string[][] {
	const groups: { names: string[]; values: number; last: number }[] = [];
	const all = fieldsOf(operation);
	// Compression needs format=parquet, which the tool cannot read; near needs radius_km, which is tried with lat and lon.
	const fields = all.filter(({ name }) => !ofPlace.includes(name) && !["compression", "near"].includes(name));
	const excluded = new Map(fields.map(({ name, description }) => [name, excludedBy(description)]));
	const areApart = (one: string, other: string) =>
		excluded.get(one)?.includes(other) || excluded.get(other)?.includes(one);
	for (const [place, { name, schema }] of fields.entries()) {
		const values = schema.enum?.length ?? (schema.type === "boolean" ? 2 : 3);
		const group = groups.find(
			(each) =>
				each.names.length < together.parameters &&
				each.values * values <= together.values &&
				each.last < place - 1 &&
				!each.names.some((other) => areApart(name, other)),
		);
		if (group === undefined) groups.push({ names: [name], values, last: place });
		else Object.assign(group, { names: [...group.names, name], values: group.values * values, last: place });
	}
	const hasPlace = all.some(({ name }) => ofPlace.includes(name));
	return [...groups.map(({ names }) => names), ...(hasPlace ? [ofPlace] : [])];
}

/** Parameters of the query and fields of the body; a path has one value. */
function fieldsOf({ parameters, requestBody }: Operation): Pick<Parameter, "name" | "schema" | "description">[] {
	const query = parameters.filter((each) => each.in !== "path");
	// Fields that either form of a body has are in both.
	const [body] = Object.values(requestBody?.content ?? {});
	const inBody = Object.entries(body?.schema.properties ?? {}).map(([name, schema]) => ({ ...schema, name, schema }));
	return [...query, ...inBody];
}

/** Words of the description that name the parameters with which this one cannot be combined. */
export const excludedBy = (description = ""): string[] =>
	/cannot be combined with ([^.;:]*)/i.exec(description)?.[1]?.split(/\W+/) ?? [];

/** Whether there is no way in without a key: of free operations none is listed. */
const isOwners = ({ security }: Operation): boolean =>
	security.length > 0 && security.every((way) => Object.keys(way).length > 0);

/** Keeps these parameters and the required others, with one value each. */
function trying(operation: Operation, names: Set<string>): Operation {
	const isOfCircle = (name: string, schema: Schema) => ofPlace.includes(name) && schema.default === undefined;
	const narrow = (schema: Schema, name: string): Schema =>
		names.has(name) || schema.enum === undefined ? schema : { ...schema, enum: schema.enum.slice(0, 1) };
	return {
		...operation,
		parameters: operation.parameters
			.filter(({ name, required }) => required || names.has(name))
			.map((each) => ({
				...each,
				required: each.required || isOfCircle(each.name, each.schema),
				schema: narrow(each.schema, each.name),
			})),
		...inBody(operation, ({ properties = {}, required = [], ...rest }) => {
			const kept = Object.entries(properties).filter(([name]) => required.includes(name) || names.has(name));
			const ofCircle = kept.flatMap(([name, schema]) => (isOfCircle(name, schema) ? [name] : []));
			return { ...rest, properties: changed(Object.fromEntries(kept), narrow), required: [...required, ...ofCircle] };
		}),
	};
}

/** Includes the schemas of bodies only where they are sent, as each copy narrows them. */
function withWholeBodies(document: Document): Document {
	const { schemas } = document.components;
	const named = byReference(componentSchemas, schemas);
	const inBodies = new Set<string>();
	const paths = changed(document.paths, (methods) =>
		changed(methods, (operation) => ({
			...operation,
			...inBody(operation, (schema) => {
				inBodies.add(String((schema as Schema).$ref).replace(/^.*\//, ""));
				return withoutReferences(schema, named);
			}),
		})),
	);
	const others = Object.fromEntries(Object.entries(schemas).filter(([name]) => !inBodies.has(name)));
	return { ...document, paths, components: { ...document.components, schemas: others } };
}

/** The body with another schema, where there is one. */
const inBody = ({ requestBody }: Operation, change: (schema: Body) => Body): Pick<Operation, "requestBody"> =>
	requestBody === undefined
		? {}
		: {
				requestBody: {
					...requestBody,
					content: changed(requestBody.content, (each) => ({ ...each, schema: change(each.schema) })),
				},
			};

const changed = <T>(record: Record<string, T>, change: (value: T, name: string) => T): Record<string, T> =>
	Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

/** Undefined when nothing is left. */
function copyOf(
	document: Document,
	known: Known,
	change: (operation: Operation, method: string) => Operation | undefined,
): Document | undefined {
	const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
		const kept = Object.entries(methods).flatMap(([method, operation]) => {
			const changed = operation.operationId in leftOut ? undefined : change(operation, method);
			return changed === undefined ? [] : [[method, askable(changed, known)] as const];
		});
		return kept.length === 0 ? [] : [[path, Object.fromEntries(kept)] as const];
	});
	if (paths.length === 0) return undefined;
	const { key, bearer, keyInQuery } = document.components.securitySchemes;
	const components = { ...document.components, securitySchemes: { key, bearer, keyInQuery } };
	return { ...document, paths: Object.fromEntries(paths), components };
}

/** Replaces any text by a known value, and leaves out credits and all but one form of the answer: the tool sends no `Accept`. */
function askable(operation: Operation, known: Known): Operation {
	const ofProject = operation.parameters.some(({ name, required }) => name === "project_id" && required);
	const narrow = (schema: Schema, name: string): Schema => {
		// A project is in one region: beside its id, another is none of its. Anywhere else all are tried, and any id.
		// All numbers of developers in a filter are tried, too: an unused one finds nothing, which is an answer.
		const isAny =
			(["region", "project_id"].includes(name) && !ofProject) || (name === "developer_id" && schema.type === "array");
		const general = isAny ? undefined : known[name];
		const values = known[`${operation.operationId}.${name}`] ?? general;
		if (values === undefined) return schema;
		// The tool tries numbers for a text, and any can be an id; for a number it tries no other type.
		return { type: typeof values === "number" ? "integer" : "string", enum: [values].flat() };
	};
	const body = inBody(operation, (schema) => ({
		...schema,
		properties: changed(schema.properties ?? {}, (each, name) => withKnownMembers(narrow(each, name), narrow)),
	}));
	return {
		...operation,
		security: operation.security.filter((way) => !("credits" in way)),
		parameters: operation.parameters.map((each) => ({ ...each, schema: narrow(each.schema, each.name) })),
		...(body.requestBody && { requestBody: withoutListsInForms(body.requestBody) }),
		responses: changed(operation.responses, (response, status) => (status === "200" ? firstForm(response) : response)),
	};
}

/**
 * Narrows a body's field: members of objects in a list to those that are required or known, as the tool makes up any other text; an object
 * whose members another operation decides has none.
 */
function withKnownMembers(field: Schema, narrow: (schema: Schema, name: string) => Schema): Schema {
	const items = field.items as (Body & Schema) | undefined;
	if (items?.properties !== undefined) {
		const members = Object.entries(items.properties).filter(
			([name, member]) => items.required?.includes(name) || narrow(member, name) !== member,
		);
		return { ...field, items: { ...items, properties: changed(Object.fromEntries(members), narrow) } };
	}
	if (field.propertyNames === undefined) return field;
	return { type: "object", properties: {}, additionalProperties: false };
}

/** The tool writes a list in a form as JSON. */
function withoutListsInForms(body: { content: Content }): { content: Content } {
	const hasList = ({ properties = {} }: Body) => Object.values(properties).some(({ type }) => type === "array");
	const kept = Object.entries(body.content).filter(
		([type, { schema }]) => type === "application/json" || !hasList(schema),
	);
	return { ...body, content: Object.fromEntries(kept) };
}

function firstForm(response: Operation["responses"][string]): Operation["responses"][string] {
	const [first] = Object.entries(response.content ?? {});
	return first === undefined ? response : { ...response, content: Object.fromEntries([first]) };
}
