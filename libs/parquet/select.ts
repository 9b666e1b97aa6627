/** Builds the SELECT of a file's rows and columns as one text, because COPY takes no parameters. */
import type { Column } from "#libs/contract/exports/columns.ts";
import type { ExportFormat, FileParams } from "#libs/contract/exports/files.ts";
import { formulaStart } from "#libs/contract/exports/formulas.ts";
import type { Tag, Value } from "#libs/contract/filters/project-condition.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { sheetRow } from "./workbook.ts";

/** An SQL text in parts, with one value between each part and the next. */
export interface Select {
	parts: string[];
	values: Value[];
}

const csv = "format csv, header true";
/** JSON escapes both control characters, so COPY never adds quotes. */
const json = "format csv, delimiter E'\\x02', quote E'\\x01'";
export const copyOptions: Record<ExportFormat, string> = {
	csv,
	"csv.gz": csv,
	parquet: "format text",
	arrow: "format text",
	ndjson: json,
	geojson: json,
	// `sheetRow` removes both control characters, so COPY never adds quotes.
	xlsx: json,
};

type Writers = Partial<Record<Column["type"], (column: string) => string>>;
const timestamp = (column: string) => `iso(${column})`;
const asCsv: Writers = {
	timestamp,
	list: (column) => `array_to_string(${column}, '; ')`,
	boolean: (column) => `${column}::text`,
};
const asColumns: Writers = {
	timestamp,
	list: (column) => `to_json(${column})::text`,
	// A string column may be of type JSON.
	string: (column) => `${column}::text`,
};
/** Expressions that write values as in JSON responses; for columnar formats, in a form that `column-file.ts` can parse. */
const expressions: Record<Exclude<ExportFormat, "xlsx">, Writers> = {
	csv: asCsv,
	"csv.gz": asCsv,
	ndjson: { timestamp },
	geojson: { timestamp },
	parquet: asColumns,
	arrow: asColumns,
};

/** The SELECT of a file's lines; in JSON formats each line is a JSON value. The first sort column is the ID of GeoJSON features. */
export function fileSelect(
	{ format = "csv", limit, safe }: FileParams,
	{ columns, by }: { columns: readonly Column[]; by: readonly string[] },
	rows: Select,
): Select {
	const order = by.map((name) => `r.${name}`).join(", ");
	if (format === "xlsx")
		return piece`select ${text(sheetRow(columns))} from (
			select r.*, row_number() over (order by ${text(order)}) + 1 as row from (${rows}) r order by ${text(order)}${limitClause(limit)}
		) r order by r.row`;
	const cells = columns.map(({ name, type }) => {
		const cell = expressions[format][type]?.(`r.${name}`) ?? `r.${name}`;
		return `${safe === true && (type === "string" || type === "list") ? withoutFormula(cell) : cell} as ${name}`;
	});
	const select = piece`select ${text(cells.join(", "))} from (${rows}) r
		order by ${text(order)}${limitClause(limit)}`;
	if (format === "ndjson") return piece`select row_to_json(r) from (${select}) r`;
	if (format !== "geojson") return select;
	return piece`select '{"type":"Feature","id":' || to_json(r.${text(by[0] ?? "")}) || ',"geometry":'
			|| coalesce('{"type":"Point","coordinates":[' || r.lon || ',' || r.lat || ']}', 'null')
			|| ',"properties":' || row_to_json(r) || '}'
		from (${select}) r`;
}

/** Puts an apostrophe before a text that a spreadsheet would execute as a formula. */
const withoutFormula = (cell: string): string => `regexp_replace(${cell}::text, '^(?=${formulaStart})', '''')`;

/** A template tag that separates values from the text. A nested `Select` becomes a part of it. */
export const piece: Tag<Select> = (strings, ...values) => {
	const whole = text(strings[0] ?? "");
	for (const [at, value] of values.entries()) {
		if (typeof value === "object") append(whole, value);
		else append(whole, { parts: ["", ""], values: [value] });
		append(whole, text(strings[at + 1] ?? ""));
	}
	return whole;
};

/** Returns ` limit n`, or nothing without a limit. */
export const limitClause = (limit: number | undefined): Select =>
	limit === undefined ? text("") : piece` limit ${limit}`;

/** Wraps SQL text, which must not come from a caller. */
export const text = (part: string): Select => ({ parts: [part], values: [] });

function append(whole: Select, { parts: [first = "", ...rest], values }: Select): void {
	whole.parts.push(`${whole.parts.pop()}${first}`, ...rest);
	whole.values.push(...values);
}

/** Returns the statement as one text, with values quoted by PostgreSQL itself. */
export async function asText(sql: Sql, { parts, values }: Select): Promise<string> {
	if (values.length === 0) return parts.join("");
	const rows = await sql<{ literal: string }[]>`
		select format('%L', value) as literal from unnest(${values.map(String)}::text[]) with ordinality as t (value, place)
		order by place`;
	return parts.map((part, at) => part + (rows[at]?.literal ?? "")).join("");
}
