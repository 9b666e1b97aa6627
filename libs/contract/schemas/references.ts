import type { JsonSchema } from "./json-schema.ts";

/** Where an OpenAPI document has its schemas: before their names in references. */
export const componentSchemas = "#/components/schemas/";

/** The value with the schema that each `$ref` names in its place. `named`: by reference; none refers to itself, others stay. */
export function withoutReferences<T extends object>(value: T, named: ReadonlyMap<string, JsonSchema>): T {
	const resolved = (part: unknown): unknown => {
		if (Array.isArray(part)) return part.map(resolved);
		if (typeof part !== "object" || part === null) return part;
		const { $ref, ...rest } = part as JsonSchema;
		const target = typeof $ref === "string" ? named.get($ref) : undefined;
		const own = Object.entries(target === undefined ? part : rest).map(([key, each]) => [key, resolved(each)]);
		return { ...(target !== undefined && (resolved(target) as object)), ...Object.fromEntries(own) };
	};
	return resolved(value) as T;
}

/** The schemas of a document by the references to them. */
export const byReference = (prefix: string, schemas: Record<string, JsonSchema>): Map<string, JsonSchema> =>
	new Map(Object.entries(schemas).map(([name, schema]) => [prefix + name, schema]));
