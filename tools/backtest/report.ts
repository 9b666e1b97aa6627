/** Tables in plain text. Pure. */
import type { Interval } from "./statistics.ts";

/** First column to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
	const lines = [head, ...rows];
	const widths = head.map((_, at) => Math.max(...lines.map((cells) => (cells[at] ?? "").length)));
	return lines
		.map((cells) => cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))))
		.map((cells) => `  ${cells.join("  ").trimEnd()}`)
		.join("\n");
}

export const section = (title: string, ...parts: readonly string[]): string =>
	`${title}\n${"-".repeat(title.length)}\n${parts.join("\n")}\n`;

/** Three decimals; a dash where there is nothing to measure. */
export const decimals = (value: number | null | undefined): string =>
	value === null || value === undefined ? "-" : value.toFixed(3);

export const percent = (part: number, whole: number): string =>
	whole === 0 ? "-" : `${Math.round((100 * part) / whole)} %`;

export const signed = (value: number): string => `${value < 0 ? "" : "+"}${value.toFixed(3)}`;

export const range = (interval: Interval | null): string =>
	interval === null ? "-" : `${signed(interval.low)} to ${signed(interval.high)}`;
