/** What is said to a caller whose statement is not run, and where in the text it is. */
import { type AppError, badRequest } from "#libs/contract/errors.ts";

/** Of a node of the parser's: bytes from 0. Of an error: characters from 1. */
export type Place = { byte: number } | { character: number };

/** `sentence (line 1, column 15)`. */
export function refusal(sentence: string, sql: string, place?: Place): AppError {
	if (place === undefined) return badRequest(sentence);
	const before = textBefore(sql, place).split("\n");
	return badRequest(`${sentence} (line ${before.length}, column ${[...(before.at(-1) ?? "")].length + 1})`);
}

function textBefore(sql: string, place: Place): string {
	if ("byte" in place) return Buffer.from(sql).subarray(0, place.byte).toString();
	return [...sql].slice(0, place.character - 1).join("");
}

export const notAllowed = (what: string): string =>
	`only one SELECT that reads the views of the database is run: ${what} is not allowed`;
