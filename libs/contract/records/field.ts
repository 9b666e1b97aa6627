/** How a field of a record is declared. */
import { z } from "zod";
import type { ChangeType } from "../vocabulary.ts";

/**
 * Who says it. filed: the operator's list; derived: what follows from its row alone; linked: whom and what the service found behind it;
 * scored: the scoring service; kept: what the service notes of the request.
 */
export type Origin = "filed" | "derived" | "linked" | "scored" | "kept";

export interface Attributes {
	/** In tables and SQL views, where the schema says less or nothing. */
	column?: string;
	/** Unit in SQL views, where the schema states none. */
	unit?: string;
	/** Stored narrower than the schema says. */
	stored?: "int32";
	/** Kind of the change that a difference is; a field without one is not compared. */
	change?: ChangeType;
	/** The outcome of a request: a list that says less than the main one decides it. */
	outcome?: true;
	sortable?: true;
	/** The parameter that chooses requests by one or several values of a text. */
	filter?: z.ZodType;
}

const field =
	<O extends Origin>(origin: O) =>
	<S extends z.ZodType, const A extends Attributes>(schema: S, attributes: A = {} as A) => ({
		origin,
		schema,
		...attributes,
	});
export const filed = field("filed");
export const derived = field("derived");
export const linked = field("linked");
export const scored = field("scored");
export const kept = field("kept");

export const text = (description?: string) => nullable(z.string(), description);
export const nullable = <S extends z.ZodType>(schema: S, description?: string) =>
	description === undefined ? schema.nullable() : schema.nullable().meta({ description });
