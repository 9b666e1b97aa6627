/** Accounts for every row of a source: dropped rows and left-out values under a reason, within bounds. Pure. */

import type { Dropped, Parsed } from "../domain/parsed.ts";
import { clip } from "./fields.ts";

/** A `Parsed` that also says which values of kept records were not believed. */
export interface ParsedWithNotes<T> extends Parsed<T> {
	notes: Dropped[];
}

const maxExamples = 5;
/** Reasons quote the file's values (a form type): beyond this many, the rest is counted together. */
const maxReasons = 200;

export class Account {
	rowsIn = 0;
	readonly #dropped = new Map<string, Dropped>();
	readonly #notes = new Map<string, Dropped>();

	/** A row becomes no record; `example` finds it: an accession number, a line. */
	drop(reason: string, example: string, count = 1): void {
		add(this.#dropped, reason, count, [example]);
	}

	/** A kept record lacks a value that was filed. */
	note(reason: string, example: string): void {
		add(this.#notes, reason, 1, [example]);
	}

	parsed<T>(records: T[]): ParsedWithNotes<T> {
		return {
			rowsIn: this.rowsIn,
			records,
			dropped: [...this.#dropped.values()],
			notes: [...this.#notes.values()],
		};
	}
}

/** Several sources' results as one. */
export function joinParsed<T>(parts: readonly ParsedWithNotes<T>[]): ParsedWithNotes<T> {
	const dropped = new Map<string, Dropped>();
	const notes = new Map<string, Dropped>();
	for (const part of parts) {
		for (const { reason, count, examples } of part.dropped) add(dropped, reason, count, examples);
		for (const { reason, count, examples } of part.notes) add(notes, reason, count, examples);
	}
	return {
		rowsIn: parts.reduce((sum, { rowsIn }) => sum + rowsIn, 0),
		records: parts.flatMap(({ records }) => records),
		dropped: [...dropped.values()],
		notes: [...notes.values()],
	};
}

function add(groups: Map<string, Dropped>, reason: string, count: number, examples: readonly string[]): void {
	const key = groups.has(reason) || groups.size < maxReasons ? clip(reason, 200) : "other reasons";
	const group = groups.get(key) ?? { reason: key, count: 0, examples: [] };
	group.count += count;
	for (const example of examples) {
		if (group.examples.length < maxExamples) group.examples.push(clip(example, 200));
	}
	groups.set(key, group);
}
