/** Describes the structure of a list's file: its tables, and the kinds of values in each column. Pure. */
import { hash } from "node:crypto";
import type { Reply } from "#libs/contract/index.ts";
import type { ListFormat, ValueKind } from "#libs/contract/vocabulary.ts";
import { headerKey } from "#libs/files/table.ts";
import { type Cell, known } from "#libs/files/values.ts";
import type { ReadTable } from "../filed-cells.ts";

export type TableStructure = Reply<"getSourceContracts">["data"][number]["sheets"][number];
export type ColumnStructure = TableStructure["columns"][number];

export interface ListStructure {
	format: ListFormat;
	/** Empty if the adapter does not report where its rows are. */
	tables: TableStructure[];
}

const codedFields = ["kind", "type", "status", "service", "study_phase_filed", "ia_status_filed"];
/** Maximum distinct words of a coded column. A column with more is free text. */
const maxWords = 60;
const maxWordLength = 80;
/** Maximum columns that are described. No operator's list has half as many. */
const maxColumns = 300;

export function structureOf(tables: readonly ReadTable[]): TableStructure[] {
	return tables.map((table) => {
		const rows = [...table.cells().values()].filter((row) => row.some((cell) => known(cell) !== null));
		const fieldsOf = (at: number) =>
			Object.entries(table.fields).flatMap(([field, { columns }]) => (columns.includes(at) ? [field] : []));
		const coded = new Set(codedFields.flatMap((field) => table.fields[field]?.columns ?? []));
		const columns = table.headers.slice(0, maxColumns).flatMap((header, at) => {
			if (header === "") return [];
			const cells = rows.map((row) => row[at] ?? null);
			return [describeColumn(header, cells, { fields: fieldsOf(at), isCoded: coded.has(at) })];
		});
		return { sheet: table.sheet, rows: rows.length, columns };
	});
}

function describeColumn(
	header: string,
	cells: Cell[],
	{ fields, isCoded }: { fields: string[]; isCoded: boolean },
): ColumnStructure {
	const kinds: ColumnStructure["kinds"] = {};
	const words = new Set<string>();
	let filled = 0;
	for (const cell of cells) {
		const stated = known(cell);
		if (stated === null) continue;
		filled++;
		const kind = kindOf(cell, stated);
		kinds[kind] = (kinds[kind] ?? 0) + 1;
		if (isCoded && words.size <= maxWords) words.add(stated.slice(0, maxWordLength));
	}
	return {
		header: header.slice(0, 200),
		fields,
		filled: cells.length === 0 ? 0 : Math.round((filled / cells.length) * 10_000) / 10_000,
		kinds,
		words: isCoded && words.size <= maxWords ? [...words].sort() : null,
	};
}

/** A number or day written as text is of a different kind than a workbook cell with a number or day. */
function kindOf(cell: Cell, stated: string): ValueKind {
	if (typeof cell === "number") return "number";
	if (cell instanceof Date) return "day";
	if (/^[-+]?[\d,]*\.?\d+$/.test(stated)) return "number_as_text";
	return /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$/.test(stated) ? "day_as_text" : "text";
}

/** Returns the same hash for files with the same sheets and headers, regardless of their spelling. */
export function layoutHash(tables: readonly TableStructure[]): string {
	const headers = tables.map(({ sheet, columns }) => [
		headerKey(sheet),
		columns.map(({ header }) => headerKey(header)),
	]);
	return hash("sha256", JSON.stringify(headers), "hex");
}
