/** Runs statements by POST /query, with the visitor's key if there is one. */

import type { Reply } from "#libs/contract/index.ts";
import { Failure, fetchAs } from "../../lib/api/request.ts";
import type { Statement } from "./statement.ts";

/** A value of a result. Numbers that JavaScript cannot represent exactly are strings. */
export type Cell = string | number | boolean | null | object;
export type Meta = Reply<"runQuery">["meta"];
export type Column = Meta["columns"][number];

export interface Result {
	statement: Statement;
	columns: Column[];
	/** Cells in the order of `columns`. */
	rows: Cell[][];
	meta: Meta;
	/** Time until the whole response was read (ms). */
	ms: number;
	/** The response's header `RateLimit`. */
	left: string | undefined;
}

/** Runs a statement and reads the result. @throws Failure */
export async function run(statement: Statement, key: string | undefined, signal: AbortSignal): Promise<Result> {
	const { sql, database } = statement;
	const began = performance.now();
	const response = await fetchAs("/query", { method: "POST", body: { sql, database }, key, signal });
	const text = await response.text().catch((error: unknown) => {
		if (signal.aborted) throw error;
		throw new Failure("The response was cut off.");
	});
	const { data, meta } = JSON.parse(text, parseExactNumber) as Reply<"runQuery">;
	const names = meta.columns.map(({ name }) => name);
	return {
		statement,
		columns: meta.columns,
		rows: data.map((row) => names.map((name) => row[name] as Cell)),
		meta,
		ms: performance.now() - began,
		left: response.headers.get("ratelimit") ?? undefined,
	};
}

/** Returns the source text of a number that would be rounded. Browsers that do not pass the source text round the number. */
const parseExactNumber = (_name: string, value: unknown, context?: { source?: string }): unknown =>
	typeof value === "number" && context?.source !== undefined && String(value) !== context.source
		? context.source
		: value;

export interface Position {
	/** Counted from 1. */
	line: number;
	/** Counted in characters, from 1. */
	column: number;
}

const positionPattern = /\(line (\d+), column (\d+)\)$/;

/** The position of an error in the statement, read from the error's message. */
export function errorPosition(message: string): Position | undefined {
	const [, line, column] = positionPattern.exec(message) ?? [];
	return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** Corrects the position in a message, because the API ignores leading white space when it counts. */
export function adjustPosition(message: string, typed: string): string {
	const position = errorPosition(message);
	if (position === undefined) return message;
	const before = typed.slice(0, typed.length - typed.trimStart().length).split("\n");
	const line = position.line + before.length - 1;
	const column = position.column + (position.line === 1 ? (before.at(-1) ?? "").length : 0);
	return message.replace(positionPattern, `(line ${line}, column ${column})`);
}

export function offsetOf(text: string, { line, column }: Position): number {
	const lines = text.split("\n");
	const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
	const inLine = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
	return Math.min(text.length, before + inLine);
}

const windows: Record<string, string> = { minute: "this minute", month: "this month", hour: "this hour" };

/** Describes a header such as `"minute";r=4;t=31` in words. */
export function describeRateLimit(header: string): string {
	const parts = [...header.matchAll(/"(\w+)";r=(\d+)/g)].map(
		([, name = "", left = ""]) => `${Number(left).toLocaleString("en-US")} ${windows[name] ?? `in this ${name}`}`,
	);
	return parts.join(", ");
}
