/** Columns of a staged row. The staging table, the COPY, the row hash and the writes are derived from them. */
import { hash } from "node:crypto";
import { fieldsOfProject, type ListField, listFields, type ProjectField } from "#libs/contract/records/project.ts";
import { type ColumnType, columnTypes } from "#libs/postgres/project-columns.ts";
import { toCamelCase } from "../sources/source.ts";
import type { StandardRequest } from "./standardise.ts";

type Value = string | number | boolean | null | string[] | object;

export interface Column {
	name: string;
	type: ColumnType;
	value: (request: StandardRequest) => Value;
	/** Which value a project gets if a partial row (ERCOT's update sheets) differs: `keep` the main list's value, or `set` the row's. */
	partial: "keep" | "set";
}

/** Conversions of values that are not stored in the form in which adapters return them. */
const storedForms: Partial<Record<Exclude<ListField, "queue_id">, Column["value"]>> = {
	components: (r) => r.components.map(({ typeStd, capacityMw }) => ({ type_std: typeStd, capacity_mw: capacityMw })),
};

const outcomeFields: ReadonlySet<string> = new Set(
	fieldsOfProject.flatMap(({ name, outcome }) => (outcome ? [name] : [])),
);

/** Every fact that a row contains about its request. Identity (`id`, `key`, `queue_id`) and `raw` are staged in addition. */
export const factColumns: readonly Column[] = [
	{ name: "unit", type: "text", partial: "keep", value: (r) => r.unit },
	...listFields
		.filter((name) => name !== "queue_id")
		.map((name): Column => {
			const key = toCamelCase(name);
			const value = storedForms[name] ?? ((request: StandardRequest) => request[key]);
			return { name, type: columnTypes[name], partial: outcomeFields.has(name) ? "set" : "keep", value };
		}),
];

/** SQL of the value to compare, for fields whose stored value is not compared directly. */
const comparedBy: Partial<Record<string, (alias: string) => string>> = {
	study_phase: (a) => `coalesce(${a}.study_phase_filed, ${a}.study_phase)`,
	// SPP states the agreement in its status: a change of both is reported as a change of status only.
	ia_status_filed: (a) => `nullif(${a}.ia_status_filed, ${a}.status)`,
	// MISO publishes no names, so the point of interconnection is the name: its change is reported only as a change of `poi`.
	name: (a) => `case when ${a}.name = ${a}.poi then null else ${a}.name end`,
};

/** Fields that come first in the change log; the others follow in the order of the contract. */
const firstFields: readonly ProjectField[] = [
	...(["status", "capacity_mw", "cod", "developer", "study_phase", "ia_status_filed", "name", "poi"] as const),
	...(["type_std", "county", "state", "cluster", "withdrawn_date", "ia_date", "energized_date", "actual_cod"] as const),
	...(["security_posted", "components"] as const),
];
const columnOrder = (name: ProjectField): number =>
	firstFields.includes(name) ? firstFields.indexOf(name) : firstFields.length;

/** Fields whose differences, except in spelling, are changes of the given type. Other differences of a row are a `raw_update` (compare-cells.ts). */
export const diffedFields = fieldsOfProject
	.toSorted((a, b) => columnOrder(a.name) - columnOrder(b.name))
	.flatMap(({ name, change }) =>
		change === undefined
			? []
			: [
					{
						field: name,
						changeType: change,
						expression: comparedBy[name] ?? ((alias: string) => `${alias}.${name}::text`),
						/** Whether an operator can rename a value for all requests at once, unlike dates, megawatts and phases. */
						isRenamable: columnTypes[name] === "text" && name !== "study_phase" && name !== "study_phase_filed",
					},
				],
	);

/**
 * Returns equal hashes for rows that state the same facts. Case, spaces, `raw` and absent values do not count: a respelled list, a change in
 * `raw`, and a new field for which a request has no value do not create a new version.
 */
export function hashRow(request: StandardRequest): string {
	const facts = factColumns.flatMap(({ name, value }) => {
		const fact = value(request);
		return isStated(fact) ? [[name, fact]] : [];
	});
	const stated = JSON.stringify([request.partial, request.number, facts]);
	return hash("sha1", stated.toLowerCase().replaceAll(" ", ""), "base64url");
}

const isStated = (value: Value): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** One line of COPY's text format. Null is `\N`; arrays and JSON are PostgreSQL literals. */
export function formatCopyLine(values: readonly Value[]): string {
	return `${values.map(copyField).join("\t")}\n`;
}

function copyField(value: Value): string {
	if (value === null) return "\\N";
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (typeof value === "string") return escapeText(value);
	if (isTexts(value)) return escapeText(`{${value.map(arrayElement).join(",")}}`);
	return escapeText(JSON.stringify(value));
}

/** An array of JSON objects is never passed: `copyValue` has turned it into text. */
const isTexts = (value: object): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === "string");

/** The value of a column as COPY writes it. */
export const copyValue = ({ type, value }: Column, request: StandardRequest): Value =>
	type === "jsonb" ? JSON.stringify(value(request)) : value(request);

function arrayElement(element: string): string {
	return `"${element.replace(/["\\]/g, "\\$&")}"`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;

/** Almost no value needs escaping, and `test` takes a tenth of the time of `replace`. */
function escapeText(value: string): string {
	return special.test(value) ? value.replace(everySpecial, (char) => escapes[char] ?? char) : value;
}
