/** The notation of the invented lists: a table of the words that differ, a base for those that do not, and the changes of a day. */
import type { Cell } from "#libs/files/values.ts";

export type Row = Record<string, Cell>;

/** A list on two days, and how it is laid out. */
export interface SampleList {
	feed: string;
	/** The operator's own file name: workbooks are recognised by it. */
	name: string;
	yesterday: Row[];
	today: Row[];
	write(rows: Row[], day: { iso: string; isToday: boolean }): Buffer | Promise<Buffer>;
}

/** Rows of the columns named in the first line (several words in one name are joined by _), over what all of them have. */
export function rowsOf(base: Row, columns: string, values: Cell[][]): Row[] {
	const names = columns.split(/\s+/).map((name) => name.replaceAll("_", " "));
	return values.map((cells) => {
		if (cells.length > names.length) throw new Error(`too many cells: ${cells.join(", ")}`);
		return { ...base, ...Object.fromEntries(cells.map((cell, at) => [names[at] ?? "", cell])) };
	});
}

/** The next day's list: some rows say something else, some are gone, some are new. */
export function nextDay(
	rows: Row[],
	key: string,
	{ changed, gone = [], added = [] }: { changed: Record<string, Row>; gone?: string[]; added?: Row[] },
): Row[] {
	const numbers = new Set(rows.map((row) => String(row[key])));
	for (const number of [...Object.keys(changed), ...gone])
		if (!numbers.has(number)) throw new Error(`${number} was not listed`);
	const kept = rows.filter((row) => !gone.includes(String(row[key])));
	return [...kept.map((row) => ({ ...row, ...changed[String(row[key])] })), ...added];
}

/** Header and rows. */
export const grid = (headers: readonly string[], rows: readonly Row[]): Cell[][] => [
	[...headers],
	...rows.map((row) => headers.map((header) => row[header] ?? null)),
];

export const columns = (names: string): string[] => names.trim().split(/\s*,\s+/);

/** A date cell. */
export const day = (iso: string | null): Date | null => (iso === null ? null : new Date(`${iso}T00:00:00Z`));

/** `7/20/2026`. */
export function slashed(iso: Cell): string {
	const [, year, month, dayOfMonth] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(String(iso ?? "")) ?? [];
	return year === undefined ? "" : `${Number(month)}/${Number(dayOfMonth)}/${year}`;
}
