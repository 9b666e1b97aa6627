/** Recognises and reads news files of any kind. Pure. */
import { isZip } from "#libs/files/archive.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import type { Feed } from "../../polling/hosts.ts";
import type { Article, Parsed } from "../../records/records.ts";
import { isArticleTable, readArticleTable } from "./article-table.ts";
import { readGkg } from "./gkg.ts";
import { readFederalRegister, readGdeltDoc } from "./json-lists.ts";
import { readRss } from "./rss.ts";

interface NewsFile {
	name: string;
	bytes: Uint8Array;
	/** The feed that the file was downloaded from. */
	feed?: Feed;
}

export type NewsKind = "gdelt-doc" | "gdelt-gkg" | "article-table" | "rss" | "federal-register";

/** Bytes. The largest known file, a GKG file of 2015, has 11 million. */
export const maxNewsBytes = 64 * 1024 * 1024;

/** Recognises a file by its first bytes, and an archive by its name or its first entry's. Null if unknown. Never throws. */
export function recogniseNews({ name, bytes }: NewsFile): NewsKind | null {
	if (isZip(bytes)) return isGkgName(name) || isGkgName(firstEntryName(bytes)) ? "gdelt-gkg" : null;
	const start = peek(bytes).replace(/^\ufeff/, "");
	if (/^\d{14}-t?\d{1,9}\t\d{14}\t\d\t/.test(start)) return "gdelt-gkg";
	const begins = start.trimStart();
	if (begins.startsWith("{")) return recogniseJson(begins);
	if (begins.startsWith("<")) return isFeed(begins) ? "rss" : null;
	return isArticleTable(bytes) ? "article-table" : null;
}

/**
 * @throws StructureError for an unknown, incomplete or too large file. The message quotes the beginning of an unknown file, which may be
 * the publisher's error message.
 */
export async function readNews(file: NewsFile): Promise<Parsed<Article>> {
	const { name, bytes } = file;
	if (bytes.length > maxNewsBytes) throw new StructureError(`${name}: is larger than ${maxNewsBytes} bytes`);
	switch (recogniseNews(file)) {
		case "gdelt-doc":
			return readGdeltDoc(bytes, name);
		case "gdelt-gkg":
			return readGkg(bytes, name);
		case "article-table":
			return readArticleTable(bytes, name);
		case "rss":
			return readRss(bytes, name, file.feed);
		case "federal-register":
			return readFederalRegister(bytes, name);
		case null:
			throw new StructureError(`${name}: is not a known kind of news file; it begins with "${quoteBeginning(bytes)}"`);
	}
}

function isGkgName(name: string): boolean {
	return /\.gkg\.csv(\.zip)?$/i.test(name);
}

function firstEntryName(bytes: Uint8Array): string {
	const length = (bytes[26] ?? 0) + 256 * (bytes[27] ?? 0);
	return new TextDecoder().decode(bytes.subarray(30, 30 + Math.min(length, 500)));
}

/** GDELT sends `{}` if no article matches. */
function recogniseJson(start: string): NewsKind | null {
	if (/^\{\s*\}\s*$/.test(start) || /^\{\s*"articles"\s*:/.test(start)) return "gdelt-doc";
	return /"(?:document_number|next_page_url|total_pages)"/.test(start) && start.includes("federal")
		? "federal-register"
		: null;
}

/** Whether the root element is a feed's. SEC's feeds of filings, which are also Atom, are excluded. */
function isFeed(start: string): boolean {
	const root = /<(rss|feed|rdf:rdf)[\s>]/.exec(start);
	return root !== null && !/browse-edgar|webmaster@sec\.gov/.test(start);
}

function quoteBeginning(bytes: Uint8Array): string {
	return new TextDecoder()
		.decode(bytes.subarray(0, 120))
		.replace(/\p{Cc}/gu, " ")
		.trim();
}
