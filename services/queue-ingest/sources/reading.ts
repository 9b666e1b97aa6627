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

/** How many cells of a row hold something: notes and legends fill one or two. */
export function filledCells(row: readonly Cell[]): number {
	return row.filter((cell) => text(cell) !== null).length;
}

/** Wider than any note or legend: a row of the list, even where its number is missing or garbled. */
export const dataRowCells = 4;
