/** The values that a schema allows, in words: for documents that people and agents read. */
import type { JsonSchema } from "./json-schema.ts";

/** The longest of what a reader needs to know: a limit that no request reaches is none. */
const noLimit = 2_147_483_647;
/** The limit that `words()` sets to every text; readers need not know it. */
const usualLength = 200;

export function allowedOf({ enum: words, minimum, maximum, minLength, maxLength, format }: JsonSchema): string | null {
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
