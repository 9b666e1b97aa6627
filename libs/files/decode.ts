/** Decodes published text files. Pure. */
import { StructureError } from "./structure-error.ts";

/** Decodes the whole file, without its byte order mark. @throws StructureError if the file is empty, binary or an HTML page */
export function decodeText(bytes: Uint8Array, name: string): string {
	if (bytes.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (bytes.includes(0)) throw new StructureError(`${name}: contains NUL bytes, so it is not a text file`);
	const decoded = decodeUtf8(bytes, name);
	if (isHtml(decoded)) throw new StructureError(`${name}: is an HTML page, not the list`);
	return decoded;
}

/** Decodes the whole file. @throws StructureError if the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, name: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new StructureError(`${name}: is not UTF-8 text`);
	}
}

/** Decodes the first bytes as lower-case text, to recognize the kind of file. Never throws. */
export function peek(bytes: Uint8Array, length = 16_384): string {
	return new TextDecoder("utf-8").decode(bytes.subarray(0, length)).toLowerCase();
}

/** Whether a text begins like an HTML page, such as an error page or bot protection that was sent instead of a list. */
export function isHtml(start: string): boolean {
	return /^\s*<(!doctype\s+html|html|head|body)\b/i.test(start.slice(0, 1024));
}
