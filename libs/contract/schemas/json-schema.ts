/** The subset of JSON Schema that the API uses. */
export interface JsonSchema {
	/** Reference to a named schema. Keywords next to it override those of the schema. */
	$ref?: string;
	/** A list if several types are allowed. */
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	format?: string;
	description?: string;
	default?: unknown;
	minimum?: number;
	maximum?: number;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	properties?: Record<string, JsonSchema>;
	required?: string[];
	additionalProperties?: boolean | JsonSchema;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	"x-unit"?: string;
}

/** Prefix of references to schemas in an OpenAPI document. */
export const componentSchemas = "#/components/schemas/";

/** Replaces each `$ref` with the schema of this name in `named`. Unknown references remain. No schema may refer to itself. */
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

/** The schemas of a document by reference. */
export const byReference = (prefix: string, schemas: Record<string, JsonSchema>): Map<string, JsonSchema> =>
	new Map(Object.entries(schemas).map(([name, schema]) => [prefix + name, schema]));
