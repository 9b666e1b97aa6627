/** A statement that is not run, or that failed, with a sentence for the caller. */

export class Refused extends Error {
	override name = "Refused";

	/** @param place where in the statement, as `placeOf` writes it; empty where that is not known. */
	constructor(why: string, place = "") {
		super(`${why}${place}`);
	}
}

/** ` (line 1, column 8)` of a byte of the statement; columns count characters. Empty where there is no such byte. */
export function placeOf(sql: string, byte: number): string {
	const bytes = Buffer.from(sql);
	if (byte < 0 || byte > bytes.length) return "";
	const before = bytes.subarray(0, byte).toString();
	const lines = before.split("\n");
	return ` (line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1})`;
}
