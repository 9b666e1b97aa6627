/** Reads CSV lists as tables. A truncated or garbled file is refused as a whole. Pure. */
import { CsvError, parse } from "csv-parse/sync";
import { isZip } from "./archive.ts";
import { decodeText, peek } from "./decode.ts";
import { StructureError } from "./structure-error.ts";
import { headerKey, type Table } from "./table.ts";

export interface CsvOptions {
	/** Whether a record above the header may be narrower than the list, such as a line with a date. Such records remain in the table. */
	isPreamble?: (record: string[]) => boolean;
	/** Maximum extra cells of a record, for publishers whose records are longer than the header. They remain at the record's end. */
	spareCells?: number;
}

/**
 * Reads all records of a CSV file, including the header. Blank lines are skipped; quoted cells may contain line breaks.
 * @throws StructureError if the bytes are not UTF-8 text, a quote is not closed, a record is narrower or wider than the header, or the file ends
 * in the middle of its last line
 */
export function readCsv(bytes: Uint8Array, name: string, options: CsvOptions = {}): Table {
	const source = decodeText(bytes, name);
	const records = parseRecords(source, name);
	const preamble = options.isPreamble ?? (() => false);
	let header = 0;
	while (header < records.length && preamble(records[header] ?? [])) header++;
	const width = records[header]?.length ?? 0;
	if (width === 0) throw new StructureError(`${name}: has no header`);
	for (let at = header + 1; at < records.length; at++) {
		const cellCount = records[at]?.length ?? 0;
		if (cellCount < width || cellCount > width + (options.spareCells ?? 0)) {
			throw new StructureError(
				`${name}: record ${at + 1} has ${cellCount} fields, but the header has ${width}: the file is truncated or malformed`,
			);
		}
	}
	if (!hasCompleteEnd(source))
		throw new StructureError(`${name}: the last line is not terminated: the file is truncated`);
	return { name, rows: records };
}

/** The normalized cells of the first records, which are enough to recognize a layout by its header. Empty if the file is not CSV. */
export function csvHeaderNames(bytes: Uint8Array): Set<string> {
	const start = isZip(bytes) ? "" : peek(bytes);
	if (start === "" || /^\ufeff?\s*[<[{]/.test(start)) return new Set();
	try {
		const records: string[][] = parse(start, { bom: true, relax_column_count: true, relax_quotes: true, to: 2 });
		return new Set(records.flat().map(headerKey));
	} catch {
		return new Set();
	}
}

function parseRecords(source: string, name: string): string[][] {
	try {
		return parse(source, { bom: true, relax_column_count: true, skip_empty_lines: true });
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		if (error.code === "CSV_QUOTE_NOT_CLOSED") {
			throw new StructureError(`${name}: a quoted cell is not terminated: the file is truncated`);
		}
		throw new StructureError(`${name}: is not a well-formed CSV file: ${error.message}`);
	}
}

/**
 * Whether the last cell is complete. An unquoted one without a line end may have lost characters; a quoted one is complete if its quote is
 * closed. (MISO's export quotes every cell and never ends its last line.)
 */
function hasCompleteEnd(source: string): boolean {
	return /["\r\n]$/.test(source);
}

export const quoteCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
