/** Locates unknown values in their list. Pure. */
import type { UnknownValue } from "../../../sources/source.ts";

interface FiledRow {
	number: string;
	filed?: Record<string, string> | null;
}

/** Most unknown values to search for inside cells: a list whose columns moved has thousands of them. */
const maxSearched = 50;

/** Adds to each value the column and the request (`example`) where it first occurs: as a whole cell, else inside one. */
export function locateValues(unknown: readonly UnknownValue[], rows: readonly FiledRow[]): UnknownValue[] {
	const found = new Map<string, Required<Pick<UnknownValue, "column" | "example">>>();
	const values = new Set(unknown.map(({ value }) => value.toLowerCase()).filter((value) => value !== ""));
	if (values.size > 0)
		for (const { cell, column, example } of cellsOf(rows))
			if (values.has(cell) && !found.has(cell)) found.set(cell, { column, example });
	const searched = [...values].filter((value) => !found.has(value)).slice(0, maxSearched);
	if (searched.length > 0)
		for (const { cell, column, example } of cellsOf(rows))
			for (const value of searched)
				if (!found.has(value) && cell.includes(value)) found.set(value, { column, example });
	return unknown.map((one) => ({ ...one, ...found.get(one.value.toLowerCase()) }));
}

function* cellsOf(rows: readonly FiledRow[]) {
	for (const { number: example, filed } of rows)
		for (const [column, cell] of Object.entries(filed ?? {}))
			yield { cell: cell.toLowerCase().trim(), column, example };
}
