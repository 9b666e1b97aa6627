/** Decodes published text files. Pure. */
import { StructureError } from "./structure-error.ts";

/** The whole file as text, without a byte order mark. @throws StructureError for an empty or binary file, or an HTML page */
export function decodeText(bytes: Uint8Array, name: string): string {
	if (bytes.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (bytes.includes(0)) throw new StructureError(`${name}: contains NUL bytes, so it is not a text file`);
	const decoded = decodeUtf8(bytes, name);
	if (isHtml(decoded)) throw new StructureError(`${name}: is an HTML page, not the list`);
	return decoded;
}

/** The whole file as text. Throws `StructureError` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new StructureError(`${name}: is not UTF-8 text`);
	}
}

/** The first bytes as lower-case text, to recognise the kind of file. Never throws. */
export function peek(bytes: Uint8Array, length = 16_384): string {
	return new TextDecoder("utf-8").decode(bytes.subarray(0, length)).toLowerCase();
}

/** Whether a text begins like an HTML page: bot protection and error pages arrive in place of a list. */
export function isHtml(start: string): boolean {
	return /^\s*<(!doctype\s+html|html|head|body)\b/i.test(start.slice(0, 1024));
}
