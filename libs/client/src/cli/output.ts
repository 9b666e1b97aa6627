/** Writes rows as they come: as a table, JSON, lines of JSON or CSV. */
import { once } from "node:events";
import { UsageError } from "./failures.ts";
import { nearestWords } from "./nearest.ts";
import { cellOf, describeLines, type Row, Table } from "./table.ts";

export const outputs = ["table", "jsonl", "json", "csv"] as const;
export type OutputFormat = (typeof outputs)[number];

/** Rows that are collected to measure a table's columns before the first row is shown. */
const sampleRows = 200;

/** The requested format; by default a table on a terminal, and lines of JSON elsewhere. @throws UsageError */
export function formatOf(requested: string | undefined): OutputFormat {
	if (requested === undefined) return process.stdout.isTTY ? "table" : "jsonl";
	const format = outputs.find((each) => each === requested);
	if (format !== undefined) return format;
	const [near] = nearestWords(requested, outputs);
	const hint = requested === "parquet" ? ": eids export and eids sql write Parquet with --out" : "";
	throw new UsageError(`--output must be one of ${outputs.join(", ")}${near ? `; did you mean ${near}?` : hint}`);
}

export interface OutputOptions {
	format: OutputFormat;
	/** Columns of tables and CSV, and of all formats if `isPicked`; by default the columns of the first row. */
	columns?: readonly string[] | undefined;
	/** Restricts every format, not only tables and CSV, to `columns`. */
	isPicked?: boolean;
	/** Rows arrive one by one, and each is shown immediately. */
	isLive?: boolean;
}

export class Output {
	readonly #options: OutputOptions;
	#columns: readonly string[] | undefined;
	#table: Table | undefined;
	#waiting: Row[] = [];
	#rows = 0;

	constructor(options: OutputOptions) {
		if (options.isLive && options.format === "json")
			throw new UsageError("--output json cannot be used with an endless stream; use jsonl");
		this.#options = options;
		this.#columns = options.columns;
	}

	async row(given: object): Promise<void> {
		const { format, isPicked, isLive } = this.#options;
		const whole = given as Row;
		this.#columns ??= Object.keys(whole);
		const row = isPicked ? Object.fromEntries(this.#columns.map((name) => [name, whole[name] ?? null])) : whole;
		const isFirst = this.#rows++ === 0;
		if (format === "jsonl") return write(`${JSON.stringify(row)}\n`);
		if (format === "json") return write(`${isFirst ? "[\n" : ",\n"}${JSON.stringify(row)}`);
		if (format === "csv") {
			const head = isFirst ? csvLine(this.#columns) : "";
			return write(head + csvLine(this.#columns.map((name) => cellOf(row[name]))));
		}
		this.#waiting.push(row);
		if (isLive || this.#waiting.length >= sampleRows) await this.#showWaiting();
	}

	async end(): Promise<void> {
		const { format } = this.#options;
		if (format === "json") await write(this.#rows === 0 ? "[]\n" : "\n]\n");
		else if (format === "table" && this.#rows === 0) note("eids: no row");
		else if (format === "table" && this.#waiting.length > 0) await this.#showWaiting();
		else if (format === "csv" && this.#rows === 0 && this.#columns !== undefined) await write(csvLine(this.#columns));
	}

	async #showWaiting(): Promise<void> {
		this.#table ??= new Table(this.#columns ?? [], process.stdout.isTTY);
		await write(`${this.#table.lines(this.#waiting).join("\n")}\n`);
		this.#waiting = [];
	}
}

/** Writes an object as lines of name and value, as JSON, or as a row. */
export async function writeObject(thing: object, format: OutputFormat): Promise<void> {
	if (format === "table") return write(`${describeLines(thing as Row).join("\n")}\n`);
	if (format === "json") return write(`${JSON.stringify(thing, null, 2)}\n`);
	const output = new Output({ format });
	await output.row(thing);
	await output.end();
}

/** RFC 4180 */
const csvLine = (cells: readonly string[]): string =>
	`${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;

/** Waits for a slow reader of the pipe. */
export async function write(text: string): Promise<void> {
	if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** Writes to standard error, so that pipes receive only the result. */
export const note = (text: string): void => void process.stderr.write(`${text}\n`);
