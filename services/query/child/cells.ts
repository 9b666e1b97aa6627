/** Formats DuckDB values as JSON text and as CSV cells: numbers with all their digits, timestamps in UTC with a Z. */
import {
	DuckDBArrayValue,
	DuckDBBlobValue,
	DuckDBDecimalValue,
	DuckDBListValue,
	DuckDBMapValue,
	DuckDBStructValue,
	DuckDBTimestampMillisecondsValue,
	DuckDBTimestampNanosecondsValue,
	DuckDBTimestampSecondsValue,
	DuckDBTimestampTZValue,
	DuckDBTimestampValue,
	type DuckDBType,
	DuckDBTypeId,
	DuckDBUnionValue,
	type DuckDBValue,
} from "@duckdb/node-api";
import { formulaStart } from "#libs/contract/exports/formulas.ts";

/** The names and types of the columns of a result, and its rows. */
export interface Table {
	names: readonly string[];
	types: readonly DuckDBType[];
	rows: readonly (readonly DuckDBValue[])[];
}

/** Formats a value as JSON text, given the type of its column. */
export function jsonText(value: DuckDBValue, type: DuckDBType): string {
	if (value === null) return "null";
	if (type.alias === "JSON" && typeof value === "string") return validJson(value);
	if (type.typeId === DuckDBTypeId.FLOAT && typeof value === "number") return numberText(shortestDecimal(value));
	return untypedJson(value);
}

/** Formats a CSV cell (RFC 4180): NULL is empty, and an empty text is `""`. For `safe`, see `textCell`; numbers are never escaped. */
export function csvCell(value: DuckDBValue, type: DuckDBType, safe: boolean): string {
	if (value === null) return "";
	const isNumber = typeof value === "number" || typeof value === "bigint" || value instanceof DuckDBDecimalValue;
	return textCell(plainText(value, type), safe && !isNumber);
}

const formula = new RegExp(`^${formulaStart}`);

/** Formats a text as a CSV cell. If `safe`, a text that a spreadsheet would evaluate as a formula gets an apostrophe before it. */
export function textCell(text: string, safe: boolean): string {
	const escaped = safe && formula.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(escaped) || escaped === "" ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

/** Formats a value as text, without the quotation marks of JSON. */
export function plainText(value: DuckDBValue, type: DuckDBType): string {
	if (typeof value === "string") return value;
	return withoutQuotes(jsonText(value, type));
}

const withoutQuotes = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : json);

function untypedJson(value: DuckDBValue): string {
	if (value === null) return "null";
	switch (typeof value) {
		case "string":
			return JSON.stringify(value);
		case "number":
			return numberText(value);
		case "bigint":
		case "boolean":
			return String(value);
	}
	if (value instanceof DuckDBDecimalValue) return value.toString();
	if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
		return `[${value.items.map(untypedJson).join(",")}]`;
	if (value instanceof DuckDBStructValue) return objectJson(Object.entries(value.entries));
	if (value instanceof DuckDBMapValue)
		return objectJson(value.entries.map((entry) => [withoutQuotes(untypedJson(entry.key)), entry.value] as const));
	if (value instanceof DuckDBUnionValue) return untypedJson(value.value);
	if (value instanceof DuckDBBlobValue) return JSON.stringify(Buffer.from(value.bytes).toString("base64"));
	return JSON.stringify(isTimestamp(value) ? timestampText(value) : String(value));
}

const objectJson = (entries: (readonly [string, DuckDBValue])[]): string =>
	`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${untypedJson(value)}`).join(",")}}`;

/** Infinity and NaN become texts, because JSON has no numbers for them. */
const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : JSON.stringify(String(value)));

/** The shortest decimal number with the same 32-bit float: 0.1, not 0.10000000149011612. */
function shortestDecimal(value: number): number {
	for (let digits = 6; digits < 9; digits++) {
		const candidate = Number(value.toPrecision(digits));
		if (Math.fround(candidate) === value) return candidate;
	}
	return value;
}

/** Returns a text of DuckDB's JSON type, quoted if it is not valid JSON: DuckDB does not validate JSON that it reads from a file. */
function validJson(text: string): string {
	try {
		JSON.parse(text);
		return text;
	} catch {
		return JSON.stringify(text);
	}
}

/** A timestamp in microseconds; null if the value is infinite or not a timestamp. */
export const finiteMicros = (value: DuckDBValue): bigint | null =>
	(value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) && value.isFinite
		? value.micros
		: null;

type Timestamp =
	| DuckDBTimestampTZValue
	| DuckDBTimestampValue
	| DuckDBTimestampSecondsValue
	| DuckDBTimestampMillisecondsValue
	| DuckDBTimestampNanosecondsValue;

const isTimestamp = (value: object): value is Timestamp =>
	value instanceof DuckDBTimestampTZValue ||
	value instanceof DuckDBTimestampValue ||
	value instanceof DuckDBTimestampSecondsValue ||
	value instanceof DuckDBTimestampMillisecondsValue ||
	value instanceof DuckDBTimestampNanosecondsValue;

/**
 * Formats `2026-11-20 19:12:44.5+00` as `2026-11-20T19:12:44.5Z`; the session's time zone is UTC. A timestamp without a time zone gets no Z.
 */
const timestampText = (value: Timestamp): string =>
	String(value).replace(
		/^(\S+) (\S+?)(\+00)?$/,
		(_all, day, time, zone) => `${day}T${time}${zone === undefined ? "" : "Z"}`,
	);
