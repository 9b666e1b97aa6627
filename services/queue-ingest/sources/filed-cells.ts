/** Declares the fields of a list's tables: the cells of each field, and how they are read. Pure. */
import type { ProvenanceRule } from "#libs/contract/operations/quality/provenance-rules.ts";
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, known, megawatts as megawattsOf, text as textOf } from "#libs/files/values.ts";

/** Readers for fields whose value comes from a single cell. (Of other fields, marked `together`, the rule reads all cells.) */
export const readers = {
	text: known,
	word: textOf,
	day: date,
	megawatts: megawattsOf,
} as const satisfies Record<string, (cell: Cell) => string | number | null>;

export interface FieldCells {
	rule: ProvenanceRule;
	reads: keyof typeof readers | "together";
	/** Positions from 0. Unless `together`, the first filled cell decides. Columns that the layout lacks are left out. */
	columns: number[];
}

/** One table of a file, as stored in addition to the archived bytes. */
export interface TableLayout {
	sheet: string | null;
	headerRow: number | null;
	headers: string[];
	/** By name of the field in responses. */
	fields: Record<string, FieldCells>;
	/** The table's rows have fewer fields than those of the main list, so values that they lack remain unchanged. */
	partial?: true;
}

export interface RowOrigin {
	table: number;
	/** From 1, as `HeadedTable.rowNumber`. */
	row: number;
	/** Fields whose values come from this row, if the request has several rows. Absent: all fields that no other row provides. */
	fields?: string[];
}

/** `facts`: what the adapter derived from the whole row. */
export type Read<Value, Facts> = (row: readonly Cell[], facts: Facts) => Value;

export interface Field<Value> extends FieldCells {
	read: (row: readonly Cell[]) => Value;
}

const removeMissing = (columns: readonly number[]): number[] => columns.filter((column) => column >= 0);

function firstFilled<Value extends string | number>(
	rule: ProvenanceRule,
	reads: keyof typeof readers,
	columns: readonly number[],
): Field<Value | null> {
	const presentColumns = removeMissing(columns);
	return {
		rule,
		reads,
		columns: presentColumns,
		read: (row) => readFirstFilled(row, reads, presentColumns) as Value | null,
	};
}

function readFirstFilled(row: readonly Cell[], reads: keyof typeof readers, columns: readonly number[]) {
	for (const column of columns) {
		const value = readers[reads](row[column]);
		if (value !== null) return value;
	}
	return null;
}

/** Declares a field that is the text of the first filled cell. */
export const text = (...columns: number[]) => firstFilled<string>("text", "text", columns);
/** Like `text`, but also reads words for "nothing" as text. */
export const word = (...columns: number[]) => firstFilled<string>("text", "word", columns);
export const day = (...columns: number[]) => firstFilled<string>("day", "day", columns);
export const megawatts = (...columns: number[]) => firstFilled<number>("megawatts", "megawatts", columns);

/** Declares a field whose rule converts what another field reads. */
export const by = <From, To = From>(
	rule: ProvenanceRule,
	{ reads, columns, read }: Field<From>,
	value: (stated: From, row: readonly Cell[]) => To = (stated) => stated as unknown as To,
): Field<To> => ({ rule, reads, columns, read: (row) => value(read(row), row) });

/** Declares the cells of a rule that reads all of them. Without cells, the value depends only on the list or sheet. */
export const together = (rule: ProvenanceRule, ...columns: number[]): FieldCells => ({
	rule,
	reads: "together",
	columns: removeMissing(columns),
});

/** Declares a field that is computed from these cells. */
export const from = <Value>(
	rule: ProvenanceRule,
	columns: number[],
	value: (...cells: Cell[]) => Value,
): Field<Value> => ({
	...together(rule, ...columns),
	read: (row) => value(...columns.map((column) => row[column])),
});

/** Declares a field that is computed from facts about the row, and the cells that state it. */
export const fact = <Facts, Value>(
	rule: ProvenanceRule,
	columns: number[],
	value: (facts: Facts, row: readonly Cell[]) => Value,
) => ({ ...together(rule, ...columns), ...unstated(value) });

/** Declares a field that no cell states, but that is computed from facts about the row. */
export const unstated = <Facts, Value>(value: (facts: Facts, row: readonly Cell[]) => Value) => ({
	read: (row: readonly Cell[], facts: Facts): Value => value(facts, row),
});

export const joined =
	(separator: string) =>
	(...cells: Cell[]): string | null =>
		cells
			.map(known)
			.filter((part) => part !== null)
			.join(separator) || null;

export interface ReadTable extends TableLayout {
	cells: () => Map<number, Cell[]>;
	/** Positions of columns that change without a change of the request. */
	ignored: ReadonlySet<number>;
}

/** Returns a unique name for each column: its header as filed, numbered if repeated, or its position from 1 without a header. */
export function columnNames(headers: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return headers.map((header, at) => {
		const name = header === "" ? `column ${at + 1}` : header;
		const times = (seen.get(name) ?? 0) + 1;
		seen.set(name, times);
		return times === 1 ? name : `${name} (${times})`;
	});
}

/** Returns the name of a cell in a further row of a request. Its header may also occur in the request's first row. */
const nameInFurtherRow = ({ sheet }: TableLayout, name: string): string => `${sheet ?? "further row"}: ${name}`;

/** Returns the names that the cells of a request in these tables can have. */
export const columnsOf = (tables: readonly TableLayout[]): Set<string> =>
	new Set(
		tables.flatMap((table) => {
			const names = columnNames(table.headers);
			return table.partial ? names : [...names, ...names.map((name) => nameInFurtherRow(table, name))];
		}),
	);

/**
 * Reads the cells of a request's rows as text, by column name; null for a request with unknown rows. Leaves out further partial rows,
 * because no later list repeats them.
 */
export function filedReader(
	tables: readonly ReadTable[],
): (origins: readonly RowOrigin[] | undefined) => Record<string, string> | null {
	const sources = tables.map((table) => ({ table, names: columnNames(table.headers), cells: table.cells() }));
	return (origins = []) => {
		if (origins.length === 0) return null;
		const filed = new Map<string, string>();
		for (const [place, origin] of origins.entries()) {
			const source = sources[origin.table];
			if (place > 0 && source?.table.partial) continue;
			for (const [at, cell] of (source?.cells.get(origin.row) ?? []).entries()) {
				const value = textOf(cell);
				if (source === undefined || value === null || source.table.ignored.has(at)) continue;
				const name = source.names[at] ?? `column ${at + 1}`;
				filed.set(place === 0 ? name : nameInFurtherRow(source.table, name), value);
			}
		}
		return Object.fromEntries(filed);
	};
}

/** Returns the columns whose cell may be the value of a field. `alone`: the field has no other column, and is a number or a day. */
export function statingColumns(tables: readonly TableLayout[]): { column: string; field: string; alone: boolean }[] {
	return tables.flatMap((table) => {
		const names = columnNames(table.headers);
		return Object.entries(table.fields).flatMap(([field, { reads, columns }]) => {
			if (reads === "together") return [];
			const alone = columns.length === 1 && (reads === "day" || reads === "megawatts");
			return columns.flatMap((at) => {
				const name = names[at];
				return name === undefined
					? []
					: [name, nameInFurtherRow(table, name)].map((column) => ({ column, field, alone }));
			});
		});
	});
}

export function layoutOf(
	table: HeadedTable,
	fields: Record<string, Partial<FieldCells>>,
	{ sheet = true, partial = false }: { sheet?: boolean; partial?: boolean } = {},
): ReadTable {
	return {
		sheet: sheet ? table.name.trim() : null,
		headerRow: table.headerRow,
		headers: table.filedHeaders,
		fields: Object.fromEntries(
			Object.entries(fields).flatMap(([name, { rule, reads, columns }]) =>
				rule === undefined || reads === undefined || columns === undefined ? [] : [[name, { rule, reads, columns }]],
			),
		),
		...(partial && { partial }),
		ignored: table.ignored,
		cells: () => new Map(table.rows.map((row) => [table.rowNumber(row), row])),
	};
}
