/** Converts cells as operators write them to the few types that fields of requests have. Pure. */

/** A spreadsheet, CSV, JSON or XML cell. Dates of a spreadsheet are UTC midnights of the day shown. */
export type Cell = string | number | boolean | Date | null | undefined;

/** Values that operators write for a blank cell, in lower case. MISO writes the last two for a blank owner and a blank station. */
const blanks = new Set("|-|--|n/a|na|#n/a|nan|null|none|tbd|not specified|unknown|gridunity|other_".split("|"));

/** Trimmed text with runs of white space (line breaks, typographic spaces) and control characters collapsed; null if nothing remains. */
export function text(cell: Cell): string | null {
	if (cell === null || cell === undefined) return null;
	const raw = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell);
	const clean = raw.replace(/[\s\p{Cc}\u200b\ufeff]+/gu, " ").trim();
	return clean === "" ? null : clean;
}

/** Like `text`, but also null for values that stand for a blank cell (N/A, TBD, Not Specified, -). */
export function known(cell: Cell): string | null {
	const value = text(cell);
	return value === null || blanks.has(value.toLowerCase()) ? null : value;
}

/** A finite number, with or without thousands separators; null if the cell is not one. */
export function number(cell: Cell): number | null {
	if (typeof cell === "number") return Number.isFinite(cell) ? cell : null;
	const value = known(cell)?.replace(/,(?=\d{3}\b)/g, "");
	if (value === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value)) return null;
	const parsed = Number(value);
	return Number.isFinite(parsed) ? parsed : null;
}

/** Megawatts above zero, rounded to three decimals. Operators write zero or a negative number if there is no capacity. */
export function megawatts(cell: Cell): number | null {
	const value = number(cell);
	return value !== null && value > 0 && value < 100_000 ? Math.round(value * 1000) / 1000 : null;
}

export const monthNames = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * The day in a cell, as `YYYY-MM-DD`. Reads spreadsheet dates, Excel serials, ISO (the date part, whatever the offset),
 * `m/d/yyyy`, `m-d-yyyy`, `12-2033` and `12/2024` (first of the month), `15-Jan-25` (two digits: 1970 to 2069). Years before 1950 and after 2100 are
 * sentinels (1900-01-01) or typing errors: null.
 */
export function date(cell: Cell): string | null {
	if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? null : checkDay(cell.toISOString().slice(0, 10));
	if (typeof cell === "number") return cell > 18_264 && cell < 73_051 ? checkDay(fromSerial(cell)) : null;
	const value = known(cell);
	if (value === null) return null;
	let match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(value);
	if (match) return checkDay(day(match[1], match[2], match[3]));
	match = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})(?:[ T].*)?$/.exec(value);
	if (match) return checkDay(day(century(match[3]), match[1], match[2]));
	match = /^(\d{1,2})[/-](\d{4})$/.exec(value);
	if (match) return checkDay(day(match[2], match[1], "1"));
	match = /^(?:(\d{1,2})[- ])?([A-Za-z]{3})[a-z]*[- ,]+(\d{4}|\d{2})$/.exec(value);
	if (match) {
		const month = monthNames.indexOf((match[2] ?? "").toLowerCase()) + 1;
		return month === 0 ? null : checkDay(day(century(match[3]), String(month), match[1] ?? "1"));
	}
	return null;
}

function fromSerial(serial: number): string {
	return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * 86_400_000).toISOString().slice(0, 10);
}

function century(year: string | undefined): string {
	if (year?.length !== 2) return year ?? "";
	return Number(year) >= 70 ? `19${year}` : `20${year}`;
}

function day(year: string | undefined, month: string | undefined, dayOfMonth: string | undefined): string {
	return `${year}-${(month ?? "").padStart(2, "0")}-${(dayOfMonth ?? "").padStart(2, "0")}`;
}

function checkDay(iso: string): string | null {
	const parsed = new Date(`${iso}T00:00:00Z`);
	if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== iso) return null;
	const year = parsed.getUTCFullYear();
	return year >= 1950 && year <= 2100 ? iso : null;
}
