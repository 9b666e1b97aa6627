/** Headlines out of a CSV file, with a person's labels where it has them. Pure. */
import { CsvError, parse } from "csv-parse/sync";
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Labelled } from "./evaluate.ts";
import type { Findable } from "./find-developers.ts";

export type HeadlineRow = Findable & Labelled;

export interface Headlines {
	rows: HeadlineRow[];
	/** What could not be read: the line where it begins (from 1) and why. */
	unread: { line: number; why: string }[];
}

interface Record {
	/** Line where it begins. */
	line: number;
	cells: string[];
}

const labels = ["expected_type", "expected_developer"];
/** More quotes that never close than these: the file is something else. Each costs a reading of the rest. */
const mostUnclosed = 20;

/**
 * Columns by name: `title`, and `url` and `domain` where present. Files written by hand: a quote inside an unquoted cell stands for
 * itself, and a row that cannot be read costs no other row. Throws `StructureError` when the bytes are no text, a column is missing, or
 * labels are and `labelled`.
 */
export function readHeadlines(bytes: Uint8Array, name: string, labelled: boolean): Headlines {
	const { records, unread } = recordsOf(decodeText(bytes, name), name);
	const [header = { line: 1, cells: [] }, ...body] = records;
	const at = (column: string): number => header.cells.findIndex((cell) => cell.trim().toLowerCase() === column);
	const missing = ["title", ...(labelled ? labels : [])].filter((column) => at(column) < 0);
	if (missing.length > 0) throw new StructureError(`${name}: has no column ${missing.join(", ")}`);
	const rows: HeadlineRow[] = [];
	for (const { line, cells } of body) {
		if (cells.length === header.cells.length) rows.push(rowOf((column) => cells[at(column)] ?? ""));
		else unread.push({ line, why: `${cells.length} of ${header.cells.length} cells` });
	}
	return { rows, unread: unread.sort((a, b) => a.line - b.line) };
}

function rowOf(cell: (column: string) => string): HeadlineRow {
	return {
		title: cell("title"),
		url: cell("url"),
		domain: cell("domain"),
		organizations: [],
		snippet: null,
		expectedType: cell("expected_type"),
		expectedDevelopers: cell("expected_developer")
			.split(";")
			.map((developer) => developer.trim())
			.filter((developer) => developer !== ""),
	};
}

/** A quote that closes too late or never swallows rows: its line is left out, and reading goes on behind it. */
function recordsOf(source: string, name: string): { records: Record[]; unread: Headlines["unread"] } {
	const records: Record[] = [];
	const unread: Headlines["unread"] = [];
	const lines = source.split("\n");
	for (let first = 1; first <= lines.length; ) {
		const { found, unclosed } = parseFrom(lines.slice(first - 1).join("\n"), first);
		records.push(...found);
		if (unclosed === null) break;
		unread.push({ line: unclosed, why: "a quote is not closed" });
		if (unread.length > mostUnclosed)
			throw new StructureError(`${name}: more than ${mostUnclosed} quotes are not closed`);
		first = unclosed + 1;
	}
	return { records, unread };
}

/** The records up to the first one with a quote that is not closed in its place, and the line of that one, or null. */
function parseFrom(text: string, first: number): { found: Record[]; unclosed: number | null } {
	const found: Record[] = [];
	let next = first;
	let unclosed: number | null = null;
	const keep = (cells: string[], { lines }: { lines: number }): null => {
		// A stray quote at its start and a line break inside: the reader was lenient over more than a row.
		if (cells.some((cell) => cell.startsWith('"') && cell.includes("\n"))) unclosed ??= next;
		if (unclosed === null && cells.some((cell) => cell !== "")) found.push({ line: next, cells });
		next = first + lines;
		return null;
	};
	try {
		parse(text, { bom: true, relax_quotes: true, relax_column_count: true, on_record: keep });
	} catch (error) {
		if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
		unclosed ??= next;
	}
	return { found, unclosed };
}
