/** Runs a statement by the interface's own operation, on the visitor's account or as anyone without a key. */

import type { Reply } from "#libs/contract/index.ts";
import { answerAs, Failure } from "../../lib/api/request.ts";
import type { Statement } from "./statement.ts";

/** Numbers that a browser cannot hold exactly are their text. */
export type Cell = string | number | boolean | null | object;
export type Meta = Reply<"runQuery">["meta"];
export type Column = Meta["columns"][number];

export interface Result {
	statement: Statement;
	columns: Column[];
	/** In the order of `columns`. */
	rows: Cell[][];
	meta: Meta;
	/** From the request to the whole answer. */
	ms: number;
	/** What is left of the caller's limits, as the answer says (RateLimit). */
	left: string | undefined;
}

/** @throws Failure */
export async function run(statement: Statement, key: string | undefined, signal: AbortSignal): Promise<Result> {
	const { sql, database } = statement;
	const began = performance.now();
	const answer = await answerAs("/query", { method: "POST", body: { sql, database }, key, signal });
	const text = await answer.text().catch((error: unknown) => {
		if (signal.aborted) throw error;
		throw new Failure("The answer broke off.");
	});
	const { data, meta } = JSON.parse(text, exact) as Reply<"runQuery">;
	const names = meta.columns.map(({ name }) => name);
	return {
		statement,
		columns: meta.columns,
		rows: data.map((row) => names.map((name) => row[name] as Cell)),
		meta,
		ms: performance.now() - began,
		left: answer.headers.get("ratelimit") ?? undefined,
	};
}

/** Browsers that do not pass the source of a number keep the nearest one. */
const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
	typeof value === "number" && context?.source !== undefined && String(value) !== context.source
		? context.source
		: value;

export interface Place {
	/** From 1. */
	line: number;
	/** From 1, in characters. */
	column: number;
}

const placed = /\(line (\d+), column (\d+)\)$/;

/** Where in the statement an error is, as its message says it. */
export function placeOf(message: string): Place | undefined {
	const [, line, column] = placed.exec(message) ?? [];
	return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** The message with its place in the text as it was typed: the interface counts without the white space before it. */
export function asTyped(message: string, typed: string): string {
	const place = placeOf(message);
	if (place === undefined) return message;
	const before = typed.slice(0, typed.length - typed.trimStart().length).split("\n");
	const line = place.line + before.length - 1;
	const column = place.column + (place.line === 1 ? (before.at(-1) ?? "").length : 0);
	return message.replace(placed, `(line ${line}, column ${column})`);
}

/** The offset of a place in a text. */
export function offsetOf(text: string, { line, column }: Place): number {
	const lines = text.split("\n");
	const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
	const inLine = [...(lines[line - 1] ?? "")].slice(0, column - 1).join("").length;
	return Math.min(text.length, before + inLine);
}

const windows: Record<string, string> = { minute: "this minute", month: "this month", hour: "this hour" };

/** `"minute";r=4;t=31` in words. */
export function leftInWords(header: string): string {
	const parts = [...header.matchAll(/"(\w+)";r=(\d+)/g)].map(
		([, name = "", left = ""]) => `${Number(left).toLocaleString("en-US")} ${windows[name] ?? `in this ${name}`}`,
	);
	return parts.join(", ");
}
