/** Reads GDELT's Global Knowledge Graph 2.1: a bulk file every 15 minutes, with one web page per line. Pure. */
import { isUtf8 } from "node:buffer";
import { inflateArchive, isZip } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { ArticleRows } from "./article-rows.ts";
import { parseCompactTime } from "./moments.ts";

/** The files are tab-separated, without a header (GKG codebook 2.1). */
const columnCount = 27;
const column = {
	date: 1,
	collection: 2,
	url: 4,
	organizations: 13,
	organizationsWithOffsets: 14,
	extras: 26,
};

/** A file is about 13 MB uncompressed; one of 2015 was 40 MB. */
const limits = { maxInflatedBytes: 128 * 1024 * 1024, maxEntries: 4 };
/** Maximum bytes. The longest known rows take a quarter of a megabyte. */
const maxRowBytes = 4 * 1024 * 1024;
const maxOrganizations = 100;
const maxOrganizationLength = 200;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads `YYYYMMDDHHMMSS.gkg.csv.zip` or the CSV file in it. `publishedAt` is the time of publication in the page if GDELT found one,
 * otherwise the time of the row.
 * @throws StructureError if the archive is damaged or of another kind, or the file ends within a line
 */
export async function readGkg(bytes: Uint8Array, name: string): Promise<Parsed<Article>> {
	const content = isZip(bytes)
		? await extractFile(bytes, name)
		: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	if (content.length > limits.maxInflatedBytes)
		throw new StructureError(`${name}: is larger than ${limits.maxInflatedBytes} bytes`);
	if (content.length === 0) throw new StructureError(`${name}: the file is empty`);
	if (content.at(-1) !== lineFeed)
		throw new StructureError(`${name}: the last line is incomplete: the file is truncated`);
	const rows = new ArticleRows();
	let line = 0;
	for (let start = 0; start < content.length; ) {
		const end = content.indexOf(lineFeed, start);
		line++;
		const row = content.subarray(start, content[end - 1] === carriageReturn && end > start ? end - 1 : end);
		if (row.length > 0) readRow(row, `line ${line}`, rows);
		start = end + 1;
	}
	return rows.finish();
}

async function extractFile(bytes: Uint8Array, name: string): Promise<Buffer> {
	const { entries } = await inflateArchive(bytes, (entry) => /\.gkg\.csv$/i.test(entry), limits);
	const [content] = entries.values();
	if (!content) throw new StructureError(`${name}: the archive contains no .gkg.csv`);
	return content;
}

/** Decodes only the cells that it reads: they are a tenth of a row. */
function readRow(row: Buffer, location: string, rows: ArticleRows): void {
	const ends = findColumnEnds(row);
	const cell = (index: number) => cellText(row.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index]));
	if (row.length > maxRowBytes) rows.drop(`row longer than ${maxRowBytes} bytes`, location);
	else if (ends.length !== columnCount) rows.drop(`row does not have ${columnCount} columns`, location);
	else if (cell(column.collection) !== "1")
		rows.drop("the source is not a web page", `${location}: collection ${cell(column.collection)}`);
	else {
		const extras = cell(column.extras);
		const stated = {
			url: cell(column.url),
			title: findElement(extras, "PAGE_TITLE"),
			publishedAt: readPublishedAt(extras, cell(column.date)),
			source: "GDELT GKG",
			organizations: organizationsOf(cell(column.organizationsWithOffsets), cell(column.organizations)),
		};
		rows.add(stated, location);
	}
}

/** Returns where the row's columns end: one end more than `columnCount` if the row has too many columns. */
function findColumnEnds(row: Buffer): number[] {
	const ends: number[] = [];
	for (let at = row.indexOf(tab); at >= 0 && ends.length < columnCount; at = row.indexOf(tab, at + 1)) ends.push(at);
	return [...ends, row.length];
}

/** A column with stray Latin-1 bytes is read as windows-1252, to preserve "Ørsted". */
const cellText = (bytes: Buffer): string =>
	isUtf8(bytes) ? bytes.toString("utf8") : new TextDecoder("windows-1252").decode(bytes);

/** Returns the content of the first `<TAG>` in the column Extras, which is not well-formed XML. */
function findElement(extras: string, tag: string): string | null {
	const open = extras.indexOf(`<${tag}>`);
	if (open < 0) return null;
	const start = open + tag.length + 2;
	const end = extras.indexOf(`</${tag}>`, start);
	return end < 0 ? null : extras.slice(start, end);
}

/** Ignores the page's time if it is later than the row's: the page has a wrong clock or no time zone. */
function readPublishedAt(extras: string, fileStamp: string): string | null {
	const seen = parseCompactTime(fileStamp);
	const stated = parseCompactTime(findElement(extras, "PAGE_PRECISEPUBTIMESTAMP") ?? "");
	return stated !== null && seen !== null && stated <= seen ? stated : seen;
}

/** Prefers `Name,offset;Name,offset`, which preserves the case of names, to the older `name;name`. */
function organizationsOf(withOffsets: string, withoutOffsets: string): string[] {
	const names =
		withOffsets === ""
			? withoutOffsets.split(";")
			: withOffsets.split(";").map((mention) => mention.slice(0, Math.max(mention.lastIndexOf(","), 0)));
	const uniqueNames = new Set(names.map((name) => name.trim()).filter((name) => name !== ""));
	return [...uniqueNames].filter((name) => name.length <= maxOrganizationLength).slice(0, maxOrganizations);
}
