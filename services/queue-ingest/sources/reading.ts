/** Records what an adapter reads in the sheets of one workbook, so that every row is accounted for. Pure. */

import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, text } from "#libs/files/values.ts";
import { Collector } from "./collector.ts";
import type { MappedWord } from "./vocabulary.ts";

export class Reading {
	readonly found: Collector;
	readonly #unknownColumns = new Set<string>();
	#rows = 0;

	constructor(mapped: readonly MappedWord[] = []) {
		this.found = new Collector(mapped);
	}

	countRow(): void {
		this.#rows++;
	}

	noteLeftovers(table: HeadedTable): void {
		for (const header of table.leftovers()) this.#unknownColumns.add(header);
	}

	parsed(publishedOn: string | null) {
		return this.found.parsed({ publishedOn, rowsIn: this.#rows, unknownColumns: [...this.#unknownColumns] });
	}
}

/** Number of filled cells of a row: notes and legends have one or two. */
export function countFilledCells(row: readonly Cell[]): number {
	return row.filter((cell) => text(cell) !== null).length;
}

/** A row with at least this many filled cells is a row of the list, not a note or a legend, even if its number is missing or garbled. */
export const dataRowCells = 4;
