/**
 * Turns DuckDB's errors into errors for the caller. The text of parsing and planning errors is passed on, because it concerns only the statement.
 * Errors during execution may quote the data ("Unknown TimeZone 'x'"), which callers pay for: only their kind is passed on, even if DuckDB reports
 * them with the type of a planning error.
 */
import type { Database } from "#libs/contract/databases.ts";
import { dayErrors } from "./macros.ts";

/** Thrown if the statement was not run. The message tells the caller the reason. */
export class Refused extends Error {
	override name = "Refused";

	/** @param location position in the statement, as `locationOf` formats it; empty if unknown. */
	constructor(reason: string, location = "") {
		super(`${reason}${location}`);
	}
}

/** Thrown if the statement names a database that is not loaded yet. */
export class NotLoaded extends Error {
	readonly database: Database;

	constructor(database: Database) {
		super(`the database ${database} is not loaded`);
		this.database = database;
	}
}

/** Thrown if the statement ran and failed because of its own content. It is charged like a successful one. */
export class Failed extends Error {
	override name = "Failed";
}

interface DuckDBError {
	exception_type: string;
	exception_message: string;
	position?: string;
}

/** Types of DuckDB's errors that concern the statement itself. */
const statementErrors = new Set(["Parser", "Syntax", "Binder", "Catalog", "Not implemented"]);

/** Message for a statement that exceeded DuckDB's memory limit or that of its process. */
export const outOfMemory = "out_of_memory: the statement needed more memory than a statement may use";

/** Messages for errors during execution, by DuckDB's type. */
const failures = new Map([
	["Conversion", "a value could not be converted to the requested type: try_cast(x as type) gives NULL there"],
	["Out of Range", "a number is out of the range of its type"],
	["Divide by Zero", "division by zero"],
	["Mismatch Type", "a value does not have the requested type"],
	["Out of Memory", outOfMemory],
	["Invalid Input", "a function does not accept one of its arguments"],
	["Not implemented", "a function does not support one of its arguments, such as an unknown time zone"],
	["INTERRUPT", "timed_out: the statement was ended"],
]);

/** Messages for errors that DuckDB's types do not distinguish, by a pattern of DuckDB's text. */
const messagesByText: [RegExp, string][] = [
	[/bad_?alloc|bad allocation|allocation failure/i, outOfMemory],
	[/More than one row returned by a subquery/, "more than one row returned by a subquery used as an expression"],
	[/Maximum recursion depth|expression depth/i, "the statement is nested too deeply"],
];

/** Explains an error. @returns Refused if the statement is wrong, Failed if it failed while it ran; undefined for an internal error. */
export function explain(error: unknown, sql: string): Refused | Failed | undefined {
	if (error instanceof Refused || error instanceof Failed) return error;
	const duckError = parseError(error);
	if (duckError === undefined || !statementErrors.has(duckError.exception_type)) return explainRun(error);
	const location = duckError.position === undefined ? "" : locationOf(sql, Number(duckError.position));
	return new Refused(messageByText(duckError) ?? firstSentence(duckError.exception_message), location);
}

/** Explains an error that was raised while the statement ran. @returns undefined for an internal error. */
export function explainRun(error: unknown): Failed | undefined {
	if (error instanceof Failed) return error;
	if (error instanceof RangeError || /string longer than/.test(String(error)))
		return new Failed("out_of_memory: a value is longer than a result may be");
	const duckError = parseError(error);
	if (duckError === undefined) return undefined;
	const { exception_type: type, exception_message: message } = duckError;
	if (dayErrors.test(message)) return new Failed(message);
	return new Failed(messageByText(duckError) ?? failures.get(type) ?? "the statement failed while it ran");
}

const messageByText = ({ exception_message: message }: DuckDBError): string | undefined =>
	messagesByText.find(([pattern]) => pattern.test(message))?.[1];

function parseError(error: unknown): DuckDBError | undefined {
	const message = error instanceof Error ? error.message : String(error);
	const json = message.slice(Math.max(0, message.indexOf("{")));
	try {
		const parsed = JSON.parse(json) as Partial<DuckDBError>;
		if (typeof parsed.exception_type === "string" && typeof parsed.exception_message === "string")
			return parsed as DuckDBError;
	} catch {
		// Some errors are plain text: "Binder Error: ...".
	}
	const [, type, text = ""] = /^(?:[\w ]*: )?([A-Z][\w ]*?) Error: ([\s\S]*)$/.exec(message) ?? [];
	return type === undefined ? undefined : { exception_type: type, exception_message: text };
}

/** Removes DuckDB's list of candidate functions and the quoted line of the statement, which the location replaces. */
function firstSentence(message: string): string {
	const [head = ""] = message.split("\n\nLINE ");
	const lines = head.split("\n").map((line) => line.trim());
	const end = lines.findIndex((line) => /^Candidate functions/.test(line));
	const sentence = lines.slice(0, end < 0 ? 3 : end).filter((line) => line !== "");
	return sentence.join(" ").slice(0, 500);
}

/** Formats a byte offset in the statement as ` (line 1, column 8)`; columns count characters. Empty if the offset is out of range. */
export function locationOf(sql: string, byte: number): string {
	const bytes = Buffer.from(sql);
	if (byte < 0 || byte > bytes.length) return "";
	const textBefore = bytes.subarray(0, byte).toString();
	const lines = textBefore.split("\n");
	return ` (line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1})`;
}
