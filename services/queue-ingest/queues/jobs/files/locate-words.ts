/** Locates unknown values in their list. Pure. */
import type { UnknownValue } from "../../../sources/source.ts";

interface FiledRow {
	number: string;
	filed?: Record<string, string> | null;
}

/** Maximum unknown values to search for inside cells, because a list whose columns moved has thousands of them. */
const maxRemaining = 50;

/** Adds to each value the column and the request (`example`) where it first occurs: as a whole cell, else inside one. */
export function locateValues(unknown: readonly UnknownValue[], rows: readonly FiledRow[]): UnknownValue[] {
	const locations = new Map<string, Required<Pick<UnknownValue, "column" | "example">>>();
	const values = new Set(unknown.map(({ value }) => value.toLowerCase()).filter((value) => value !== ""));
	if (values.size > 0)
		for (const { cell, column, example } of cellsOf(rows))
			if (values.has(cell) && !locations.has(cell)) locations.set(cell, { column, example });
	const remaining = [...values].filter((value) => !locations.has(value)).slice(0, maxRemaining);
	if (remaining.length > 0)
		for (const { cell, column, example } of cellsOf(rows))
			for (const value of remaining)
				if (!locations.has(value) && cell.includes(value)) locations.set(value, { column, example });
	return unknown.map((one) => ({ ...one, ...locations.get(one.value.toLowerCase()) }));
}

function* cellsOf(rows: readonly FiledRow[]) {
	for (const { number: example, filed } of rows)
		for (const [column, cell] of Object.entries(filed ?? {}))
			yield { cell: cell.toLowerCase().trim(), column, example };
}
