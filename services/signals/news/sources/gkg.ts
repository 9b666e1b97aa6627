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
/** Bytes. The longest known rows take a quarter of a megabyte. */
const maxRowBytes = 4 * 1024 * 1024;
const maxOrganizations = 100;
const maxOrganizationLength = 200;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads `YYYYMMDDHHMMSS.gkg.csv.zip` or the CSV file in it. `publishedAt` is the time that the page states if GDELT found one, otherwise
 * the row's.
 * @throws StructureError for a damaged archive, another archive, and a file that ends within a line
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
function readRow(row: Buffer, place: string, rows: ArticleRows): void {
	const ends = findColumnEnds(row);
	const cell = (index: number) => cellText(row.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, ends[index]));
	if (row.length > maxRowBytes) rows.drop(`row longer than ${maxRowBytes} bytes`, place);
	else if (ends.length !== columnCount) rows.drop(`row does not have ${columnCount} columns`, place);
	else if (cell(column.collection) !== "1")
		rows.drop("the source is not a web page", `${place}: collection ${cell(column.collection)}`);
	else {
		const extras = cell(column.extras);
		const stated = {
			url: cell(column.url),
			title: findElement(extras, "PAGE_TITLE"),
			publishedAt: readPublishedAt(extras, cell(column.date)),
			source: "GDELT GKG",
			organizations: organizationsOf(cell(column.organizationsWithOffsets), cell(column.organizations)),
		};
		rows.add(stated, place);
	}
}

/** Ends of the row's columns. A row with too many yields one more than `columnCount`. */
function findColumnEnds(row: Buffer): number[] {
	const ends: number[] = [];
	for (let at = row.indexOf(tab); at >= 0 && ends.length < columnCount; at = row.indexOf(tab, at + 1)) ends.push(at);
	return [...ends, row.length];
}

/** A column with stray Latin-1 bytes is read as windows-1252, to preserve "Ørsted". */
const cellText = (bytes: Buffer): string =>
	isUtf8(bytes) ? bytes.toString("utf8") : new TextDecoder("windows-1252").decode(bytes);

/** The content of the first `<TAG>` of the Extras, which are not well-formed XML. */
function findElement(extras: string, tag: string): string | null {
	const open = extras.indexOf(`<${tag}>`);
	if (open < 0) return null;
	const start = open + tag.length + 2;
	const end = extras.indexOf(`</${tag}>`, start);
	return end < 0 ? null : extras.slice(start, end);
}

/** Ignores a stated time later than the row's: the page has a wrong clock or no time zone. */
function readPublishedAt(extras: string, fileStamp: string): string | null {
	const seen = parseCompactTime(fileStamp);
	const stated = parseCompactTime(findElement(extras, "PAGE_PRECISEPUBTIMESTAMP") ?? "");
	return stated !== null && seen !== null && stated <= seen ? stated : seen;
}

/** Prefers `Name,offset;Name,offset`, which preserves the case of names, to the older `name;name`. */
function organizationsOf(withOffsets: string, plain: string): string[] {
	const names =
		withOffsets === ""
			? plain.split(";")
			: withOffsets.split(";").map((mention) => mention.slice(0, Math.max(mention.lastIndexOf(","), 0)));
	const known = new Set(names.map((name) => name.trim()).filter((name) => name !== ""));
	return [...known].filter((name) => name.length <= maxOrganizationLength).slice(0, maxOrganizations);
}
