/** Formats rows as aligned columns. */

export type Row = Readonly<Record<string, unknown>>;

/** Maximum characters of a cell on a terminal; elsewhere cells are not truncated. */
const maxCellCharacters = 40;

/** Formats a cell as in files of the service: lists are joined with "; ", unknown values empty, other nested values written as JSON. */
export function cellOf(value: unknown): string {
	if (value === null || value === undefined) return "";
	if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join("; ");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Removes control characters, which text from operators may contain and a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
export const stripControls = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");

export class Table {
	readonly #columns: readonly string[];
	readonly #truncates: boolean;
	#widths: number[];
	#hasHeader = false;

	constructor(columns: readonly string[], truncates: boolean) {
		this.#columns = columns;
		this.#truncates = truncates;
		this.#widths = columns.map((column) => column.length);
	}

	/** Returns the rows as lines; the first call also returns the header. Later rows can widen columns, but never narrow them. */
	lines(rows: readonly Row[]): string[] {
		const cells = rows.map((row) => this.#columns.map((column) => this.#cell(row[column])));
		this.#widths = this.#widths.map((width, at) => Math.max(width, ...cells.map((row) => row[at]?.length ?? 0)));
		const isRight = (row: Row, at: number) => typeof row[this.#columns[at] ?? ""] === "number";
		const lines = cells.map((row, each) => this.#line(row, (at) => isRight(rows[each] ?? {}, at)));
		if (this.#hasHeader) return lines;
		this.#hasHeader = true;
		const numeric = this.#columns.map((_, at) => rows.some((row) => isRight(row, at)));
		return [this.#line(this.#columns, (at) => numeric[at] === true), ...lines];
	}

	#cell(value: unknown): string {
		const text = stripControls(cellOf(value));
		return this.#truncates && text.length > maxCellCharacters ? `${text.slice(0, maxCellCharacters - 1)}…` : text;
	}

	#line(cells: readonly string[], isRight: (at: number) => boolean): string {
		const padded = cells.map((cell, at) => {
			const width = this.#widths[at] ?? 0;
			return isRight(at) ? cell.padStart(width) : cell.padEnd(width);
		});
		return padded.join("  ").trimEnd();
	}
}

/** Formats an object as lines of name and value, with nested objects indented. */
export function describeLines(thing: Row, indent = ""): string[] {
	const width = Math.max(0, ...Object.keys(thing).map((name) => name.length));
	return Object.entries(thing).flatMap(([name, value]) => {
		const label = `${indent}${name}`;
		const parts = Array.isArray(value) ? value : [value];
		if (parts.length > 0 && parts.every((each) => typeof each === "object" && each !== null))
			return [label, ...parts.flatMap((each) => describeLines(each as Row, `${indent}  `))];
		return [`${label.padEnd(indent.length + width)}  ${stripControls(cellOf(value))}`.trimEnd()];
	});
}
