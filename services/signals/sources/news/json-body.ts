/** JSON answers of news interfaces, which may be sentences or pages instead. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";

/** Characters of an answer that is no JSON which the operator gets to read. */
const maxQuote = 200;

/**
 * The JSON object of an answer. Control characters in strings (raw line breaks), a byte order mark and single
 * backslashes that escape nothing are forgiven, bytes that are no UTF-8 replaced. Throws `StructureError` with the
 * supplier's words for a sentence or page instead of JSON (GDELT's errors arrive with HTTP 200), and for JSON that is
 * cut or no object.
 */
export function readJsonObject(bytes: Uint8Array, name: string): Record<string, unknown> {
	const body = new TextDecoder().decode(bytes).replace(/\p{Cc}/gu, " ");
	const start = body.trimStart();
	if (start === "") throw new StructureError(`${name}: the answer is empty`);
	if (!start.startsWith("{")) throw new StructureError(`${name}: no JSON but "${quoted(start)}"`);
	const parsed = parse(start) ?? parse(start.replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi, escaped));
	if (parsed === undefined) throw new StructureError(`${name}: is not well-formed JSON: the answer is cut`);
	if (!isObject(parsed)) throw new StructureError(`${name}: is no JSON object`);
	return parsed;
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The string under this key; null for any other type. */
export function stringAt(row: Record<string, unknown>, key: string): string | null {
	const value = row[key];
	return typeof value === "string" ? value : null;
}

function parse(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

function escaped(match: string): string {
	return match === "\\" ? "\\\\" : match;
}

/** The beginning of an answer as plain words, without tags. */
function quoted(answer: string): string {
	const words = answer.slice(0, 4_000).replace(/<[^<>]*>/g, " ");
	return words.replace(/\s+/g, " ").trim().slice(0, maxQuote);
}
