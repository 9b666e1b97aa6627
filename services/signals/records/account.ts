/** Accounts for every row of a source: counts dropped rows and omitted values by reason. Pure. */
import { clip } from "./fields.ts";
import type { Dropped, Parsed } from "./records.ts";

const maxExamples = 5;
/** Maximum reasons counted separately. There may be many, because reasons contain values from the file (a form type). */
const maxReasons = 200;

export class Account {
	rowsIn = 0;
	readonly #dropped = new Map<string, Dropped>();
	readonly #notes = new Map<string, Dropped>();

	/** Counts a dropped row. `example` identifies it: an accession number, a line. */
	drop(reason: string, example: string, count = 1): void {
		add(this.#dropped, { reason, count, examples: [example] });
	}

	/** Counts a value that was omitted from a record, without dropping the record. */
	note(reason: string, example: string): void {
		add(this.#notes, { reason, count: 1, examples: [example] });
	}

	finish<T>(records: T[]): Parsed<T> {
		const [dropped, notes] = [[...this.#dropped.values()], [...this.#notes.values()]];
		return { rowsIn: this.rowsIn, records, dropped, notes };
	}
}

export function joinParsed<T>(parts: readonly Parsed<T>[]): Parsed<T> {
	const dropped = new Map<string, Dropped>();
	const notes = new Map<string, Dropped>();
	for (const part of parts) {
		for (const group of part.dropped) add(dropped, group);
		for (const group of part.notes) add(notes, group);
	}
	return {
		rowsIn: parts.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
		records: parts.flatMap(({ records }) => records),
		dropped: [...dropped.values()],
		notes: [...notes.values()],
	};
}

function add(groups: Map<string, Dropped>, { reason, count, examples }: Dropped): void {
	const clipped = clip(reason, 200);
	const key = groups.has(clipped) || groups.size < maxReasons ? clipped : "other reasons";
	const group = groups.get(key) ?? { reason: key, count: 0, examples: [] };
	group.count += count;
	for (const example of examples) {
		if (group.examples.length < maxExamples) group.examples.push(clip(example, 200));
	}
	groups.set(key, group);
}
