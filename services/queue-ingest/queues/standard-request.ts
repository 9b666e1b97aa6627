/** A filed request with the product's vocabulary and place added: what is stored of one row of one list. */
import type { DerivedField } from "#libs/contract/records/project.ts";
import type { Component, FieldValues, FiledRequest } from "../sources/source.ts";

/** County and state by their official names: the first valid county, else the cleaned filed text. */
export interface StandardRequest extends Omit<FiledRequest, "evidence" | "components">, FieldValues<DerivedField> {
	/** As filed; else, for a hybrid, those that `typeStd` names. */
	components: Component[];
}
