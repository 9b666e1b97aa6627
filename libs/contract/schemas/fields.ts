/** Lists the fields of a JSON Schema with their types, units and descriptions, for the generated documentation. */
import type { JsonSchema } from "./json-schema.ts";

export interface Field {
	/** Path of the field: `data[].capacity_mw`. `[]` stands for each element of a list, `<key>` for each value of a map. */
	path: string;
	type: string;
	nullable: boolean;
	unit: string | undefined;
	description: string | undefined;
	/** The fields of an object, or of the objects in a list, in order. */
	properties: Record<string, JsonSchema> | undefined;
}

/** Lists a schema (with the path "") and all fields in it, parents before their children. */
export function fieldsOf(schema: JsonSchema, path = ""): Field[] {
	const { schema: own, nullable } = withoutNull(schema);
	const variants = own.anyOf ?? own.oneOf;
	const field: Field = {
		path,
		type: typeOf(own),
		nullable,
		unit: unitOf(own),
		description: schema.description ?? own.description,
		properties: withoutNull(own.items ?? own).schema.properties,
	};
	const below = variants === undefined ? children(own, path) : variants.flatMap((each) => children(each, path));
	return [field, ...mergeRepeated(below)];
}

function children(schema: JsonSchema, path: string): Field[] {
	const { items, properties, additionalProperties } = schema;
	if (items !== undefined) {
		// `data[]` is not listed in addition to `data`.
		const [, ...rest] = fieldsOf(items, `${path}[]`);
		return rest;
	}
	const named = Object.entries(properties ?? {}).flatMap(([name, each]) =>
		fieldsOf(each, path === "" ? name : `${path}.${name}`),
	);
	const [, ...keyed] = typeof additionalProperties === "object" ? fieldsOf(additionalProperties, `${path}.<key>`) : [];
	return [...named, ...keyed];
}

/** Merges fields that several alternatives have: each is listed once, with all its types. */
function mergeRepeated(fields: Field[]): Field[] {
	const seen = new Map<string, Field>();
	for (const field of fields) {
		const same = seen.get(field.path);
		const types = new Set([...(same?.type.split(" | ") ?? []), ...field.type.split(" | ")]);
		seen.set(field.path, { ...(same ?? field), type: [...types].join(" | ") });
	}
	return [...seen.values()];
}

function withoutNull(schema: JsonSchema): { schema: JsonSchema; nullable: boolean } {
	if (Array.isArray(schema.type)) {
		const rest = schema.type.filter((type) => type !== "null");
		return { schema: { ...schema, type: rest.join(" or ") }, nullable: rest.length < schema.type.length };
	}
	const variants = schema.anyOf;
	if (variants === undefined) return { schema, nullable: schema.type === "null" };
	const rest = variants.filter(({ type }) => type !== "null");
	const nullable = rest.length < variants.length;
	const [only] = rest;
	return rest.length === 1 && only !== undefined
		? { schema: only, nullable }
		: { schema: { ...schema, anyOf: rest }, nullable };
}

/** The unit of a list or map is the unit of its numbers. */
function unitOf(schema: JsonSchema): string | undefined {
	if (schema["x-unit"] !== undefined) return schema["x-unit"];
	const { additionalProperties: each } = schema;
	if (typeof each === "object") return unitOf(withoutNull(each).schema);
	return schema.items === undefined ? undefined : unitOf(withoutNull(schema.items).schema);
}

/** The type in words: `integer`, `date`, `list of string`, `"asc" | "desc"`. */
export function typeOf(schema: JsonSchema): string {
	const { schema: own } = withoutNull(schema);
	const variants = own.anyOf ?? own.oneOf;
	if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(" or ");
	if (own.enum !== undefined) return own.enum.map((word) => JSON.stringify(word)).join(" | ");
	if (own.const !== undefined) return JSON.stringify(own.const);
	if (own.items !== undefined) return `list of ${typeOf(own.items)}`;
	if (own.format === "date") return "date";
	if (own.format === "date-time") return "timestamp";
	if (typeof own.additionalProperties === "object" && own.properties === undefined)
		return `map of ${typeOf(own.additionalProperties)}`;
	return [own.type ?? "any value"].flat().join(" or ");
}

/** Maximum from which a limit is not documented. */
const noLimit = 2_147_483_647;
/** The default limit of `words()`, which is not documented. */
const defaultLength = 200;

/** The allowed values, in words; null if there is no limit to document. */
export function allowedOf({ enum: words, minimum, maximum, minLength, maxLength, format }: JsonSchema): string | null {
	if (words !== undefined) return words.join(", ");
	if (format === "date") return "YYYY-MM-DD";
	// Such a low minimum is not documented.
	if (minimum !== undefined && minimum <= -1e6) return null;
	if (minimum !== undefined && (maximum === undefined || maximum >= noLimit)) return `from ${minimum}`;
	if (minimum !== undefined) return `${minimum} to ${maximum}`;
	if (minLength === 1 && maxLength === defaultLength) return null;
	if (maxLength !== undefined && minLength === maxLength) return `${maxLength} characters`;
	if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
	return null;
}
