import type { ListFormat } from "#libs/contract/vocabulary.ts";
import { isZip } from "#libs/files/archive.ts";

/** By the first bytes of a file that could be read. Workbooks are archives, also within another one. Pure. */
export function formatOf(bytes: Uint8Array): ListFormat {
	if (isZip(bytes)) return "workbook";
	const [first] = new TextDecoder().decode(bytes.subarray(0, 256)).trim();
	if (first === "<") return "xml";
	return first === "{" || first === "[" ? "json" : "csv";
}
