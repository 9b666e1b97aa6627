/** Locates unknown words in their list. Pure. */
import type { UnknownValue } from "../../../sources/source.ts";

interface FiledRow {
	number: string;
	filed?: Record<string, string> | null;
}

/** Limit of words that are searched for within cells: a list whose columns moved has thousands of unknown words. */
const mostParts = 50;

/** Gives each word the column and the request (`example`) where it first occurs: as a whole cell, else as part of one. */
export function locateWords(unknown: readonly UnknownValue[], rows: readonly FiledRow[]): UnknownValue[] {
	const found = new Map<string, Required<Pick<UnknownValue, "column" | "example">>>();
	const words = new Set(unknown.map(({ value }) => value.toLowerCase()).filter((word) => word !== ""));
	if (words.size > 0)
		for (const { cell, column, example } of cellsOf(rows))
			if (words.has(cell) && !found.has(cell)) found.set(cell, { column, example });
	const parts = [...words].filter((word) => !found.has(word)).slice(0, mostParts);
	if (parts.length > 0)
		for (const { cell, column, example } of cellsOf(rows))
			for (const word of parts) if (!found.has(word) && cell.includes(word)) found.set(word, { column, example });
	return unknown.map((one) => ({ ...one, ...found.get(one.value.toLowerCase()) }));
}

function* cellsOf(rows: readonly FiledRow[]) {
	for (const { number: example, filed } of rows)
		for (const [column, cell] of Object.entries(filed ?? {}))
			yield { cell: cell.toLowerCase().trim(), column, example };
}
