/** The operation of this page as the registry declares it. The gateway writes it into the page. */
import type { JsonSchema } from "#libs/contract/schemas/json-schema.ts";

export interface Declared {
	/** Path of the operation. */
	path: string;
	/** Schemas of the parameters that are not those of paging, and of the fields of a row. */
	params: Record<string, JsonSchema>;
	row: Record<string, JsonSchema>;
}

export function readDeclared(): Declared {
	const text = document.querySelector<HTMLDataElement>("#registry")?.value;
	if (text === undefined) throw new Error("the page has no operation");
	return JSON.parse(text);
}

/** A nullable field has its type in `anyOf`, beside null. */
export const typeOfField = (schema: JsonSchema | undefined): JsonSchema =>
	schema?.anyOf?.find(({ type }) => type !== "null") ?? schema ?? {};
