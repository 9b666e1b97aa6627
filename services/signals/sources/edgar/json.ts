/** Checks on EDGAR's JSON answers, which are unchecked until read here. Pure. */
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";

export type JsonObject = Record<string, unknown>;

/** The answer as an object. Throws `StructureError` when it is cut, a page, or anything but one JSON object. */
export function readJsonObject(bytes: Uint8Array, name: string): JsonObject {
	const source = decodeText(bytes, name);
	let body: unknown;
	try {
		body = JSON.parse(source);
	} catch {
		throw new StructureError(`${name}: is not well-formed JSON: the file is cut or another kind of answer`);
	}
	if (!isObject(body)) throw new StructureError(`${name}: is no JSON object`);
	return body;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text that a value states, trimmed; a number counts (EDGAR writes some both ways). Null for everything else and for blank text. */
export function stated(value: unknown): string | null {
	if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
	if (typeof value !== "string") return null;
	const trimmed = value.trim();
	return trimmed === "" ? null : trimmed;
}
