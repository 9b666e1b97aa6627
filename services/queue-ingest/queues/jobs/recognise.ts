/** Which list a file is of. A cheap look: reading it is another thread's work. */
import { StructureError } from "#libs/files/structure-error.ts";
import type { IncomingFile } from "../../sources/archive.ts";
import type { ListGroup, Source } from "../../sources/source.ts";
import { sourcesOf } from "../sources/index.ts";

/** The list of `region` that the file is of. Throws `StructureError` that says what it looks like instead. */
export function recognise(region: ListGroup, file: IncomingFile): Source {
	const candidates = sourcesOf(region);
	const tooLarge = candidates.every((source) => file.bytes.length > source.maxBytes);
	if (tooLarge) throw new StructureError(`${file.name}: ${file.bytes.length} bytes are no file of ${region}`);
	const source = candidates.find((candidate) => candidate.recognises(file));
	if (source === undefined)
		throw new StructureError(`${file.name}: not recognised as a file of ${region} (${kindOf(file.bytes)})`);
	return source;
}

/** What a file that is not the expected one looks like, for the reason. */
function kindOf(bytes: Uint8Array): string {
	const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
	if (bytes.length === 0) return "it is empty";
	if (head.startsWith("<!doctype html") || head.startsWith("<html")) return "it is an HTML page";
	if (head.startsWith("pk")) return "a zip archive";
	if (head.startsWith("{") || head.startsWith("[")) return "JSON";
	return head.startsWith("<") ? "XML" : "text or unknown";
}
