import type { z } from "zod";
import { noteOnField } from "#libs/contract/documents/field-notes/index.ts";
import { componentSchemas } from "#libs/contract/schemas/json-schema.ts";
import { type JsonSchema, referringSchema } from "../../registry/json-schema.ts";

export class NamedSchemas {
	readonly #schemas = new Map<string, JsonSchema>();

	components(): Record<string, JsonSchema> {
		return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
	}

	/** Adds the schema of a response under its id or, if it has none, under `name`. @returns a reference to it */
	refer(name: string, schema: z.ZodType): JsonSchema {
		const { defs, root } = referringSchema(schema);
		for (const [id, each] of Object.entries(defs)) if (!this.#schemas.has(id)) this.add(id, each);
		return this.#named(root, name);
	}

	/** Adds the schema of an object under a name. @returns a reference to it */
	add(name: string, schema: JsonSchema): JsonSchema {
		if (this.#schemas.has(name)) throw new Error(`two schemas are named ${name}`);
		// Reserves its position before nested schemas are added.
		this.#schemas.set(name, {});
		const properties = Object.entries(schema.properties ?? {}).map(([field, each]) => {
			const named = this.#named(each, name + pascal(field));
			const description = isDescribed(each) ? undefined : noteOnField(field);
			return [field, description === undefined ? named : { ...named, description }];
		});
		this.#schemas.set(name, { ...schema, properties: Object.fromEntries(properties) });
		return { $ref: componentSchemas + name };
	}

	/** Replaces each object with fields by a reference. */
	#named(schema: JsonSchema, name: string): JsonSchema {
		const { $ref, items, anyOf, oneOf, additionalProperties } = schema;
		if ($ref !== undefined) return { ...schema, $ref: $ref.replace("#/$defs/", componentSchemas) };
		if (schema.properties !== undefined) {
			const { description, ...rest } = schema;
			return { ...this.add(name, rest), ...(description !== undefined && { description }) };
		}
		return {
			...schema,
			...(items !== undefined && { items: this.#named(items, name) }),
			...(anyOf !== undefined && { anyOf: this.#variants(anyOf, name) }),
			...(oneOf !== undefined && { oneOf: this.#variants(oneOf, name) }),
			...(typeof additionalProperties === "object" && {
				additionalProperties: this.#named(additionalProperties, name),
			}),
		};
	}

	#variants(variants: JsonSchema[], name: string): JsonSchema[] {
		const hasMany =
			variants.filter(({ properties, items }) => (properties ?? items?.properties) !== undefined).length > 1;
		return variants.map((each, index) => this.#named(each, hasMany ? name + nameOfVariant(each, index) : name));
	}
}

/** The first constant text of the variant, such as its `kind`, in Pascal case; else its number, from 1. */
function nameOfVariant({ properties = {} }: JsonSchema, index: number): string {
	const tag = Object.values(properties).find((each) => typeof each.const === "string");
	return tag === undefined ? String(index + 1) : pascal(String(tag.const));
}

/** Whether the field or one of its variants has a description. */
const isDescribed = ({ description, anyOf }: JsonSchema): boolean =>
	description !== undefined || anyOf?.some((each) => each.description !== undefined) === true;

/** `ListProjects` for `listProjects`. */
export const pascal = (name: string): string =>
	name.replace(/(^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, _gap, letter: string) => letter.toUpperCase());
