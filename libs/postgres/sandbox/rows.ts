/** The text that is run: the caller's statement, with what makes its rows into JSON or CSV and bounds them around it. */
import { queryLimits } from "#libs/contract/databases.ts";

export interface Column {
	name: string;
	/** PostgreSQL's name of the type. */
	type: string;
}

export type Format = "json" | "csv";

export interface RunText {
	text: string;
	/** Characters before the statement. */
	before: number;
}

/** What comes back: all rows in one text, so that nobody reads them on their way. */
export interface Rows {
	body: string | null;
	/** Rows in it. */
	rows: number;
	/** Rows looked at: one more than the limit lets through, if there are so many. */
	seen: number;
	/** Whether the next row would not have fitted. */
	full: boolean;
	/** Number of the first row that is longer than a row may be. */
	long: number | null;
}

/** The statement as a table without rows: what its columns are, at the cost of a plan. */
export function columnsText(sql: string): RunText {
	const before = "select * from (\n";
	return { text: `${before}${sql}\n) q limit 0`, before: before.length };
}

/**
 * PostgreSQL writes each row, and its numbers are exact. A row that is longer than a row may be, and what no longer fits, does not
 * travel. `offset 0` keeps the planner from writing each row again for each use of it. The rows of a subquery come out in its order.
 */
export function rowsText(sql: string, columns: readonly Column[], format: Format): RunText {
	const names = columns.map((_, index) => `c${index + 1}`);
	const { line, size, values } = format === "json" ? jsonLine(columns, names) : csvLine(columns, names);
	const { rows, bytes, rowBytes } = queryLimits;
	const before = `select string_agg(j, ${format === "json" ? "','" : "e'\\r\\n'"}) filter (where total <= ${bytes} and n <= ${rows}) as body,
	count(*) filter (where total <= ${bytes} and n <= ${rows})::int as rows, count(*)::int as seen,
	coalesce(bool_or(total > ${bytes} and n <= ${rows}), false) as full,
	min(n) filter (where bytes > ${rowBytes} and total - bytes <= ${bytes} and n <= ${rows})::int as long
from (
	select case when bytes <= ${rowBytes} then j end as j, bytes, sum(bytes + 1) over w as total, row_number() over w as n
	from (
		select j, ${size} as bytes from (
			select ${line} as j from (select ${values} from (\n`;
	const after = `\n) as q (${names.join(", ")}) limit ${rows + 1}) r offset 0) t offset 0) s
	window w as (rows unbounded preceding)) u`;
	return { text: before + sql + after, before: [...before].length };
}

interface Line {
	/** Values of a row, from the statement's. */
	values: string;
	/** A row's text, from `r`. */
	line: string;
	/** Bytes of a row's text on its way, from `j`. */
	size: string;
}

/** `r.*`, as the caller may call a column `r`, too. */
function jsonLine(columns: readonly Column[], names: readonly string[]): Line {
	const values = columns.map(
		({ name, type }, index) => `${jsonValue(type, `q.${names[index]}`)} as ${identifier(name)}`,
	);
	return { values: values.join(", "), line: "row_to_json(r.*)::text", size: "octet_length(j)" };
}

/** Moments are UTC and say so with a Z, as everywhere else; the session's clock is UTC. */
const jsonValue = (type: string, value: string): string =>
	type === "timestamp with time zone" ? `replace(to_json(${value}) #>> '{}', '+00:00', 'Z')` : value;

/**
 * RFC 4180. NULL is empty and an empty text is `""`. A value that a spreadsheet would take for a formula stays as it is: this is for
 * programs, and a changed value would be a wrong one. The text travels inside JSON, where a quotation mark is longer.
 */
function csvLine(columns: readonly Column[], names: readonly string[]): Line {
	const values = columns.map(({ type }, index) => {
		const value = `to_json(q.${names[index]}) #>> '{}'`;
		return `${type === "timestamp with time zone" ? `replace(${value}, '+00:00', 'Z')` : value} as ${names[index]}`;
	});
	const cells = names.map(
		(name) => `coalesce(case when r.${name} ~ '[",\\r\\n]' or r.${name} = ''
			then '"' || replace(r.${name}, '"', '""') || '"' else r.${name} end, '')`,
	);
	return { values: values.join(", "), line: cells.join(" || ',' || "), size: "octet_length(to_json(j)::text)" };
}

export function csvHeader(columns: readonly Column[]): string {
	return columns
		.map(({ name }) => (/[",\r\n]/.test(name) || name === "" ? `"${name.replaceAll('"', '""')}"` : name))
		.join(",");
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
