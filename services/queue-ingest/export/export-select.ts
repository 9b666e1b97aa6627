/** The select behind an export: the rows of the list, in the order of their ids, as the columns of a file. */
import type { Params } from "#libs/contract/index.ts";
import { type Column, chosenColumns } from "#libs/contract/operations/project-columns.ts";
import { projectCondition, type Tag, type Value } from "#libs/filters/project-condition.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { requestsAt } from "../history/past.ts";

export type Format = "csv" | "parquet";

/** Text, and between its parts the values that belong there: one less than there are parts. */
export interface Select {
	parts: string[];
	values: Value[];
}

/** How the value of a column is written: as the JSON shows it, and for Parquet so that it can be read again. */
const written: Record<Format, Partial<Record<Column["type"], (column: string) => string>>> = {
	csv: {
		timestamp: (column) => `iso(${column})`,
		list: (column) => `array_to_string(${column}, '; ')`,
		boolean: (column) => `${column}::text`,
	},
	parquet: {
		timestamp: (column) => `iso(${column})`,
		list: (column) => `to_json(${column})::text`,
	},
};

export function exportSelect(params: Params<"exportProjects">, format: Format): Select {
	const { type, limit, format: _, fields, as_of, at_seq, ...filters } = params;
	const columns = chosenColumns(fields).map(({ name, type }) => {
		const write = written[format][type];
		return write === undefined ? `p.${name}` : `${write(`p.${name}`)} as ${name}`;
	});
	const fuel_type = filters.fuel_type ?? type;
	const condition = projectCondition(piece, fuel_type === undefined ? filters : { ...filters, fuel_type });
	const most = limit === undefined ? text("") : piece` limit ${limit}`;
	return piece`select ${text(columns.join(", "))} from ${requestsAt(piece, { as_of, at_seq })} ${condition} order by p.id${most}`;
}

/** A template whose values stay apart from its text, whatever it is put together of. */
const piece: Tag<Select> = (strings, ...given) => {
	const whole = text(strings[0] ?? "");
	for (const [at, value] of given.entries()) {
		if (typeof value === "object") append(whole, value);
		else append(whole, { parts: ["", ""], values: [value] });
		append(whole, text(strings[at + 1] ?? ""));
	}
	return whole;
};

const text = (part: string): Select => ({ parts: [part], values: [] });

function append(whole: Select, { parts: [first = "", ...rest], values }: Select): void {
	whole.parts.push(`${whole.parts.pop()}${first}`, ...rest);
	whole.values.push(...values);
}

/** COPY takes no parameters: the statement as one text, its values quoted by PostgreSQL itself. */
export async function asText(sql: Sql, { parts, values }: Select): Promise<string> {
	if (values.length === 0) return parts.join("");
	const rows = await sql<{ literal: string }[]>`
		select format('%L', value) as literal from unnest(${values.map(String)}::text[]) with ordinality as t (value, place)
		order by place`;
	return parts.map((part, at) => part + (rows[at]?.literal ?? "")).join("");
}
