/** Values of DuckDB as JSON text and as cells of CSV: numbers with all their digits, timestamps in UTC with a Z. */
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

/** A value of a column of this type as JSON text. */
export function jsonText(value: DuckDBValue, type: DuckDBType): string {
	if (value === null) return "null";
	if (type.alias === "JSON" && typeof value === "string") return validJson(value);
	if (type.typeId === DuckDBTypeId.FLOAT && typeof value === "number") return numberText(shortestDecimal(value));
	return anyJson(value);
}

/** RFC 4180: NULL is empty and an empty text is `""`. `safe`: see `textCell`. */
export function csvCell(value: DuckDBValue, type: DuckDBType, safe: boolean): string {
	if (value === null) return "";
	const isNumber = typeof value === "number" || typeof value === "bigint" || value instanceof DuckDBDecimalValue;
	return textCell(plainText(value, type), safe && !isNumber);
}

/** `safe`: a text that a spreadsheet would take for a formula begins with an apostrophe. */
export function textCell(text: string, safe: boolean): string {
	const shown = safe && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(shown) || shown === "" ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Without quotation marks around it. */
export function plainText(value: DuckDBValue, type: DuckDBType): string {
	if (typeof value === "string") return value;
	const json = jsonText(value, type);
	return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

function anyJson(value: DuckDBValue): string {
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
		return `[${value.items.map(anyJson).join(",")}]`;
	if (value instanceof DuckDBStructValue) return objectJson(Object.entries(value.entries));
	if (value instanceof DuckDBMapValue)
		return objectJson(value.entries.map((entry) => [keyText(entry.key), entry.value] as const));
	if (value instanceof DuckDBUnionValue) return anyJson(value.value);
	if (value instanceof DuckDBBlobValue) return JSON.stringify(Buffer.from(value.bytes).toString("base64"));
	return JSON.stringify(isMoment(value) ? momentText(value) : String(value));
}

const objectJson = (entries: (readonly [string, DuckDBValue])[]): string =>
	`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${anyJson(value)}`).join(",")}}`;

const keyText = (key: DuckDBValue): string => {
	const json = anyJson(key);
	return json.startsWith('"') ? (JSON.parse(json) as string) : json;
};

/** JSON cannot represent these. */
const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : JSON.stringify(String(value)));

/** The shortest decimal text of this 32-bit number. */
function shortestDecimal(value: number): number {
	for (let digits = 6; digits < 9; digits++) {
		const candidate = Number(value.toPrecision(digits));
		if (Math.fround(candidate) === value) return candidate;
	}
	return value;
}

/** DuckDB casts text that comes from a file to JSON without validating it. */
function validJson(text: string): string {
	try {
		JSON.parse(text);
		return text;
	} catch {
		return JSON.stringify(text);
	}
}

type Moment =
	| DuckDBTimestampTZValue
	| DuckDBTimestampValue
	| DuckDBTimestampSecondsValue
	| DuckDBTimestampMillisecondsValue
	| DuckDBTimestampNanosecondsValue;

const isMoment = (value: object): value is Moment =>
	value instanceof DuckDBTimestampTZValue ||
	value instanceof DuckDBTimestampValue ||
	value instanceof DuckDBTimestampSecondsValue ||
	value instanceof DuckDBTimestampMillisecondsValue ||
	value instanceof DuckDBTimestampNanosecondsValue;

/** The session's time zone is UTC: `2026-11-20 19:12:44.5+00` is `2026-11-20T19:12:44.5Z`; one without a zone has no Z. */
const momentText = (value: Moment): string =>
	String(value).replace(
		/^(\S+) (\S+?)(\+00)?$/,
		(_all, day, time, zone) => `${day}T${time}${zone === undefined ? "" : "Z"}`,
	);
