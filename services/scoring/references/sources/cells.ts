/** Reads cells of reference lists. Spreadsheets store FIPS codes as text, or as numbers without their leading zeros. Pure. */
import type { HeadedTable } from "#libs/files/table.ts";
import { type Cell, date, monthNames, text } from "#libs/files/values.ts";

/** Returns the rows below the header that are not empty, with their row numbers in the sheet. */
export const filledRows = ({ rows, headerIndex }: HeadedTable): { row: Cell[]; file_row: number }[] =>
	rows
		.map((row, at) => ({ row, file_row: headerIndex + at + 2 }))
		.filter(({ row }) => row.some((cell) => text(cell) !== null));

/** Restores leading zeros up to `length` digits. Returns null if the cell is not a whole number of `minLength` to `length` digits. */
export function parseCode(cell: Cell, length: number, minLength = 1): string | null {
	const value = typeof cell === "number" && !Number.isSafeInteger(cell) ? null : text(cell)?.replace(/\.0$/, "");
	if (value === undefined || value === null || !/^\d+$/.test(value)) return null;
	return value.length >= minLength && value.length <= length ? value.padStart(length, "0") : null;
}

/** Returns the eleven digits of a census tract; null if the cell does not contain one. Only the state's leading zero may be missing. */
export const parseTract = (cell: Cell): string | null => parseCode(cell, 11, 10);

/** Returns the day (`YYYY-MM-DD`) of a date or of a text such as `Jan. 1, 2023`; null for anything else. */
export function parseDay(cell: Cell): string | null {
	const [, month = "", dayOfMonth = "", year = ""] =
		/^([A-Za-z]{3})[a-z]*\.?\s+(\d{1,2}),\s*(\d{4})$/.exec(text(cell) ?? "") ?? [];
	const at = monthNames.indexOf(month.toLowerCase());
	if (at < 0) return date(cell);
	const iso = `${year}-${String(at + 1).padStart(2, "0")}-${dayOfMonth.padStart(2, "0")}`;
	const parsed = new Date(`${iso}T00:00:00Z`);
	return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(iso) ? iso : null;
}
