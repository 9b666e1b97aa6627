/** Helpers for the layouts of the operators' lists. */
import type { Table } from "#libs/files/table.ts";
import type { Cell } from "#libs/files/values.ts";
import { workbook } from "../file-formats.ts";
import type { QueueRow, QueueStatus } from "../queue-files.ts";

export type County = readonly [county: string, state: string];
export type Writer = (rows: readonly QueueRow[], publishedOn: string) => Promise<{ name: string; bytes: Buffer }>;

export interface Layout {
	number: (n: number) => string;
	statuses: readonly QueueStatus[];
	places: readonly [County, ...County[]];
	/** Writers by the layout's name, the usual one first. */
	files: Record<string, Writer>;
}

export type Record_ = Record<string, Cell>;

export const padded = (n: number, width: number) => String(n).padStart(width, "0");
export const day = (iso: string | null) => (iso === null ? null : new Date(`${iso}T00:00:00Z`));
/** `7/20/2026`. */
export const slashed = (iso: string | null) => {
	const [year, month, dayOfMonth] = (iso ?? "").split("-").map(Number);
	return iso === null ? "" : `${month}/${dayOfMonth}/${year}`;
};
export const when = (row: QueueRow, ...statuses: QueueStatus[]) => (statuses.includes(row.status) ? row.ended : null);

/** Header and rows; every record has the keys of the first. */
export function grid(records: readonly Record_[], headers: readonly string[]): Cell[][] {
	return [[...headers], ...records.map((record) => headers.map((header) => record[header] ?? null))];
}

/** A sheet whose banner stands above the header. */
export function sheet(name: string, banner: Cell[][], records: readonly Record_[], headers: readonly string[]): Table {
	return { name, rows: [...banner, ...grid(records, headers)] };
}

export const list = (headers: string) => headers.split(/,\s+/);

export const xlsx =
	(name: string, sheets: (rows: readonly QueueRow[], publishedOn: string) => Table[]): Writer =>
	async (rows, publishedOn) => ({ name, bytes: await workbook(sheets(rows, publishedOn)) });
export const plain =
	(name: string, write: (rows: readonly QueueRow[], publishedOn: string) => Buffer): Writer =>
	async (rows, publishedOn) => ({ name, bytes: write(rows, publishedOn) });
