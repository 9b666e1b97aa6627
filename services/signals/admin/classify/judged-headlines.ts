/** Reads headlines from CSV files, and compares the classes and developers found in them with hand-assigned labels. Pure. */
import { CsvError, parse } from "csv-parse/sync";
import { type EventType, eventTypes } from "#libs/contract/vocabulary.ts";
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Findable, FoundDeveloper } from "../../headlines/find-developers.ts";

export interface JudgedHeadline {
	title: string;
	type: EventType;
	developers: readonly FoundDeveloper[];
}

interface Labels {
	expectedType: string;
	expectedDevelopers: readonly string[];
}

interface Scores {
	/** Share of headlines with the right class. 1 if there are no headlines. */
	accuracy: number;
	/** Share of the found developers that are right. 1 if none was found. */
	precision: number;
	/** Share of the expected developers that were found. 1 if none was expected. */
	recall: number;
}

type Row = JudgedHeadline & Labels;

export function computeScores(rows: readonly Row[]): Scores {
	const correct = rows.filter(({ type, expectedType }) => type === expectedType).length;
	const hits = sum(
		rows,
		({ developers, expectedDevelopers }) =>
			developers.filter(({ canonical }) => expectedDevelopers.includes(canonical)).length,
	);
	return {
		accuracy: share(correct, rows.length),
		precision: share(
			hits,
			sum(rows, ({ developers }) => developers.length),
		),
		recall: share(
			hits,
			sum(rows, ({ expectedDevelopers }) => expectedDevelopers.length),
		),
	};
}

export function formatEvaluation(rows: readonly Row[]): string[] {
	const { accuracy, precision, recall } = computeScores(rows);
	return [
		`${rows.length} headlines: class right ${percent(accuracy)}, developer precision ${percent(precision)}, recall ${percent(recall)}`,
		"",
		["expected \\ found", ...eventTypes]
			.map((cell) => cell.padEnd(17))
			.join("")
			.trimEnd(),
		...eventTypes.map((expected) => formatConfusion(rows, expected)),
		"",
		...rows.flatMap(formatMisses),
	];
}

function formatConfusion(rows: readonly Row[], expected: EventType): string {
	const counts = eventTypes.map(
		(found) => rows.filter((row) => row.expectedType === expected && row.type === found).length,
	);
	return [expected, ...counts.map(String)]
		.map((cell) => cell.padEnd(17))
		.join("")
		.trimEnd();
}

function formatMisses({ title, type, expectedType, developers, expectedDevelopers }: Row): string[] {
	const names = developers.map(({ canonical }) => canonical);
	const lines: string[] = [];
	if (type !== expectedType) lines.push(`class ${type}, expected ${expectedType}: ${title}`);
	for (const { canonical, matchedOn, matchedText } of developers) {
		if (!expectedDevelopers.includes(canonical))
			lines.push(`developer ${canonical} (${matchedOn} "${matchedText}") not expected: ${title}`);
	}
	for (const name of expectedDevelopers.filter((expected) => !names.includes(expected)))
		lines.push(`developer ${name} not found: ${title}`);
	return lines;
}

const sum = (rows: readonly Row[], count: (row: Row) => number): number =>
	rows.reduce((total, row) => total + count(row), 0);
const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

type HeadlineRow = Findable & Labels;

interface Headlines {
	rows: HeadlineRow[];
	/** Unreadable rows: the line (from 1) and the reason. */
	unreadRows: { line: number; why: string }[];
}

interface CsvRecord {
	line: number;
	cells: string[];
}

const labels = ["expected_type", "expected_developer"];
/** Bounds the work: each unclosed quote makes the parser read the rest of the file again. */
const maxUnclosed = 20;

/**
 * Reads `title`, and `url` and `domain` if present. Files are written by hand: a quote inside an unquoted cell is literal, and an
 * unreadable row does not affect other rows. The label columns are required only if `requiresLabels` is set.
 * @throws StructureError if the bytes are not text or a required column is missing
 */
export function readHeadlines(bytes: Uint8Array, name: string, requiresLabels: boolean): Headlines {
	const { records, unreadRows } = parseRecords(decodeText(bytes, name), name);
	const [header = { line: 1, cells: [] }, ...body] = records;
	const columnIndex = (column: string): number =>
		header.cells.findIndex((cell) => cell.trim().toLowerCase() === column);
	const missing = ["title", ...(requiresLabels ? labels : [])].filter((column) => columnIndex(column) < 0);
	if (missing.length > 0) throw new StructureError(`${name}: has no column ${missing.join(", ")}`);
	const rows: HeadlineRow[] = [];
	for (const { line, cells } of body) {
		if (cells.length === header.cells.length) rows.push(rowOf((column) => cells[columnIndex(column)] ?? ""));
		else unreadRows.push({ line, why: `${cells.length} cells, but the header has ${header.cells.length}` });
	}
	return { rows, unreadRows: unreadRows.sort((a, b) => a.line - b.line) };
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

/** An unclosed quote would swallow the following rows. Its line is skipped, and reading continues with the next line. */
function parseRecords(source: string, name: string): { records: CsvRecord[]; unreadRows: Headlines["unreadRows"] } {
	const records: CsvRecord[] = [];
	const unreadRows: Headlines["unreadRows"] = [];
	const lines = source.split("\n");
	for (let first = 1; first <= lines.length; ) {
		const { complete, unclosed } = parseFrom(lines.slice(first - 1).join("\n"), first);
		records.push(...complete);
		if (unclosed === null) break;
		unreadRows.push({ line: unclosed, why: "a quote is not closed" });
		if (unreadRows.length > maxUnclosed)
			throw new StructureError(`${name}: more than ${maxUnclosed} quotes are not closed`);
		first = unclosed + 1;
	}
	return { records, unreadRows };
}

/** Returns the records before the first unclosed quote, and the line of that quote (null if every quote is closed). */
function parseFrom(text: string, first: number): { complete: CsvRecord[]; unclosed: number | null } {
	const complete: CsvRecord[] = [];
	let next = first;
	let unclosed: number | null = null;
	const collect = (cells: string[], { lines }: { lines: number }): null => {
		// A cell with a leading quote and a line break: the lenient parser read several rows as one.
		if (cells.some((cell) => cell.startsWith('"') && cell.includes("\n"))) unclosed ??= next;
		if (unclosed === null && cells.some((cell) => cell !== "")) complete.push({ line: next, cells });
		next = first + lines;
		return null;
	};
	try {
		parse(text, { bom: true, relax_quotes: true, relax_column_count: true, on_record: collect });
	} catch (error) {
		if (!(error instanceof CsvError) || error.code !== "CSV_QUOTE_NOT_CLOSED") throw error;
		unclosed ??= next;
	}
	return { complete, unclosed };
}
