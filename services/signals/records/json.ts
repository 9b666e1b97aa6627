/** Reads JSON from third parties. Pure. */
import { decodeText } from "#libs/files/decode.ts";
import { parseJson } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";

export type JsonObject = Record<string, unknown>;

/** @throws StructureError unless the bytes are one complete JSON object */
export function readJsonObject(bytes: Uint8Array, name: string): JsonObject {
	const body = parseJson(decodeText(bytes, name), name);
	if (!isObject(body)) throw new StructureError(`${name}: is not a JSON object`);
	return body;
}

export function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value as trimmed text; null if blank. EDGAR writes some values as strings in one file and as numbers in another. */
export function trimmedText(value: unknown): string | null {
	if (typeof value === "number") return Number.isFinite(value) ? String(value) : null;
	if (typeof value !== "string") return null;
	const trimmed = value.trim();
	return trimmed === "" ? null : trimmed;
}
