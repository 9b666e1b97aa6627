/**
 * The static part of the reference on each endpoint: terms, parameters, fields. To limit its length, parameters and fields that an earlier
 * endpoint lists are replaced by a reference to that endpoint.
 */

import type { z } from "zod";
import { pageMeta } from "#libs/contract/envelopes.ts";
import type { OperationName } from "#libs/contract/index.ts";
import { type Field, fieldsOf } from "#libs/contract/schemas/fields.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { type JsonSchema, jsonSchema } from "../registry/json-schema.ts";
import { operationsByResource, type Parameter, parametersOf, toolNames } from "./catalog.ts";
import { factsOf } from "./openapi/facts.ts";

let notes: ReadonlyMap<OperationName, string> | undefined;

/** Notes by operation. All are written together, in the order of the reference, because later endpoints refer to earlier ones. */
export function endpointNotes(): ReadonlyMap<OperationName, string> {
	notes ??= writeNotes();
	return notes;
}

function writeNotes(): Map<OperationName, string> {
	const tools = toolNames();
	const fields = new FieldLines();
	const parameters = new ParameterLines();
	const all = operationsByResource().flatMap(({ members }) => members);
	return new Map(
		all.map((declared) => [
			declared.name,
			[
				...heading(declared, tools.get(declared.name)),
				...parametersIn(declared, parameters),
				...describeAnswer(declared, fields),
			].join("\n"),
		]),
	);
}

function heading(declared: HttpOperation, tool: string | undefined): string[] {
	const { operation, http } = declared;
	return [`### ${http.method} ${http.path}`, "", `${operation.summary} (${factsOf(declared, tool).join("; ")})`, ""];
}

function parametersIn({ operation, http }: HttpOperation, lines: ParameterLines): string[] {
	const parameters = parametersOf(operation, http);
	if (parameters.length === 0) return [];
	return ["Parameters:", "", ...lines.linesOf(`${http.method} ${http.path}`, parameters), ""];
}

function describeAnswer({ name, operation, http }: HttpOperation, fields: FieldLines): string[] {
	const { mediaType, mediaTypes } = operation;
	if (mediaType !== undefined) {
		const types = mediaTypes === undefined ? [mediaType] : Object.values(mediaTypes);
		return [`Answers ${types.map((type) => type.split(";", 1)[0]).join(" or ")}.`, ""];
	}
	const lines = fields.linesOf(`${http.method} ${http.path}`, operation.reply);
	return [
		name === "runQuery" || name === "getQuery" || name === "runSavedQuery"
			? "Answers, as JSON or with `Accept: text/csv` as CSV:"
			: "Answers:",
		"",
		...lines,
		"",
	];
}

/** A reference replaces shared parameters only if there are at least this many. */
const minSharedParameters = 12;
/** The same, if the reference replaces all parameters of the earlier endpoint. */
const minFullySharedParameters = 4;

interface ListedParameters {
	endpoint: string;
	lines: ReadonlyMap<string, string>;
}

class ParameterLines {
	readonly #listed: ListedParameters[] = [];

	linesOf(endpoint: string, parameters: Parameter[]): string[] {
		const lines = new Map(parameters.map((parameter) => [parameterLine(parameter), parameter.name]));
		const sharedWith = (listed: ListedParameters) => [...lines.keys()].filter((each) => listed.lines.has(each));
		const [earlier] = this.#listed
			.map((listed) => ({ listed, shared: sharedWith(listed) }))
			.sort((one, other) => other.shared.length - one.shared.length);
		this.#listed.push({ endpoint, lines });
		const reference = earlier && referenceTo(earlier.listed, earlier.shared);
		if (reference === undefined) return [...lines.keys()];
		return [reference, ...[...lines.keys()].filter((each) => !earlier?.shared.includes(each))];
	}
}

function referenceTo({ endpoint, lines }: ListedParameters, shared: readonly string[]): string | undefined {
	const namesOf = (some: readonly string[]) => some.map((each) => `\`${lines.get(each)}\``).join(", ");
	const others = [...lines.keys()].filter((each) => !shared.includes(each));
	if (shared.length >= minFullySharedParameters && others.length === 0) return `- all of ${endpoint}`;
	if (shared.length < minSharedParameters) return undefined;
	return others.length < shared.length / 2
		? `- all of ${endpoint} but ${namesOf(others)}`
		: `- as of ${endpoint}: ${namesOf(shared)}`;
}

function parameterLine({
	name,
	in: location,
	type,
	required,
	unit,
	allowed,
	default: defaultValue,
	description,
}: Parameter): string {
	const traits = [
		location === "path" ? `${type} in the path` : type,
		...(required ? ["required"] : []),
		...(allowed === null ? [] : [allowed]),
		...(defaultValue === null ? [] : [`default ${defaultValue}`]),
	];
	return `- \`${name}\` (${traits.join("; ")})${unit === null ? "" : ` [${unit}]`}: ${description}`;
}

/** A reference replaces shared `meta` fields only if there are at least this many. */
const minSharedMeta = 3;
/** A reference replaces the fields of an object only if there are at least this many. */
const minSharedFields = 12;

interface ListedObject {
	where: string;
	properties: Record<string, string>;
}

export class FieldLines {
	readonly #listed: ListedObject[] = [];
	readonly #meta = new Map<string, string>();

	linesOf(endpoint: string, reply: z.ZodType): string[] {
		const lines = this.#fieldLines(endpoint, reply);
		const isMeta = (each: string) => each.startsWith("- `meta.");
		const byEndpoint = Map.groupBy(lines.filter(isMeta), (each) => this.#meta.get(each));
		for (const each of lines.filter(isMeta)) if (!this.#meta.has(each)) this.#meta.set(each, endpoint);
		const groups = [...byEndpoint].filter(([where, same]) => where !== undefined && same.length >= minSharedMeta);
		const grouped = new Set(groups.flatMap(([, same]) => same));
		return [
			...lines.filter((each) => !grouped.has(each)),
			...groups.map(([where, same]) => `- as of ${where}: ${same.map(nameIn).join(", ")}`),
		];
	}

	#fieldLines(endpoint: string, reply: z.ZodType): string[] {
		const skipped = new Set<string>();
		return fieldsOf(jsonSchema(reply)).flatMap((field) => {
			if (isBelow(field.path, skipped)) return [];
			// The reference describes the meta of pages once, in its introduction.
			if (field.path === "meta" && isPageMeta(field.properties)) {
				for (const name of Object.keys(pageMeta)) skipped.add(`meta.${name}`);
				return [];
			}
			const earlier = this.#earlier(field);
			if (earlier === undefined) {
				if (field.properties !== undefined) this.#remember(endpoint, field);
				return fieldLine(field);
			}
			const path = nestedPath(field);
			for (const name of Object.keys(earlier.properties)) skipped.add(path === "" ? name : `${path}.${name}`);
			const others = Object.keys(field.properties ?? {}).length > Object.keys(earlier.properties).length;
			return [`- ${path === "" ? "" : `\`${path}\`: `}every field of ${earlier.where}${others ? ", and:" : ""}`];
		});
	}

	#earlier({ properties }: Field): ListedObject | undefined {
		if (properties === undefined) return undefined;
		return this.#listed.find((listed) =>
			Object.entries(listed.properties).every(([name, schema]) => JSON.stringify(properties[name]) === schema),
		);
	}

	#remember(endpoint: string, field: Field): void {
		const entries = Object.entries(field.properties ?? {}).map(([name, each]) => [name, JSON.stringify(each)]);
		const where = nestedPath(field) === "" ? endpoint : `${endpoint} \`${nestedPath(field)}\``;
		if (entries.length >= minSharedFields) this.#listed.push({ where, properties: Object.fromEntries(entries) });
	}
}

const isBelow = (path: string, parents: ReadonlySet<string>): boolean =>
	[...parents].some((parent) => path === parent || path.startsWith(`${parent}.`) || path.startsWith(`${parent}[`));

const isPageMeta = (properties: Record<string, JsonSchema> | undefined): boolean =>
	properties !== undefined && Object.keys(pageMeta).every((name) => name in properties);

/** The name of the field that a line describes. */
const nameIn = (text: string): string => /`[^`]+`/.exec(text)?.[0] ?? "";

/** Path prefix of a field's nested fields; `[]` stands for each element of a list. */
const nestedPath = ({ path, type }: Field): string => (type.startsWith("list of") ? `${path}[]` : path);

function fieldLine(field: Field): string[] {
	const { path, type, nullable, unit, description } = field;
	// An object without a description needs no line, because its fields have lines.
	if (path === "" || (field.properties !== undefined && description === undefined && !nullable)) return [];
	const text = description === undefined ? "" : `: ${description}`;
	return [`- \`${path}\` ${type}${nullable ? " or null" : ""}${unit === undefined ? "" : ` [${unit}]`}${text}`];
}
