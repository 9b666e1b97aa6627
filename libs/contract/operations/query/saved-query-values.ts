/** Parameters of saved queries: what may be declared, and what a value of each type is. */
import { z } from "zod";
import { decimal, flag, isoDate, storable } from "../../params.ts";

export const parameterTypes = ["text", "number", "date", "boolean"] as const;
export type ParameterType = (typeof parameterTypes)[number];

export const savedQueryLimits = {
	parameters: 20,
	/** For a value that is text. */
	characters: 1_000,
} as const;

/** Names that the address itself uses: no parameter of a query may have them. */
export const takenNames: ReadonlySet<string> = new Set(["format", "safe", "api_key", "query_id", "values"]);

export type ParameterValue = string | number | boolean | null;

/** A value with its name in the statement, where it stands as `$name`. */
export interface BoundValue {
	name: string;
	type: ParameterType;
	/** Null is NULL, which has no type of its own: a function that goes by types takes `$name::date`. */
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

/** A value as it was given, in a query string or as JSON: what it is, or what is wrong with it. */
export function readValue(
	type: ParameterType,
	given: unknown,
): { value: string | number | boolean } | { fault: string } {
	const read = readers[type].safeParse(given);
	return read.success ? { value: read.data } : { fault: read.error.issues[0]?.message ?? "is no value of its type" };
}
