/** Rows as aligned columns. */

export type Row = Readonly<Record<string, unknown>>;

/** Widest cell on a terminal; elsewhere cells are not truncated. */
const widest = 40;

/** A cell as text, as in files of the service: lists joined with "; ", unknown values empty, other nested values as JSON. */
export function cellOf(value: unknown): string {
	if (value === null || value === undefined) return "";
	if (Array.isArray(value) && value.every((each) => typeof each !== "object")) return value.join("; ");
	return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Filed text may contain control characters, which a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const stripControls = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ");

export class Table {
	readonly #columns: readonly string[];
	readonly #isCut: boolean;
	#widths: number[];
	#isBegun = false;

	constructor(columns: readonly string[], isCut: boolean) {
		this.#columns = columns;
		this.#isCut = isCut;
		this.#widths = columns.map((column) => column.length);
	}

	/** Lines of these rows, with the header before the first. Columns may grow with later rows, but never shrink. */
	lines(rows: readonly Row[]): string[] {
		const cells = rows.map((row) => this.#columns.map((column) => this.#cell(row[column])));
		this.#widths = this.#widths.map((width, at) => Math.max(width, ...cells.map((row) => row[at]?.length ?? 0)));
		const isRight = (row: Row, at: number) => typeof row[this.#columns[at] ?? ""] === "number";
		const lines = cells.map((row, each) => this.#line(row, (at) => isRight(rows[each] ?? {}, at)));
		if (this.#isBegun) return lines;
		this.#isBegun = true;
		const numeric = this.#columns.map((_, at) => rows.some((row) => isRight(row, at)));
		return [this.#line(this.#columns, (at) => numeric[at] === true), ...lines];
	}

	#cell(value: unknown): string {
		const text = stripControls(cellOf(value));
		return this.#isCut && text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
	}

	#line(cells: readonly string[], isRight: (at: number) => boolean): string {
		const padded = cells.map((cell, at) => {
			const width = this.#widths[at] ?? 0;
			return isRight(at) ? cell.padStart(width) : cell.padEnd(width);
		});
		return padded.join("  ").trimEnd();
	}
}

/** An object as lines of name and value, nested objects indented. */
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
