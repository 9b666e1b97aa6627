/** Decodes published text files. Pure. */
import { StructureError } from "./structure-error.ts";

/** The whole file as text, without a byte order mark. Throws `StructureError` for an empty, binary or HTML answer. */
export function decodeText(bytes: Uint8Array, name: string): string {
	if (bytes.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (bytes.includes(0)) throw new StructureError(`${name}: holds NUL bytes, so it is not a text file`);
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

/** The first bytes as lower-case text, for recognising a file: never throws, whatever the bytes are. */
export function peek(bytes: Uint8Array, length = 16_384): string {
	return new TextDecoder("utf-8").decode(bytes.subarray(0, length)).toLowerCase();
}

/** Whether a text begins like a page: bot protection and error pages come in place of a list. */
export function isHtml(start: string): boolean {
	return /^\s*<(!doctype\s+html|html|head|body)\b/i.test(start.slice(0, 1024));
}
