/** Does an answer say what the cells of the operator's file say? Pure. */
import type { FieldName } from "./fields.ts";

/** `unknown`: rightly unknown, for the cells are empty, or there is no such column. */
export type Verdict = "right" | "unknown" | "wrong";

/** Cells in the order in which a reader takes them; the first that says something is what the file says. */
export function verdictOf(field: FieldName, answer: string | number | null, cells: readonly string[]): Verdict {
	const stated = cells.find((cell) => says(field, cell));
	if (stated === undefined) return answer === null ? "unknown" : "wrong";
	if (answer === null) return "wrong";
	return same(field, String(answer), stated) ? "right" : "wrong";
}

const blanks = new Set([
	"",
	"-",
	"n/a",
	"na",
	"nan",
	"none",
	"null",
	"tbd",
	"unknown",
	"not specified",
	"not available",
	"i/s",
]);

function says(field: FieldName, cell: string): boolean {
	if (blanks.has(cell.toLowerCase())) return false;
	if (field === "capacity_mw") return Number(cell.replaceAll(",", "")) > 0;
	return !isDate(field) || dayOf(cell) !== null;
}

const isDate = (field: FieldName): boolean => field === "queue_date" || field === "cod" || field === "withdrawn_date";

function same(field: FieldName, answer: string, cell: string): boolean {
	if (field === "capacity_mw") return Math.abs(Number(answer) - Number(cell.replaceAll(",", ""))) < 0.01;
	// A month stands for a day of it.
	if (isDate(field)) return answer.startsWith(dayOf(cell) ?? "none");
	const [said, filed] = [plain(answer), plain(cell)];
	if (field === "county") return filed.includes(said.replace(/(county|parish)$/, "")) || towns.get(filed) === answer;
	if (field === "state") return filed === said || filed.startsWith(said) || stateNames[answer] === filed;
	// The operator's word stands in brackets where a withdrawal is filed beside it.
	if (field === "status") return said === filed || said === `withdrawn${filed}`;
	return said === filed;
}

/** Towns and boroughs among the counties, with the county of each: read by hand on a map. */
const towns = new Map([
	["manhattan", "New York"],
	["plattsmouth", "Cass"],
	["minco", "Grady"],
	["plankinton", "Aurora"],
]);

const stateNames: Record<string, string> = {
	TX: "texas",
	CA: "california",
	NV: "nevada",
	AZ: "arizona",
	NY: "newyork",
};

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** `YYYY-MM-DD`, or `YYYY-MM` where the cell names a month alone; null where it names neither. */
export function dayOf(cell: string): string | null {
	const [, iso] = /^(\d{4}-\d\d-\d\d)/.exec(cell) ?? [];
	if (iso !== undefined) return iso;
	const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d\d$)/.exec(cell) ?? [];
	if (year !== undefined) return `${year.padStart(4, "20")}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`;
	// A day that a workbook stores as a number.
	if (/^\d{5}$/.test(cell)) return new Date(Date.UTC(1899, 11, 30 + Number(cell))).toISOString().slice(0, 10);
	const [, only, of] = /^(\d{1,2})[/-](\d{4})$/.exec(cell) ?? [];
	return of === undefined ? null : `${of}-${only?.padStart(2, "0")}`;
}
