/** The parameters of an operation in words: where each stands, what it takes, what it is when absent. */
import type { OperationShape } from "#libs/contract/index.ts";
import { type HttpBinding, takesBody } from "#libs/contract/operation.ts";
import { allowedOf } from "#libs/schemas/allowed.ts";
import { pathParameters } from "../registry/bindings.ts";
import { isRequired, jsonSchema } from "../registry/json-schema.ts";

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
			allowed: allowedOf(described),
			unit: described["x-unit"] ?? null,
			description: described.description ?? "",
		};
	});
}
