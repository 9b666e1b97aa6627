/** Collects the rows that a reader keeps and drops, so that every row is stored or reported with a reason. Pure. */
import type { HeadedTable, Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import type { DatasetFile } from "./dataset.ts";
import type { Dropped } from "./source.ts";

const maxExamples = 5;

/** Reasons with the number of their rows, and at most five labels to find them in the file. */
export class RowNotes {
	readonly #notes = new Map<string, Dropped>();

	add(reason: string, label: string | null, count = 1, fault?: "malformed"): void {
		const note = this.#notes.get(reason) ?? {
			reason,
			count: 0,
			examples: [],
			...(fault && { malformed: true as const }),
		};
		note.count += count;
		if (label !== null && note.examples.length < maxExamples) note.examples.push(label.slice(0, 80));
		this.#notes.set(reason, note);
	}

	get all(): Dropped[] {
		return [...this.#notes.values()];
	}
}

type Unknown = DatasetFile["unknownValues"][number];

/** `rowsIn` = rows that were kept + the sum of `dropped`. */
export class RowAccount<T> {
	readonly kept: T[] = [];
	readonly #dropped = new RowNotes();
	readonly #unknown = new Map<string, Unknown>();
	#rows = 0;

	keep(...records: T[]): void {
		this.#rows++;
		this.kept.push(...records);
	}

	/** Drops a data row; `label` identifies it in the file. Many malformed rows mean a broken file. */
	drop(reason: string, label: string | null, fault?: "malformed"): void {
		this.#rows++;
		this.#dropped.add(reason, label, 1, fault);
	}

	dropSheet({ name, rows }: Table, reason: string): void {
		const count = rows.filter((row) => row.some((cell) => text(cell) !== null)).length;
		if (count === 0) return;
		this.#rows += count;
		this.#dropped.add(reason, name, count);
	}

	/** Counts a value that is kept as filed. `note` explains a value that is not simply outside the known vocabulary. */
	unknown(field: string, value: string, note?: string): void {
		const key = `${field}\n${value}`;
		const entry = this.#unknown.get(key) ?? { field, value, count: 0, ...(note !== undefined && { note }) };
		entry.count++;
		this.#unknown.set(key, entry);
	}

	/** Returns the dataset file without its edition. Call it after all columns of the table are claimed. */
	file(table: HeadedTable) {
		const { rowsIn, kept, dropped, unknownValues } = this;
		return { rowsIn, rows: kept, dropped, unknownValues, unknownColumns: table.leftovers() };
	}

	get rowsIn(): number {
		return this.#rows;
	}

	get dropped(): Dropped[] {
		return this.#dropped.all;
	}

	get unknownValues(): Unknown[] {
		return [...this.#unknown.values()];
	}
}
