/** Parameters of saved queries: declared types, and values of each type. */
import { z } from "zod";
import { decimal, flag, isoDate, storable } from "../../params.ts";

export const parameterTypes = ["text", "number", "date", "boolean"] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const savedQueryLimits = {
	parameters: 20,
	/** Maximum length of a text value. */
	characters: 1_000,
} as const;

/** Names that parameters of saved queries may not have, because the operation has query parameters of these names. */
export const takenNames: ReadonlySet<string> = new Set(["format", "safe", "api_key", "query_id", "values"]);

export type ParameterValue = string | number | boolean | null;

/** A value of the parameter `$name` in a statement. */
export interface BoundValue {
	name: string;
	type: ParameterType;
	/** Null is bound as NULL without a type; a statement that needs a type can contain, for example, `$name::date`. */
	value: ParameterValue;
}

const readers: Record<ParameterType, z.ZodType<string | number | boolean>> = {
	text: storable(
		z
			.string({ error: "must be text" })
			.max(savedQueryLimits.characters, `must have at most ${savedQueryLimits.characters} characters`),
	),
	number: decimal(-Number.MAX_VALUE, Number.MAX_VALUE),
	date: isoDate(),
	boolean: flag(),
};

/** Parses a value from a query string or JSON. */
export function readValue(
	type: ParameterType,
	given: unknown,
): { value: string | number | boolean } | { fault: string } {
	const read = readers[type].safeParse(given);
	return read.success ? { value: read.data } : { fault: read.error.issues[0]?.message ?? "is not a value of its type" };
}
