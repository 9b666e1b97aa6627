/** Columns of a staged row: source of the staging table, the COPY, the row hash and the writes. */
import { hash } from "node:crypto";
import { fieldsOfProject, type ListField, listFields, type ProjectField } from "#libs/contract/records/project.ts";
import { type ColumnType, columnTypes } from "#libs/postgres/project-columns.ts";
import { camel } from "../sources/source.ts";
import type { StandardRequest } from "./standardise.ts";

type FactField = Exclude<ListField, "queue_id">;
type Value = string | number | boolean | null | string[] | object;

export interface Column {
	name: string;
	type: ColumnType;
	value: (request: StandardRequest) => Value;
	/**
	 * Effect of a partial row (ERCOT's update sheets) on a known project: `keep` prefers the main list's value, `set` the row's, if there is
	 * one.
	 */
	partial: "keep" | "set";
}

/** Values that are stored in another form than adapters return. */
const storedForms: Partial<Record<FactField, Column["value"]>> = {
	components: (r) => r.components.map(({ typeStd, capacityMw }) => ({ type_std: typeStd, capacity_mw: capacityMw })),
};

const outcomes: ReadonlySet<string> = new Set(fieldsOfProject.flatMap(({ name, outcome }) => (outcome ? [name] : [])));

/** All facts that a row states about the request; identity (`id`, `key`, `queue_id`) and `raw` are staged in addition. */
export const factColumns: readonly Column[] = [
	{ name: "unit", type: "text", partial: "keep", value: (r) => r.unit },
	...listFields
		.filter((name) => name !== "queue_id")
		.map((name): Column => {
			const key = camel(name);
			const value = storedForms[name] ?? ((request: StandardRequest) => request[key]);
			return { name, type: columnTypes[name], partial: outcomes.has(name) ? "set" : "keep", value };
		}),
];

/** SQL of the compared value, if it is not the value itself. */
const comparedBy: Partial<Record<string, (alias: string) => string>> = {
	study_phase: (a) => `coalesce(${a}.study_phase_filed, ${a}.study_phase)`,
	// SPP states the agreement in its status: a change of both is a change of status.
	ia_status_filed: (a) => `nullif(${a}.ia_status_filed, ${a}.status)`,
	// MISO publishes no names: its names are points of interconnection, whose change is listed only once.
	name: (a) => `case when ${a}.name = ${a}.poi then null else ${a}.name end`,
};

/** Fields that readers of the log need first; the others follow in their own order. */
const firstFields: readonly ProjectField[] = [
	...(["status", "capacity_mw", "cod", "developer", "study_phase", "ia_status_filed", "name", "poi"] as const),
	...(["type_std", "county", "state", "cluster", "withdrawn_date", "ia_date", "energized_date", "actual_cod"] as const),
	...(["security_posted", "components"] as const),
];
const columnOrder = (name: ProjectField): number =>
	firstFields.includes(name) ? firstFields.indexOf(name) : firstFields.length;

/**
 * Fields whose differences are changes, with the kind of change; compared by spelling. Other differences of a row are a `raw_update`
 * (compare-cells.ts).
 */
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
						/** Whether a value can be renamed for all requests at once, unlike dates, megawatts and phases. */
						isNamed: columnTypes[name] === "text" && name !== "study_phase" && name !== "study_phase_filed",
					},
				],
	);

/**
 * Equal for rows that state the same facts. Case, white space, raw leftovers and absent values do not count: a rewritten list, refreshed
 * leftovers and a new field that a request lacks make no new version.
 */
export function rowHash(request: StandardRequest): string {
	const facts = factColumns.flatMap(({ name, value }) => {
		const fact = value(request);
		return isStated(fact) ? [[name, fact]] : [];
	});
	const stated = JSON.stringify([request.partial, request.number, facts]);
	return hash("sha1", stated.toLowerCase().replaceAll(" ", ""), "base64url");
}

const isStated = (value: Value): boolean => value !== null && !(Array.isArray(value) && value.length === 0);

/** One line of COPY's text format. Absent is `\N`; arrays and JSON are PostgreSQL literals. */
export function copyLine(values: readonly Value[]): string {
	return `${values.map(copyField).join("\t")}\n`;
}

function copyField(value: Value): string {
	if (value === null) return "\\N";
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (typeof value === "string") return escapeText(value);
	if (isTexts(value)) return escapeText(`{${value.map(arrayElement).join(",")}}`);
	return escapeText(JSON.stringify(value));
}

/** Arrays of JSON were converted to text before (`copied`). */
const isTexts = (value: object): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === "string");

/** The value of a column as COPY writes it. */
export const copied = ({ type, value }: Column, request: StandardRequest): Value =>
	type === "jsonb" ? JSON.stringify(value(request)) : value(request);

function arrayElement(element: string): string {
	return `"${element.replace(/["\\]/g, "\\$&")}"`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;

/** Almost no value needs it: a test is a tenth of a replacement. */
function escapeText(value: string): string {
	return special.test(value) ? value.replace(everySpecial, (char) => escapes[char] ?? char) : value;
}
