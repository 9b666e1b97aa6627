/** Functions that declare the fields of a record. */
import { z } from "zod";
import type { ChangeType } from "../vocabulary.ts";

/**
 * Source of a value. `filed`: the operator's list; `derived`: computed only from the list's row; `linked`: companies and plants that the service
 * has matched; `scored`: the scoring service; `kept`: the service's records about the request.
 */
export type Origin = "filed" | "derived" | "linked" | "scored" | "kept";

export interface Attributes {
	/** Description for tables and SQL views, if they need a longer one than the schema's. */
	column?: string;
	/** Unit in SQL views, if the schema has none. */
	unit?: string;
	/** Type in the database, if it is narrower than that of the schema. */
	stored?: "int32";
	/** Type of the change that is recorded when the field differs between two lists. A field without it is not compared. */
	change?: ChangeType;
	/** Whether the field describes the outcome of the request: the value of a partial row then replaces that of the main list. */
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
