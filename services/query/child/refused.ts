/** Errors for statements that do not run, with a message for the caller. */
import type { Database } from "#libs/contract/databases.ts";

export class Refused extends Error {
	override name = "Refused";

	/** @param location in the statement, as `locationOf` formats it; empty if unknown. */
	constructor(reason: string, location = "") {
		super(`${reason}${location}`);
	}
}

/** The statement names a database that is not loaded yet. */
export class NotLoaded extends Error {
	readonly database: Database;

	constructor(database: Database) {
		super(`the database ${database} is not loaded`);
		this.database = database;
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
