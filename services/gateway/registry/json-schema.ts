/** Zod schemas of the contract as JSON Schema, for OpenAPI, references, MCP tools and payment terms. */
import { z } from "zod";
import { byReference, type JsonSchema, withoutReferences } from "#libs/contract/schemas/json-schema.ts";

export type { JsonSchema };

/** Any JSON object: a part of a document, or a schema whose keywords are not read. */
export type JsonObject = Record<string, unknown>;

/** OpenAPI and MCP use the newest dialect, AsyncAPI draft 7. */
type Dialect = "draft-2020-12" | "draft-7";

const schemaCache: Record<Dialect, WeakMap<z.ZodType, JsonSchema & Record<string, unknown>>> = {
	"draft-2020-12": new WeakMap(),
	"draft-7": new WeakMap(),
};

/**
 * JSON Schema of the output type of a schema, without `$schema`. The input type would say nothing, because the preprocessors of parameters accept
 * any input. Cached, because the conversion takes time.
 */
export function jsonSchema(schema: z.ZodType, target: Dialect = "draft-2020-12"): JsonSchema & Record<string, unknown> {
	const cached = schemaCache[target].get(schema);
	if (cached !== undefined) return cached;
	const { $schema: _, $defs, definitions, ...rest } = z.toJSONSchema(schema, { io: "output", target }) as Described;
	const named = [...byReference("#/definitions/", definitions ?? {}), ...byReference("#/$defs/", $defs ?? {})];
	const whole = withoutReferences(rest, new Map(named));
	schemaCache[target].set(schema, whole);
	return whole;
}

type Described = JsonSchema & Record<string, unknown> & { $defs?: Definitions; definitions?: Definitions };
type Definitions = Record<string, JsonSchema>;

/** JSON Schema with references to the schemas that have an `id`, and those schemas. */
export function referringSchema(schema: z.ZodType): { root: JsonSchema; defs: Definitions } {
	const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: "output" }) as Described;
	return { root, defs: $defs };
}

export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
