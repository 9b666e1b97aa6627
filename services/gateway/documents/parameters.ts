/** The parameters of an operation in words: where each stands, what it takes, what it is when absent. */
import type { OperationShape } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { pathParameters } from "../registry/bindings.ts";
import { isRequired, type JsonSchema, jsonSchema } from "../registry/json-schema.ts";

export interface Parameter {
	name: string;
	in: "path" | "query" | "body";
	type: string;
	required: boolean;
	default: string | null;
	allowed: string | null;
	unit: string | null;
	description: string;
}

export function parametersOf(operation: OperationShape, http: HttpBinding): Parameter[] {
	const inPath = new Set(pathParameters(http.path));
	return Object.entries(operation.params.shape).map(([name, schema]) => {
		const described = jsonSchema(schema);
		return {
			name,
			in: inPath.has(name) ? "path" : takesBody(http.method) ? "body" : "query",
			type: [described.type ?? "string"].flat().join(" or "),
			required: isRequired(schema),
			default: described.default === undefined ? null : String(described.default),
			allowed: allowed(described),
			unit: described["x-unit"] ?? null,
			description: described.description ?? "",
		};
	});
}

/** The longest of what a reader needs to know: a limit that no request reaches is none. */
const noLimit = 2_147_483_647;
/** Of `words()`, which has it to bound the length of texts. */
const usualLength = 200;

function allowed({ enum: words, minimum, maximum, minLength, maxLength, format }: JsonSchema): string | null {
	if (words !== undefined) return words.join(", ");
	if (format === "date") return "YYYY-MM-DD";
	// Room for any number that makes sense.
	if (minimum !== undefined && minimum <= -1e6) return null;
	if (minimum !== undefined && (maximum === undefined || maximum >= noLimit)) return `from ${minimum}`;
	if (minimum !== undefined) return `${minimum} to ${maximum}`;
	if (minLength === 1 && maxLength === usualLength) return null;
	if (maxLength !== undefined && minLength === maxLength) return `${maxLength} characters`;
	if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
	return null;
}
