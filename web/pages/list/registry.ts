/** The declaration of this page's operation, which the gateway writes into the page. */
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";

export interface Declared {
	/** Path of the operation. */
	path: string;
	/** Schemas of the parameters other than those for paging, and (`row`) of the fields of a row. */
	params: Record<string, JsonSchema>;
	row: Record<string, JsonSchema>;
}

export function readDeclared(): Declared {
	const text = document.querySelector<HTMLDataElement>("#registry")?.value;
	if (text === undefined) throw new Error("the page lacks the element #registry, which declares its operation");
	return JSON.parse(text);
}

/** The schema of a field's type: a nullable field has it in `anyOf`, beside null. */
export const typeOfField = (schema: JsonSchema | undefined): JsonSchema =>
	schema?.anyOf?.find(({ type }) => type !== "null") ?? schema ?? {};
