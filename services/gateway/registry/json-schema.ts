/** Zod schemas of the contract as JSON Schema, for every document that shows them: OpenAPI, references, MCP tools, payment terms. */
import { z } from "zod";
import type { JsonSchema } from "#libs/schemas/json-schema.ts";

export type { JsonSchema };

/** OpenAPI and MCP take the newest dialect; schemas of AsyncAPI are of draft 7. */
type Dialect = "draft-2020-12" | "draft-7";

const described: Record<Dialect, WeakMap<z.ZodType, JsonSchema & Record<string, unknown>>> = {
	"draft-2020-12": new WeakMap(),
	"draft-7": new WeakMap(),
};

/**
 * What a schema answers, without the line that names the dialect: a parameter is read by a preprocessor, whose input says nothing, and
 * what it is turned into is what it means. Described once: it takes its time.
 */
export function jsonSchema(schema: z.ZodType, target: Dialect = "draft-2020-12"): JsonSchema & Record<string, unknown> {
	const known = described[target].get(schema);
	if (known !== undefined) return known;
	const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "output", target }) as Record<string, unknown>;
	described[target].set(schema, rest);
	return rest;
}

/** Whether a parameter has to be given: it has no default and may not be absent. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
