/** A result as a file. */
import { textOf } from "./cells.ts";
import type { Cell, Column, Result } from "./run.ts";

/** RFC 4180, as the interface writes it: NULL is empty, an empty text is `""`. */
export function csvOf({ columns, rows }: Pick<Result, "rows"> & { columns: Pick<Column, "name">[] }): string {
	const lines = [columns.map(({ name }) => quoted(name)), ...rows.map((row) => row.map(csvCell))];
	return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const csvCell = (cell: Cell): string => (cell === null ? "" : quoted(textOf(cell)));

const quoted = (text: string): string =>
	/[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;

/** The rows as objects. */
export const jsonOf = ({ columns, rows }: Pick<Result, "columns" | "rows">): string =>
	`[\n${rows
		.map((row) => JSON.stringify(Object.fromEntries(columns.map(({ name }, place) => [name, row[place]]))))
		.join(",\n")}\n]\n`;

export function save(name: string, mediaType: string, text: string): void {
	const address = URL.createObjectURL(new Blob([text], { type: mediaType }));
	const link = Object.assign(document.createElement("a"), { href: address, download: name });
	link.click();
	// The download has begun, but has not read it yet.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
