/** Finds the provenance rule of a value: `vocabulary.mapped` if a person mapped the filed value, else the adapter's rule. Pure. */
import type { Reply } from "#libs/contract/index.ts";
import { sourceOf } from "../queues/sources/index.ts";
import { fold } from "../sources/collector.ts";
import type { FieldOrigin } from "./cells-of-field.ts";
import type { StatingList } from "./stating-lists.ts";

type Row = Reply<"getProjectProvenance">["data"][number];

export function findRule(
	field: string,
	{ list, origin }: { list: StatingList; origin: FieldOrigin },
): Pick<Row, "rule" | "evidence"> {
	const mapped = findMapping(field, list, origin);
	if (mapped === undefined || isDerived(field, list)) return { rule: origin.rule, evidence: null };
	const { word, means, author, on } = mapped;
	const text = `"${word}" is read as "${means}", mapped by ${author} on ${on}`;
	return { rule: "vocabulary.mapped", evidence: { method: "vocabulary.mapped", confidence: null, text } };
}

/** Combined from several cells, but keep the filed values, so no mapping applies. */
const asFiled: ReadonlySet<string> = new Set(["type", "status"]);
const ofTechnology: ReadonlySet<string> = new Set(["type_std", "components", "kind"]);

/** The applied mapping. It matches a whole cell; technologies may be part of one, so technology fields match on parts. */
function findMapping(field: string, { mapped, feed }: StatingList, { stated, cell, inputs }: FieldOrigin) {
	if (stated || mapped === null || asFiled.has(field)) return undefined;
	const cells = [cell, ...inputs].map(({ raw }) => fold(raw));
	return mapped.find(({ field: column, word }) => {
		if (sourceOf(feed).words?.[column] !== "technology") return cells.includes(fold(word));
		return ofTechnology.has(field) && cells.some((filed) => filed.includes(fold(word)));
	});
}

/** Derived from other fields, whose own rows show the mapping. False if a table states the field itself. */
const isDerived = (field: string, { tables }: StatingList): boolean =>
	!(tables ?? []).some(({ fields }) => fields[field] !== undefined);
