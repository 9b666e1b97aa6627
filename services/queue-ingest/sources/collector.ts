/** Collects the requests that an adapter reads from one file, so that every row is accounted for. Pure. */
import { isDeepStrictEqual } from "node:util";
import { StructureError } from "#libs/files/structure-error.ts";
import { type HeadedTable, headerKey, type Table } from "#libs/files/table.ts";
import { type Cell, date, known, number, text } from "#libs/files/values.ts";
import { layoutOf, type ReadTable } from "./filed-cells.ts";
import { RowAccount } from "./row-account.ts";
import type { FiledRequest, ParsedFile } from "./source.ts";
import { rowReader, type TableFields } from "./table-fields.ts";
import type { StandardTechnology } from "./technology.ts";
import type { KnownWords, MappedWord, ReadWord } from "./vocabulary.ts";

export class Collector extends RowAccount<FiledRequest> {
	readonly #byNumber = new Map<string, FiledRequest[]>();
	readonly #tables: ReadTable[] = [];
	readonly #headed: HeadedTable[] = [];
	readonly #mapped: ReadonlyMap<string, MappedWord>;
	readonly #readWords = new Map<number, ReadWord>();

	/** @param mapped people's mappings of values that the adapter does not define */
	constructor(mapped: readonly MappedWord[] = []) {
		super();
		this.#mapped = new Map(mapped.map((one) => [wordKey(one.field, one.word), one]));
	}

	/** Keeps a request, or drops it as a repeat if the file contains an identical one. */
	override keep(request: FiledRequest): void {
		const same = this.#byNumber.get(request.number);
		if (same?.some((other) => isDeepStrictEqual(withoutOrigins(other), withoutOrigins(request)))) {
			this.drop("exact repeat of another row", request.number);
			return;
		}
		if (same) same.push(request);
		else this.#byNumber.set(request.number, [request]);
		super.keep(request);
	}

	/** Records the columns of a table's fields, and returns the reader of its rows. With `extras`, unclaimed cells are kept in `raw`. */
	rowsOf<Facts = void>(
		table: HeadedTable,
		fields: TableFields<Facts>,
		{ extras, ...options }: { extras?: readonly Extra[]; sheet?: boolean; partial?: boolean } = {},
	): (row: Cell[], facts: Facts) => Omit<FiledRequest, "number" | "evidence"> {
		const raw = extras === undefined ? () => ({}) : rawReader(table, extras);
		const at = this.#tables.push(layoutOf(table, fields, options)) - 1;
		this.#headed.push(table);
		const read = rowReader(fields);
		return (row, facts) => ({
			...read(row, facts),
			origins: [{ table: at, row: table.rowNumber(row) }],
			raw: raw(row),
		});
	}

	/** Returns the filed value if the adapter defines it, else the value that it is mapped to, else the filed value, counted as unknown. */
	word(field: string, filed: string | null, knownWords: KnownWords): string | null {
		if (knownWords.has(foldCase(filed))) return filed;
		const mapped = this.#mapped.get(wordKey(field, filed ?? ""));
		if (mapped !== undefined && knownWords.has(foldCase(mapped.means))) {
			this.#countMapped(mapped);
			return mapped.means;
		}
		this.unknown(field, filed ?? "");
		return filed;
	}

	/** Returns a standard technology. Unknown parts of the text are read as mapped, or else counted as unknown. */
	technology(field: string, read: (mapped: Record<string, string>) => StandardTechnology): string {
		const { typeStd, unknown, mapped } = this.technologyOf(field, read);
		for (const part of unknown) this.unknown(field, part);
		for (const one of mapped) this.#countMapped(one);
		return typeStd;
	}

	/** Like `technology`, without counting. `read` receives the mapped values, in lower case, as the operator's own values. */
	technologyOf(
		field: string,
		read: (mapped: Record<string, string>) => StandardTechnology,
	): StandardTechnology & { mapped: MappedWord[] } {
		const plain = read({});
		const found = plain.unknown.flatMap((part) => {
			const mapped = this.#mapped.get(wordKey(field, part));
			return mapped === undefined ? [] : [{ part, mapped }];
		});
		const mapped = [...new Set(found.map((one) => one.mapped))];
		if (mapped.length === 0) return { ...plain, mapped };
		// Keyed by the spelling in this file, which may differ from the mapped word in case or by an asterisk.
		const means = found.map(({ part, mapped }) => [part.toLowerCase().trim(), mapped.means]);
		return { ...read(Object.fromEntries(means)), mapped };
	}

	#countMapped(mapped: MappedWord): void {
		const entry = this.#readWords.get(mapped.id) ?? { ...mapped, count: 0 };
		entry.count++;
		this.#readWords.set(mapped.id, entry);
	}

	parsed(rest: Pick<ParsedFile, "publishedOn" | "savedAgain" | "stillListed">): ParsedFile {
		return {
			...rest,
			rowsIn: this.rowsIn,
			unknownColumns: [...new Set(this.#headed.flatMap((table) => table.leftovers()))],
			requests: this.kept,
			dropped: this.dropped,
			unknownValues: this.unknownValues,
			...(this.#readWords.size > 0 && { mappedWords: [...this.#readWords.values()] }),
			...(this.#tables.length > 0 && { tables: this.#tables }),
		};
	}
}

export const withoutOrigins = ({ origins: _, ...request }: FiledRequest): Omit<FiledRequest, "origins"> => request;

/** `name`: in the spelling of `headerKey`. @throws StructureError if the workbook lacks the sheet */
export function sheetNamed(sheets: readonly Table[], name: string): Table {
	const found = sheets.find((sheet) => headerKey(sheet.name) === name);
	if (found === undefined) throw new StructureError(`the workbook has no sheet "${name}"`);
	return found;
}

/** Returns the rows with a filled cell, because spreadsheets end with empty rows. */
export function dataRows({ rows }: { rows: Cell[][] }): Cell[][] {
	return rows.filter((row) => row.some((cell) => text(cell) !== null));
}

/** Whether a row has more filled cells than any note or legend, and so belongs to the list, even if its number is missing or garbled. */
export const isListRow = (row: readonly Cell[]): boolean => row.filter((cell) => text(cell) !== null).length >= 4;

/** A published column without a field, stored in `raw` under `header`, whichever of `names` the layout uses. */
export interface Extra {
	header: string;
	names?: readonly string[];
	kind: "text" | "number" | "date";
}

/**
 * Reads `FiledRequest.raw`: the extras in one spelling, so that "12.50" in CSV and 12.5 in JSON are equal, then every
 * unclaimed cell as filed. Links to documents are omitted.
 */
function rawReader(table: HeadedTable, extras: readonly Extra[]): (row: Cell[]) => Record<string, string> {
	const columns = extras.map((extra) => ({ ...extra, at: table.column(extra.header, ...(extra.names ?? [])) }));
	return (row) => {
		const raw = new Map<string, string>();
		for (const { header, kind, at } of columns) {
			const value = at < 0 ? null : normalizeCell(row[at], kind);
			if (value !== null) raw.set(header, value);
		}
		for (const [header, value] of Object.entries(table.raw(row))) {
			if (known(value) !== null && !/^https?:\/\//i.test(value)) raw.set(header, value);
		}
		return Object.fromEntries(raw);
	};
}

function normalizeCell(cell: Cell, kind: Extra["kind"]): string | null {
	if (kind === "date") return date(cell) ?? known(cell);
	if (kind === "number") return number(cell)?.toString() ?? known(cell);
	return known(cell);
}

const wordKey = (field: string, word: string): string => `${field}\n${foldCase(word)}`;

/** Normalizes a value of a vocabulary for comparison, like a header: without regard to case and white space. */
export function foldCase(value: string | null): string {
	return value === null ? "" : headerKey(value);
}
