/** The select behind a file: rows as the columns of a file, put together as one text, for COPY takes no parameters. */
import type { Column } from "#libs/contract/columns.ts";
import type { ExportFormat } from "#libs/contract/exports.ts";
import type { Tag, Value } from "#libs/contract/filters/project-condition.ts";
import type { Sql } from "#libs/postgres/connect.ts";

/** Text, and between its parts the values that belong there: one less than there are parts. */
export interface Select {
	parts: string[];
	values: Value[];
}

type Writers = Partial<Record<Column["type"], (column: string) => string>>;
const csv: Writers = {
	timestamp: (column) => `iso(${column})`,
	list: (column) => `array_to_string(${column}, '; ')`,
	boolean: (column) => `${column}::text`,
};
const json: Writers = { timestamp: (column) => `iso(${column})` };

/** How the value of a column is written: as the JSON shows it, and for Parquet so that it can be read again. */
const written: Record<ExportFormat, Writers> = {
	csv,
	"csv.gz": csv,
	ndjson: json,
	geojson: json,
	parquet: {
		timestamp: (column) => `iso(${column})`,
		list: (column) => `to_json(${column})::text`,
		// Of JSON, too.
		string: (column) => `${column}::text`,
	},
};

/** The columns of `relation`, as COPY is to write them. */
export function columnsOf(columns: readonly Column[], relation: string, format: ExportFormat): Select {
	const all = columns.map(({ name, type }) => {
		const write = written[format][type];
		return write === undefined ? `${relation}.${name}` : `${write(`${relation}.${name}`)} as ${name}`;
	});
	return text(all.join(", "));
}

/** Rows as the lines of a file: for JSON each is one value. `id`: the column that a feature is known by. */
export function linesOf(select: Select, format: ExportFormat, id: string): Select {
	if (format === "ndjson") return piece`select row_to_json(r) from (${select}) r`;
	if (format !== "geojson") return select;
	return piece`select '{"type":"Feature","id":' || to_json(r.${text(id)}) || ',"geometry":'
			|| coalesce('{"type":"Point","coordinates":[' || r.lon || ',' || r.lat || ']}', 'null')
			|| ',"properties":' || row_to_json(r) || '}'
		from (${select}) r`;
}

/** Rows as CSV whose texts no spreadsheet runs: one that would be a formula begins with an apostrophe. */
export function withoutFormulas(select: Select, columns: readonly Column[]): Select {
	const cells = columns.map(({ name, type }) =>
		type === "string" || type === "list"
			? `regexp_replace(r.${name}::text, '^(?=[-=+@\\t\\r\\n])', '''') as ${name}`
			: `r.${name}`,
	);
	return piece`select ${text(cells.join(", "))} from (${select}) r`;
}

/** A template whose values stay apart from its text, whatever it is put together of. */
export const piece: Tag<Select> = (strings, ...given) => {
	const whole = text(strings[0] ?? "");
	for (const [at, value] of given.entries()) {
		if (typeof value === "object") append(whole, value);
		else append(whole, { parts: ["", ""], values: [value] });
		append(whole, text(strings[at + 1] ?? ""));
	}
	return whole;
};

/** ` limit n`, or nothing. */
export const most = (limit: number | undefined): Select => (limit === undefined ? text("") : piece` limit ${limit}`);

/** Of the statement itself: never what a caller has sent. */
export const text = (part: string): Select => ({ parts: [part], values: [] });

function append(whole: Select, { parts: [first = "", ...rest], values }: Select): void {
	whole.parts.push(`${whole.parts.pop()}${first}`, ...rest);
	whole.values.push(...values);
}

/** The statement as one text, its values quoted by PostgreSQL itself. */
export async function asText(sql: Sql, { parts, values }: Select): Promise<string> {
	if (values.length === 0) return parts.join("");
	const rows = await sql<{ literal: string }[]>`
		select format('%L', value) as literal from unnest(${values.map(String)}::text[]) with ordinality as t (value, place)
		order by place`;
	return parts.map((part, at) => part + (rows[at]?.literal ?? "")).join("");
}
