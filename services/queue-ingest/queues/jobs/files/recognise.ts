/** Finds the list to which a file belongs: first by its name or first lines, which is fast, else by a workbook's sheets, in a worker thread. */
import { isZip } from "#libs/files/archive.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { IncomingFile } from "../../../sources/archive.ts";
import type { Feed, ListGroup, RawFile, Source } from "../../../sources/source.ts";
import { sourceOf, sources, sourcesOf } from "../../sources/index.ts";

/** Returns the list of `region` that the file belongs to. Throws `StructureError` with a description of the file if there is none. */
export async function recognise(region: ListGroup, file: IncomingFile): Promise<Source> {
	const candidates = sourcesOf(region);
	const maxBytes = Math.max(...candidates.map((source) => source.maxBytes));
	if (file.bytes.length > maxBytes)
		throw new StructureError(
			`${file.name}: ${file.bytes.length} bytes exceed the limit for a file of ${region} (${maxBytes})`,
		);
	const sourceByName = candidates.find((candidate) => candidate.recognises(file));
	if (sourceByName !== undefined) return sourceByName;
	const sourceByContent = await recogniseContent(file);
	if (sourceByContent !== undefined && candidates.includes(sourceByContent)) return sourceByContent;
	const description =
		sourceByContent === undefined ? describeBytes(file.bytes) : `it is a file of ${sourceByContent.title}`;
	throw new StructureError(`${file.name}: not recognized as a file of ${region} (${description})`);
}

/** Finds the list by the file's content alone; undefined if no list fits. Throws `StructureError` if two lists fit. */
export async function recogniseContent(file: RawFile): Promise<Source | undefined> {
	const found = isZip(file.bytes)
		? (await feedsByContent(file)).map(sourceOf)
		: sources.filter((source) => source.recognises(file));
	const fitting = found.filter((source) => file.bytes.length <= source.maxBytes);
	if (fitting.length > 1) {
		const titles = fitting.map(({ title }) => title).join(", ");
		throw new StructureError(`${file.name} matches several lists (${titles}): choose one with --region`);
	}
	return fitting[0];
}

/** Finds the list by content, else by name, so that its adapter can report what is wrong with the file. */
export async function recogniseAny(file: RawFile): Promise<Source | undefined> {
	return (await recogniseContent(file)) ?? sources.find((source) => source.recognises(file));
}

/** Returns an empty list if the workbook cannot be read. */
async function feedsByContent({ name, bytes }: RawFile): Promise<Feed[]> {
	try {
		return await readInThread<Feed[]>(new URL("./recognise-worker.ts", import.meta.url), name, { name, bytes });
	} catch (error) {
		if (error instanceof StructureError) return [];
		throw error;
	}
}

function describeBytes(bytes: Uint8Array): string {
	const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512)).trimStart().toLowerCase();
	if (bytes.length === 0) return "it is empty";
	if (head.startsWith("<!doctype html") || head.startsWith("<html")) return "it is an HTML page";
	if (head.startsWith("pk")) return "it is a zip archive";
	if (head.startsWith("{") || head.startsWith("[")) return "it is JSON";
	return head.startsWith("<") ? "it is XML" : "it is text or of an unknown format";
}
