/** The error for a statement that is refused, with a message for the caller. */

export class Refused extends Error {
	override name = "Refused";

	/** @param location in the statement, as `locationOf` formats it; empty if unknown. */
	constructor(reason: string, location = "") {
		super(`${reason}${location}`);
	}
}

/** Formats a byte offset of the statement as ` (line 1, column 8)`; columns count characters. Empty for an offset out of range. */
export function locationOf(sql: string, byte: number): string {
	const bytes = Buffer.from(sql);
	if (byte < 0 || byte > bytes.length) return "";
	const before = bytes.subarray(0, byte).toString();
	const lines = before.split("\n");
	return ` (line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1})`;
}
