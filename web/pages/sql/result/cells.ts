/** Values of results. Types are those of DuckDB. */
import { safeText } from "../../../lib/text/format.ts";
import type { Cell, Column } from "../run.ts";

const numeric = /^(U?(TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\b.*)$/;

export const isNumeric = ({ type }: Pick<Column, "type">): boolean => numeric.test(type);
export const isTime = ({ type }: Pick<Column, "type">): boolean => /^(DATE|TIMESTAMP.*)$/.test(type);

/** The name of a column with its unit. */
export const titleOf = (column: Pick<Column, "name" | "unit"> | undefined): string => {
	const name = safeText(column?.name ?? "", 60);
	return column?.unit == null ? name : `${name} (${column.unit})`;
};

/** Nested values as JSON; NULL as the empty text. */
export const textOf = (cell: Cell): string => {
	if (cell === null) return "";
	return typeof cell === "object" ? JSON.stringify(cell) : String(cell);
};

/** NaN if the cell is not a number. */
export const numberOf = (cell: Cell | undefined): number =>
	typeof cell === "number" || (typeof cell === "string" && cell !== "") ? Number(cell) : Number.NaN;

/** Seconds since 1970 of a day or moment (UTC); NaN if the cell is neither. */
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
