/** Which list a file is of: by its name or its first lines, which is a cheap look; else by the sheets of a workbook, in another thread. */
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { IncomingFile } from "../../../sources/archive.ts";
import type { Feed, ListGroup, RawFile, Source } from "../../../sources/source.ts";
import { sourceOf, sources, sourcesOf } from "../../sources/index.ts";

/** The list of `region` that the file is of. Throws `StructureError` that says what it looks like instead. */
export async function recognise(region: ListGroup, file: IncomingFile): Promise<Source> {
	const candidates = sourcesOf(region);
	const tooLarge = candidates.every((source) => file.bytes.length > source.maxBytes);
	if (tooLarge) throw new StructureError(`${file.name}: ${file.bytes.length} bytes are no file of ${region}`);
	const named = candidates.find((candidate) => candidate.recognises(file));
	if (named !== undefined) return named;
	const found = await recogniseContent(file);
	if (found !== undefined && candidates.includes(found)) return found;
	const what = found === undefined ? kindOf(file.bytes) : `it is of ${found.title}`;
	throw new StructureError(`${file.name}: not recognised as a file of ${region} (${what})`);
}

/** The list that the content shows, whatever the file is called; undefined where it shows none. Throws `StructureError` where it shows two. */
export async function recogniseContent(file: RawFile): Promise<Source | undefined> {
	const found = isZip(file.bytes)
		? (await lookInto(file)).map(sourceOf)
		: sources.filter((source) => source.recognises(file));
	const fitting = found.filter((source) => file.bytes.length <= source.maxBytes);
	if (fitting.length > 1) {
		const titles = fitting.map(({ title }) => title).join(" and of ");
		throw new StructureError(`${file.name}: could be of ${titles}: name one with --region`);
	}
	return fitting[0];
}

/** The list of a file of which nothing is known: by its content, else by its name, whose reader then says what is wrong. */
export async function recogniseAny(file: RawFile): Promise<Source | undefined> {
	return (await recogniseContent(file)) ?? sources.find((source) => source.recognises(file));
}

/** A workbook that cannot be read is of no list. */
async function lookInto({ name, bytes }: RawFile): Promise<Feed[]> {
	try {
		return await readInThread<Feed[]>(new URL("./recognise-worker.ts", import.meta.url), name, { name, bytes });
	} catch (error) {
		if (error instanceof StructureError) return [];
		throw error;
	}
}

/** Describes an unexpected file, for the error message. */
function kindOf(bytes: Uint8Array): string {
	const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
	if (bytes.length === 0) return "it is empty";
	if (head.startsWith("<!doctype html") || head.startsWith("<html")) return "it is an HTML page";
	if (head.startsWith("pk")) return "a zip archive";
	if (head.startsWith("{") || head.startsWith("[")) return "JSON";
	return head.startsWith("<") ? "XML" : "text or unknown";
}
