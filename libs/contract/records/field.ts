/** Declarations of the fields of a record. */
import { z } from "zod";
import type { ChangeType } from "../vocabulary.ts";

/**
 * Source of a value. filed: the operator's list; derived: computed from the list's row alone; linked: companies and plants found by the
 * service; scored: the scoring service; kept: the service's own records about the request.
 */
export type Origin = "filed" | "derived" | "linked" | "scored" | "kept";

export interface Attributes {
	/** Description in tables and SQL views, if the schema's is shorter or missing. */
	column?: string;
	/** Unit in SQL views, if the schema states none. */
	unit?: string;
	/** Stored with a narrower type than that of the schema. */
	stored?: "int32";
	/** Type of the change that is recorded when the field differs; fields without it are not compared. */
	change?: ChangeType;
	/** The field states the outcome of the request: the value of a partial row replaces that of the main list. */
	outcome?: true;
	sortable?: true;
	/** Schema of the parameter that filters by values of the field. */
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
