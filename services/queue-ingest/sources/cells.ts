/** Reads records of published tables: each field declares how its cell is read, and the headers that its column has had. Pure. */
import { type HeadedTable, headerKey } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";

/** Maximum length of stored text. All names and addresses in EIA files are shorter. */
const maxTextLength = 300;
const maxGeneratorIdLength = 40;

/** Returns text as filed; null for a blank cell, a single period (old years) and the usual words for "nothing". */
export function stated(cell: Cell): string | null {
	const value = known(cell);
	return value === null || value === "." ? null : value.slice(0, maxTextLength);
}

export const textOrEmpty = (cell: Cell): string => text(cell) ?? "";

export function id(cell: Cell): number | null {
	const value = number(cell);
	return value !== null && Number.isInteger(value) && value > 0 && value <= 2_147_483_647 ? value : null;
}

/** Returns a generator id with its zeros and inner spaces, whatever type the cell has. "NA" and "-" are valid ids. */
export function generatorId(cell: Cell): string | null {
	if (cell instanceof Date || cell === null || cell === undefined) return null;
	const value = String(cell)
		.replace(/\p{Cc}/gu, "")
		.trim();
	return value === "" || value.length > maxGeneratorIdLength ? null : value;
}

/** Pads a number to five digits, because spreadsheets drop the leading zero; returns text as filed. */
export function zip(cell: Cell): string | null {
	return typeof cell === "number" ? String(cell).padStart(5, "0").slice(0, 20) : (stated(cell)?.slice(0, 20) ?? null);
}

export function stateCode(cell: Cell): string | null {
	const value = stated(cell)?.toUpperCase();
	return value !== undefined && /^[A-Z]{2}$/.test(value) ? value : null;
}

/** Returns a year of operation; null for 0 and sentinel values. */
export function yearOf(cell: Cell): number | null {
	const value = number(cell);
	return value !== null && Number.isInteger(value) && value >= 1850 && value <= 2100 ? value : null;
}

export function degrees(cell: Cell, min: number, max: number): number | null {
	const value = number(cell);
	return value !== null && value >= min && value <= max ? value : null;
}

/** Returns an EIA code. */
export const code = (cell: Cell): string | null => stated(cell)?.slice(0, 10) ?? null;

export interface RecordField<Value> {
	read: (cell: Cell) => Value;
	/** The current header first. */
	headers: readonly [string, ...string[]];
}

export const field = <Value>(read: (cell: Cell) => Value, ...headers: [string, ...string[]]): RecordField<Value> => ({
	read,
	headers,
});

export type RecordOf<Fields> = {
	[Name in keyof Fields]: Fields[Name] extends RecordField<infer Value> ? Value : never;
};

/** Claims the columns of the fields, and reads the rows of the table. A column that the table lacks is read as an empty cell. */
export function recordReader<Fields extends Record<string, RecordField<unknown>>>(
	table: HeadedTable,
	fields: Fields,
): (row: readonly Cell[]) => RecordOf<Fields> {
	const columns = Object.entries(fields).map(([name, { read, headers }]) => ({
		name,
		read,
		at: column(table, ...headers),
	}));
	return (row) => Object.fromEntries(columns.map(({ name, read, at }) => [name, read(row[at])])) as RecordOf<Fields>;
}

/** Returns the position of a column by its current name, the same name with underscores (until 2012), or a former name. */
export function column(table: HeadedTable, name: string, ...former: string[]): number {
	return table.column(name, name.replaceAll(" ", "_"), ...former);
}

/** A footnote has one or two filled cells; a row of the table has more. */
export function isNote(row: readonly Cell[]): boolean {
	const filled = row.filter((cell) => text(cell) !== null);
	return (
		filled.length <= 2 && filled.some((cell) => typeof cell === "string" && (cell.length > 20 || /^note/i.test(cell)))
	);
}

/** Returns the accepted spellings of a required header. */
export function spellings(name: string, ...former: string[]): string[] {
	return [name, name.replaceAll(" ", "_"), ...former].map(headerKey);
}
