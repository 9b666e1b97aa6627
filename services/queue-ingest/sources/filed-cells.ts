/** Where the values of a list's requests stand in its file: said once for each table, and for each request by its rows. Pure. */
import type { ProvenanceRule } from "#libs/contract/provenance-rules.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts as megawattsOf, text as textOf } from "#libs/files/values.ts";

/** How a cell is read where one cell decides; `together`: the rule reads all of its cells. */
export const readers = {
	text: known,
	word: textOf,
	day: date,
	megawatts: megawattsOf,
} as const satisfies Record<string, (cell: Cell) => string | number | null>;

export interface FieldCells {
	rule: ProvenanceRule;
	reads: keyof typeof readers | "together";
	/** Positions from 0. Unless together, the first that states something decides. Columns that the layout lacks are left out. */
	columns: number[];
}

/** By the name that answers give the field. */
export type FieldsOfTable = Record<string, FieldCells>;

/** One table of a file: what is kept of it beside the archived bytes. */
export interface TableLayout {
	/** The sheet; null of a file that has none. */
	sheet: string | null;
	headerRow: number | null;
	/** As filed. */
	headers: string[];
	fields: FieldsOfTable;
	/** Its rows say less than the main list's: what they leave open stays as it was known. */
	partial?: true;
}

/** A row that says something of a request. */
export interface RowOrigin {
	/** Position among the tables of the file. */
	table: number;
	/** From 1, as `HeadedTable.rowNumber`. */
	row: number;
	/** The fields that this row decides, of a request with several rows; absent: all that no other row does. */
	fields?: string[];
}

const present = (columns: readonly number[]): number[] => columns.filter((column) => column >= 0);

/** The text of the first of these cells that holds any. */
export const text = (...columns: number[]): FieldCells => ({ rule: "text", reads: "text", columns: present(columns) });
/** The same, where words for nothing count too. */
export const word = (...columns: number[]): FieldCells => ({ rule: "text", reads: "word", columns: present(columns) });
export const day = (...columns: number[]): FieldCells => ({ rule: "day", reads: "day", columns: present(columns) });
export const megawatts = (...columns: number[]): FieldCells => ({
	rule: "megawatts",
	reads: "megawatts",
	columns: present(columns),
});
/** By a rule that is not simply what the first cell says. */
export const by = (rule: ProvenanceRule, { reads, columns }: FieldCells): FieldCells => ({ rule, reads, columns });
/** By a rule that reads all of these cells; by none where it rests on the list or sheet alone. */
export const together = (rule: ProvenanceRule, ...columns: number[]): FieldCells => ({
	rule,
	reads: "together",
	columns: present(columns),
});

/** A table with its rows, for reading cells again. */
export interface ReadTable extends TableLayout {
	/** By their numbers. */
	cells: () => Map<number, Cell[]>;
}

/** `sheet`: false of a file that has none. */
export function layoutOf(
	table: HeadedTable,
	fields: FieldsOfTable,
	{ sheet = true, partial = false }: { sheet?: boolean; partial?: boolean } = {},
): ReadTable {
	return {
		sheet: sheet ? table.name.trim() : null,
		headerRow: table.headerRow,
		headers: table.filedHeaders,
		fields,
		...(partial && { partial }),
		cells: () => new Map(table.rows.map((row) => [table.rowNumber(row), row])),
	};
}
