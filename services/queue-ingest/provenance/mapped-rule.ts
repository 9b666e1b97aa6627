/** By which rule a list's value was read: where a person said what a word of it means, by that. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { sourceOf } from "../queues/sources/index.ts";
import { fold } from "../sources/collector.ts";
import type { FieldOrigin } from "./cells-of-field.ts";
import type { StatingList } from "./stating-lists.ts";

type Row = Reply<"getProjectProvenance">["data"][number];

export function ruleIn(
	field: string,
	{ list, origin }: { list: StatingList; origin: FieldOrigin },
): Pick<Row, "rule" | "evidence"> {
	const mapped = mappedIn(field, list, origin);
	if (mapped === undefined || isDerived(field, list)) return { rule: origin.rule, evidence: null };
	const { word, means, author, on } = mapped;
	const text = `"${word}" is read as "${means}", said by ${author} on ${on}`;
	return { rule: "vocabulary.mapped", evidence: { method: "vocabulary.mapped", confidence: null, text } };
}

/** Made of several cells, and yet of the words as filed. */
const asFiled: ReadonlySet<string> = new Set(["type", "status"]);
const ofTechnology: ReadonlySet<string> = new Set(["type_std", "components", "kind"]);

/** A cell says the word whole, of a technology as a part of it: such a part can stand in a cell of any other field, too. */
function mappedIn(field: string, { mapped, feed }: StatingList, { stated, cell, inputs }: FieldOrigin) {
	if (stated || mapped === null || asFiled.has(field)) return undefined;
	const cells = [cell, ...inputs].map(({ raw }) => fold(raw));
	return mapped.find(({ field: column, word }) => {
		if (sourceOf(feed).words?.[column] !== "technology") return cells.includes(fold(word));
		return ofTechnology.has(field) && cells.some((filed) => filed.includes(fold(word)));
	});
}

/** It follows from other fields, whose own rows say of the word; as a table states it itself it does not. */
const isDerived = (field: string, { tables }: StatingList): boolean =>
	!(tables ?? []).some(({ fields }) => fields[field] !== undefined);
