/** Plain text for a terminal: text of third parties (a name, an address) cannot control it. */

type Value = unknown;

/** Columns under their names, as wide as their widest value. */
export function printTable(columns: readonly string[], rows: readonly Record<string, Value>[]): string {
	const lines = [columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))];
	const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
	return lines
		.map((line) =>
			line
				.map((cell, at) => cell.padEnd(widths[at] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

/** One line a field; null fields are omitted. */
export function printFields(fields: Record<string, Value>): string {
	const known = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
	const width = Math.max(...known.map(([name]) => name.length));
	return known.map(([name, value]) => `${name.padEnd(width)}  ${textOf(value)}`).join("\n");
}

/** Control and direction characters become a question mark. */
const textOf = (value: Value): string => String(value ?? "").replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");
