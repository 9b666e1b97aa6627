/** Interprets cells of results by their DuckDB types. */
import { safeText } from "../../../lib/text/format.ts";
import type { Cell, Column, Result } from "../run.ts";

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\b.*)$/;

export const isNumeric = ({ type }: Pick<Column, "type">): boolean => numeric.test(type);
export const isTime = ({ type }: Pick<Column, "type">): boolean => /^(DATE|TIMESTAMP.*)$/.test(type);

/** Whether a column is an axis rather than values, judging by its name. */
const isYear = ({ name }: Pick<Column, "name">): boolean =>
	/^(year|month|quarter|week|hour|day|date)(_|$)|_(year|month)$/i.test(name);

const coded = /(^|_)(id|lat|lon|lng|latitude|longitude|fips|code|zip|seq|version)(_\d+)?$/i;

/** Whether the column's numbers are quantities rather than coordinates or identifiers. */
export const isMeasure = (column: Pick<Column, "name" | "type">): boolean =>
	isNumeric(column) && !isYear(column) && !coded.test(column.name);

/** Whether a chart makes sense before columns are chosen: the result has quantities, and one other column whose values all differ. */
export function isChartable({ columns, rows }: Pick<Result, "columns" | "rows">): boolean {
	const [along, ...others] = columns.flatMap((column, place) => (isMeasure(column) ? [] : [place]));
	if (along === undefined || others.length > 0 || columns.length < 2 || rows.length < 2) return false;
	return new Set(rows.map((row) => textOf(row[along] ?? null))).size === rows.length;
}

/** Whether the column's values are ids of requests. */
export const isRequestId = ({ name, source }: Pick<Column, "name" | "source">): boolean =>
	name === "project_id" || /^master\.(projects|active_requests)\.id$/.test(source ?? "");

/** The name of a column with its unit. */
export const titleOf = (column: Pick<Column, "name" | "unit"> | undefined): string => {
	const name = safeText(column?.name ?? "", 60);
	return column?.unit == null ? name : `${name} (${column.unit})`;
};

/** The cell as text: nested values as JSON, NULL as an empty string. */
export const textOf = (cell: Cell): string => {
	if (cell === null) return "";
	return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
};

/** The cell as a number; NaN if it is not a number. */
export const numberOf = (cell: Cell | undefined): number =>
	typeof cell === "number" || (typeof cell === "string" && cell !== "") ? Number(cell) : Number.NaN;

/** Seconds from 1970 to a day or time (UTC); NaN if the cell is neither. */
export const secondsOf = (cell: Cell | undefined): number => {
	if (typeof cell !== "string") return Number.NaN;
	return Date.parse(/T.*(Z|[+-]\d\d(:?\d\d)?)$/.test(cell) || !cell.includes("T") ? cell : `${cell}Z`) / 1_000;
};

/** Compares values by type; NULL and NaN come first. */
export function compare(column: Column): (one: Cell, other: Cell) => number {
	if (isNumeric(column)) return (one, other) => compareNumbers(numberOf(one), numberOf(other));
	return (one, other) => {
		if (one === null || other === null) return Number(one !== null) - Number(other !== null);
		return textOf(one).localeCompare(textOf(other), "en", { numeric: true });
	};
}

function compareNumbers(one: number, other: number): number {
	if (Number.isNaN(one) || Number.isNaN(other)) return Number(!Number.isNaN(one)) - Number(!Number.isNaN(other));
	return one - other;
}
