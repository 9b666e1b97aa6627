/**
 * The columns of a staged row: one list from which the staging table, the COPY, the row hash and the writes are made, so that a new
 * column is one line here and one in a migration.
 */
import { hash } from "node:crypto";
import type { StandardRequest } from "./standard-request.ts";

export interface Column {
	name: string;
	type: "text" | "float8" | "date" | "boolean" | "text[]" | "jsonb";
	value: (request: StandardRequest) => string | number | boolean | null | string[] | object;
	/**
	 * What a row of a lesser list (ERCOT's update sheets) does to a project that is known: `keep` what the main list said
	 * where it said anything, or `set` what this row says where it says anything.
	 */
	partial: "keep" | "set";
}

const text = (
	name: string,
	partial: Column["partial"],
	value: (request: StandardRequest) => string | null,
): Column => ({
	name,
	type: "text",
	partial,
	value,
});
const day = (name: string, value: (request: StandardRequest) => string | null): Column => ({
	name,
	type: "date",
	partial: "set",
	value,
});
const quantity = (
	name: string,
	partial: Column["partial"],
	value: (request: StandardRequest) => number | null,
): Column => ({
	name,
	type: "float8",
	partial,
	value,
});

/** Everything a row states about the request itself; identity (`id`, `key`, `queue_id`) and `raw` are staged beside it. */
export const factColumns: readonly Column[] = [
	text("unit", "keep", (r) => r.unit),
	text("kind", "keep", (r) => r.kind),
	text("name", "keep", (r) => r.name),
	text("state", "keep", (r) => r.state),
	text("county", "keep", (r) => r.county),
	{ name: "counties", type: "text[]", partial: "keep", value: (r) => r.counties },
	text("fips", "keep", (r) => r.fips),
	text("developer", "keep", (r) => r.developer),
	text("type", "keep", (r) => r.type),
	text("type_std", "keep", (r) => r.typeStd),
	text("status", "set", (r) => r.status),
	text("status_std", "set", (r) => r.statusStd),
	text("status_basis", "set", (r) => r.statusBasis),
	text("status_flag", "set", (r) => r.statusFlag),
	quantity("capacity_mw", "keep", (r) => r.capacityMw),
	{
		name: "components",
		type: "jsonb",
		partial: "keep",
		value: (r) => r.components.map(({ typeStd, capacityMw }) => ({ type_std: typeStd, capacity_mw: capacityMw })),
	},
	quantity("summer_mw", "keep", (r) => r.summerMw),
	quantity("winter_mw", "keep", (r) => r.winterMw),
	day("queue_date", (r) => r.queueDate),
	day("cod", (r) => r.cod),
	day("actual_cod", (r) => r.actualCod),
	day("withdrawn_date", (r) => r.withdrawnDate),
	day("ia_date", (r) => r.iaDate),
	day("backfeed_date", (r) => r.backfeedDate),
	day("energized_date", (r) => r.energizedDate),
	{ name: "security_posted", type: "boolean", partial: "set", value: (r) => r.securityPosted },
	text("construction_stage", "set", (r) => r.constructionStage),
	quantity("construction_stage_confidence", "set", (r) => r.constructionStageConfidence),
	text("study_phase", "set", (r) => r.studyPhase),
	text("study_phase_filed", "set", (r) => r.studyPhaseFiled),
	text("ia_status", "set", (r) => r.iaStatus),
	text("ia_status_filed", "set", (r) => r.iaStatusFiled),
	text("poi", "keep", (r) => r.poi),
	text("utility", "keep", (r) => r.utility),
	text("cluster", "keep", (r) => r.cluster),
	text("service", "keep", (r) => r.service),
	quantity("lat", "keep", (r) => r.lat),
	quantity("lon", "keep", (r) => r.lon),
	text("location_precision", "keep", (r) => r.locationPrecision),
];

/**
 * Fields whose differences are changes, with the kind of change; compared by spelling. What else differs in a row is a `raw_update`
 * (compare-cells.ts).
 */
export const diffedFields: readonly { field: string; changeType: string; expression: (alias: string) => string }[] = [
	{ field: "status", changeType: "status_change", expression: (a) => `${a}.status` },
	{ field: "capacity_mw", changeType: "capacity_change", expression: (a) => `${a}.capacity_mw::text` },
	{ field: "cod", changeType: "cod_change", expression: (a) => `${a}.cod::text` },
	{ field: "developer", changeType: "developer_change", expression: (a) => `${a}.developer` },
	{
		field: "study_phase",
		changeType: "study_phase_change",
		expression: (a) => `coalesce(${a}.study_phase_filed, ${a}.study_phase)`,
	},
	// SPP states the agreement in its status: a change of both is the status's change.
	{
		field: "ia_status_filed",
		changeType: "field_update",
		expression: (a) => `nullif(${a}.ia_status_filed, ${a}.status)`,
	},
	// MISO publishes no names: there the name shown is the point of interconnection, whose change is listed once.
	{
		field: "name",
		changeType: "field_update",
		expression: (a) => `case when ${a}.name = ${a}.poi then null else ${a}.name end`,
	},
	...["poi", "type_std", "county", "state", "cluster"].map((field) => ({
		field,
		changeType: "field_update",
		expression: (a: string) => `${a}.${field}`,
	})),
	...["withdrawn_date", "ia_date", "energized_date", "actual_cod", "security_posted"].map((field) => ({
		field,
		changeType: "field_update",
		expression: (a: string) => `${a}.${field}::text`,
	})),
	{ field: "components", changeType: "component_change", expression: (a) => `${a}.components::text` },
];

/**
 * Equal for rows that state the same facts: case and white space do not count, so that a list that was only rewritten makes no
 * new versions. Raw leftovers do not count either: they are refreshed without one.
 */
export function rowHash(request: StandardRequest): string {
	const facts = factColumns.map((column) => column.value(request));
	const stated = JSON.stringify([request.partial, request.number, facts]);
	return hash("sha1", stated.toLowerCase().replaceAll(" ", ""), "base64url");
}

/** One line of COPY's text format. Absent is `\N`; arrays and JSON are PostgreSQL literals. */
export function copyLine(values: readonly ReturnType<Column["value"]>[]): string {
	return `${values.map(copyField).join("\t")}\n`;
}

function copyField(value: ReturnType<Column["value"]>): string {
	if (value === null) return "\\N";
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (typeof value === "string") return escaped(value);
	if (isTexts(value)) return escaped(`{${value.map(arrayElement).join(",")}}`);
	return escaped(JSON.stringify(value));
}

/** An array of JSON is text by then (`copied`). */
const isTexts = (value: object): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === "string");

/** The value of a column as COPY writes it. */
export const copied = ({ type, value }: Column, request: StandardRequest): ReturnType<Column["value"]> =>
	type === "jsonb" ? JSON.stringify(value(request)) : value(request);

function arrayElement(element: string): string {
	return `"${element.replace(/["\\]/g, "\\$&")}"`;
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
const special = /[\\\t\n\r]/;
const everySpecial = /[\\\t\n\r]/g;

/** Almost no value needs it: a test is a tenth of a replacement. */
function escaped(value: string): string {
	return special.test(value) ? value.replace(everySpecial, (char) => escapes[char] ?? char) : value;
}
