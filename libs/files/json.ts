/** Reads JSON, and a JSON array of flat records as a table. Pure. */

import { decodeText } from "./decode.ts";
import { StructureError } from "./structure-error.ts";
import type { Table } from "./table.ts";
import type { Cell } from "./values.ts";

/**
 * Returns a table whose header is the union of the records' keys. The cell of a key that a record lacks is null.
 * @throws StructureError unless the body is a JSON array of objects
 */
export function readJsonRecords(bytes: Uint8Array, name: string): Table {
	const records = parseArray(decodeText(bytes, name), name);
	const columns = new Map<string, number>();
	const rows: Cell[][] = [];
	for (const [index, record] of records.entries()) {
		if (typeof record !== "object" || record === null || Array.isArray(record)) {
			throw new StructureError(`${name}: element ${index + 1} is not an object`);
		}
		const row: Cell[] = [];
		for (const [key, value] of Object.entries(record)) {
			const at = columns.get(key) ?? columns.size;
			columns.set(key, at);
			row[at] = toCell(value);
		}
		rows.push(row);
	}
	for (const row of rows) for (let at = 0; at < columns.size; at++) row[at] ??= null;
	return { name, rows: [[...columns.keys()], ...rows], firstRow: 0 };
}

/** @throws StructureError for anything but well-formed JSON */
export function parseJson(source: string, name: string): unknown {
	try {
		return JSON.parse(source);
	} catch {
		throw new StructureError(`${name}: is not well-formed JSON: the file is truncated or of another kind`);
	}
}

function parseArray(source: string, name: string): unknown[] {
	const body = parseJson(source, name);
	if (!Array.isArray(body)) throw new StructureError(`${name}: is not a JSON array`);
	return body;
}

function toCell(value: unknown): Cell {
	if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
		return value;
	return JSON.stringify(value);
}
