/** What PostgreSQL says about a caller's statement, for the caller: its message and the place, nothing about what is inside. */

import { queryLimits } from "#libs/contract/databases.ts";
import { AppError, badRequest, unavailable } from "#libs/contract/errors.ts";
import { isDatabaseAway } from "../away.ts";
import { refusal } from "./refusal.ts";

export interface Origin {
	/** The caller's text. */
	sql: string;
	/** Where the statement begins in it (characters). */
	offset: number;
	/** Characters that stand before the statement in the text that was run. */
	before: number;
}

/** Syntax and names, data, cardinality, features, limits of a program. */
const theirs = /^(42|22|21|0A|54|2F|39)/;

/** Also where it is not PostgreSQL that says so. */
export const tookTooLong = (): AppError => badRequest(tooLongWords);
const tooLongWords = `the statement took longer than ${queryLimits.timeoutMs / 1_000} s: filter, join on keys, or ask for less`;

const limitWords: Readonly<Record<string, string>> = {
	"57014": tooLongWords,
	"53400": "the statement needs more temporary space than is given to one: filter, or sort and group less",
	"53200": "the statement needs more memory than is given to one: filter, or collect less",
	"42501": "the statement is not allowed: it may read the views of the database and nothing else",
	"25006": "the statement is not allowed: it may read and nothing else",
};

/** An AppError where the statement is to blame; otherwise the error as it is. */
export function forCaller(error: unknown, { sql, offset, before }: Origin): unknown {
	if (error instanceof AppError || !(error instanceof Error) || !("code" in error)) return error;
	const code = String(error.code);
	const words = limitWords[code];
	if (words !== undefined) return badRequest(words);
	if (code === "55P03" || code === "40001" || code === "40P01")
		return unavailable("the data is being changed: try again");
	if (isDatabaseAway(error) || !theirs.test(code)) return error;
	const at = "position" in error ? Number(error.position) - before : Number.NaN;
	const place = at >= 1 ? { character: at + offset } : undefined;
	return refusal(plain(error.message), sql, place);
}

/** Views are spoken of without their schema. */
const plain = (message: string): string => message.replace(/\bquery_\w+\./g, "").slice(0, 500);
