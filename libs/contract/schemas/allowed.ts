/** The allowed values of a schema, in words, for documents. */
import type { JsonSchema } from "./json-schema.ts";

/** A limit this large need not be documented. */
const noLimit = 2_147_483_647;
/** The default limit of `words()`, which need not be documented. */
const usualLength = 200;

export function allowedOf({ enum: words, minimum, maximum, minLength, maxLength, format }: JsonSchema): string | null {
	if (words !== undefined) return words.join(", ");
	if (format === "date") return "YYYY-MM-DD";
	// A limit this low need not be documented.
	if (minimum !== undefined && minimum <= -1e6) return null;
	if (minimum !== undefined && (maximum === undefined || maximum >= noLimit)) return `from ${minimum}`;
	if (minimum !== undefined) return `${minimum} to ${maximum}`;
	if (minLength === 1 && maxLength === usualLength) return null;
	if (maxLength !== undefined && minLength === maxLength) return `${maxLength} characters`;
	if (maxLength !== undefined) return `${minLength ?? 0} to ${maxLength} characters`;
	return null;
}
