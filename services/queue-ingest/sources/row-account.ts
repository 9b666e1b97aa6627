/** Gathers what a reader makes of the rows of a table, so that every row is stored or reported with a reason. Pure. */

/** Something said of rows, with at most five labels to find them in the file. */
export interface RowNote {
	reason: string;
	count: number;
	examples: string[];
}

const maxExamples = 5;

export class RowNotes {
	readonly #notes = new Map<string, RowNote>();

	add(reason: string, label: string | null, count = 1): void {
		const note = this.#notes.get(reason) ?? { reason, count: 0, examples: [] };
		note.count += count;
		if (label !== null && note.examples.length < maxExamples) note.examples.push(label.slice(0, 80));
		this.#notes.set(reason, note);
	}

	get all(): RowNote[] {
		return [...this.#notes.values()];
	}
}

/** `rowsIn` = rows that were kept + the sum of `dropped`. */
export class RowAccount<T> {
	readonly kept: T[] = [];
	readonly #dropped = new RowNotes();
	#rows = 0;

	/** A data row that is stored. */
	keep(...records: T[]): void {
		this.#rows++;
		this.kept.push(...records);
	}

	/** A data row (or `count` of them) that is not. */
	drop(reason: string, label: string | null, count = 1): void {
		this.#rows += count;
		this.#dropped.add(reason, label, count);
	}

	get rowsIn(): number {
		return this.#rows;
	}

	get dropped(): RowNote[] {
		return this.#dropped.all;
	}
}
