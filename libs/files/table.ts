/** Tables whose header is found by the names of required columns. Columns are read by name; `raw` returns the others. Pure. */
import { StructureError } from "./structure-error.ts";
import { type Cell, text } from "./values.ts";

/** One sheet, or one CSV or JSON list, as rows of cells. */
export interface Table {
	name: string;
	rows: Cell[][];
	/** Number of the first row in the file, 1 when absent; 0 for records, whose header comes from their field names. */
	firstRow?: number;
	/** The header as filed, by column, if a reader has replaced it. */
	filedHeader?: readonly Cell[];
}

/** The form in which headers are compared: without regard to case, white space, line breaks and trailing punctuation. */
export function headerKey(cell: Cell): string {
	return (text(cell) ?? "")
		.toLowerCase()
		.replace(/[*:]+$/, "")
		.trim();
}

/**
 * The rows below the header of a table. `required` lists the columns that the expected table must have, each as a list of accepted spellings. The
 * header is the first of the top `searchRows` rows that has all of them.
 */
export class HeadedTable {
	readonly name: string;
	readonly headers: string[];
	readonly filedHeaders: string[];
	readonly rows: Cell[][];
	readonly headerIndex: number;
	readonly #firstRow: number;
	#numbers: Map<Cell[], number> | undefined;
	readonly #columns = new Map<string, number>();
	readonly #claimed = new Set<number>();
	readonly #ignored = new Set<number>();

	constructor(table: Table, required: readonly (readonly string[])[], searchRows = 60) {
		const index = headerIndex(table, required, searchRows);
		if (index < 0) throw new StructureError(`${table.name}: ${describeMissing(table, required, searchRows)}`);
		this.name = table.name;
		this.headerIndex = index;
		this.headers = (table.rows[index] ?? []).map((cell) => text(cell) ?? "");
		this.filedHeaders = this.headers.map((header, at) => text(table.filedHeader?.[at]) ?? header);
		this.#firstRow = (table.firstRow ?? 1) + index;
		this.rows = table.rows.slice(index + 1);
		for (const [at, header] of this.headers.entries()) {
			const key = headerKey(header);
			if (key !== "" && !this.#columns.has(key)) this.#columns.set(key, at);
		}
	}

	/** Row number of the header in the file, from 1; null for records, which have none. */
	get headerRow(): number | null {
		return this.#firstRow > 0 ? this.#firstRow : null;
	}

	/**
	 * Position of one of `rows` in the file, from 1: the number of the row in a sheet, or of the record in CSV (not counting blank lines), JSON,
	 * XML or HTML.
	 */
	rowNumber(row: Cell[]): number {
		this.#numbers ??= new Map(this.rows.map((each, at) => [each, this.#firstRow + 1 + at]));
		const number = this.#numbers.get(row);
		if (number === undefined) throw new Error("the row does not belong to this table");
		return number;
	}

	/** Index of the first of these headers that exists, or -1. Claims the column, so that `raw` and `leftovers` omit it. */
	column(...names: string[]): number {
		return this.#claim(names.map((name) => this.#columns.get(headerKey(name))).find((at) => at !== undefined));
	}

	/** Index of the first header that matches, or -1. Claims the column. */
	columnWhere(matches: (key: string) => boolean): number {
		return this.#claim([...this.#columns].find(([key]) => matches(key))?.[1]);
	}

	#claim(at: number | undefined): number {
		if (at === undefined) return -1;
		this.#claimed.add(at);
		return at;
	}

	/** Claims columns that must not be stored, such as row IDs and timestamps that change every day. */
	ignore(...names: string[]): void {
		for (const name of names) {
			const at = this.column(name);
			if (at >= 0) this.#ignored.add(at);
		}
	}

	ignoreWhere(matches: (key: string) => boolean): void {
		const at = this.columnWhere(matches);
		if (at >= 0) this.#ignored.add(at);
	}

	get ignored(): ReadonlySet<number> {
		return this.#ignored;
	}

	leftovers(): string[] {
		return this.headers.filter((header, at) => header !== "" && !this.#claimed.has(at));
	}

	/** The cells under unclaimed headers, as filed. Call after all columns are claimed. */
	raw(row: Cell[]): Record<string, string> {
		const unclaimedCells = new Map<string, string>();
		for (const [at, header] of this.headers.entries()) {
			if (header === "" || this.#claimed.has(at)) continue;
			const value = text(row[at]);
			if (value !== null) unclaimedCells.set(header, value);
		}
		return Object.fromEntries(unclaimedCells);
	}
}

/** Whether the table has a header with the required names. */
export function isHeaded(table: Table | undefined, required: readonly (readonly string[])[], searchRows = 60): boolean {
	return table !== undefined && headerIndex(table, required, searchRows) >= 0;
}

function headerIndex({ rows }: Table, required: readonly (readonly string[])[], searchRows: number): number {
	return rows.slice(0, searchRows).findIndex((row) => {
		const keys = new Set(row.map(headerKey));
		return required.every((names) => names.some((name) => keys.has(headerKey(name))));
	});
}

/** Name of a column (index from 0): its letters in a sheet, or its number, from 1, in a file without sheets. */
export function columnName(column: number, sheet: string | null): string {
	if (sheet === null) return String(column + 1);
	let letters = "";
	for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
		letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
	return letters;
}

/** Whether there are sheets with all these names, given in the form that `headerKey` returns. */
export function hasSheets(sheets: readonly Table[], ...names: readonly string[]): boolean {
	return names.every((name) => sheets.some((sheet) => headerKey(sheet.name) === name));
}

function describeMissing(table: Table, required: readonly (readonly string[])[], searchRows: number): string {
	const keys = new Set(table.rows.slice(0, searchRows).flat().map(headerKey));
	const absent = required.filter((names) => !names.some((name) => keys.has(headerKey(name))));
	if (absent.length === 0) return "no row has all required columns";
	return `required column missing: ${absent.map((names) => names[0]).join(", ")}`;
}
