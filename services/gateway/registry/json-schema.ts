/** Zod schemas of the contract as JSON Schema, for every document that shows them: OpenAPI, references, MCP tools, payment terms. */
import { z } from "zod";
import type { JsonSchema } from "#libs/schemas/json-schema.ts";
import { byReference, withoutReferences } from "#libs/schemas/references.ts";

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
	const { $schema: _, $defs, definitions, ...rest } = z.toJSONSchema(schema, { io: "output", target }) as Described;
	const named = [...byReference("#/definitions/", definitions ?? {}), ...byReference("#/$defs/", $defs ?? {})];
	const whole = withoutReferences(rest, new Map(named));
	described[target].set(schema, whole);
	return whole;
}

type Described = JsonSchema & Record<string, unknown> & { $defs?: Definitions; definitions?: Definitions };
type Definitions = Record<string, JsonSchema>;

/** The same with references to schemas that have an `id`, beside those schemas. */
export function referringSchema(schema: z.ZodType): { root: JsonSchema; defs: Definitions } {
	const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, { io: "output" }) as Described;
	return { root, defs: $defs };
}

/** Whether a parameter has to be given: it has no default and may not be absent. */
export const isRequired = (schema: z.ZodType): boolean => !schema.safeParse(undefined).success;
