/** Recognizes and reads news files of any kind. Pure. */
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

/** Maximum bytes of a file. The largest known file, a GKG file of 2015, has 11 million. */
export const maxNewsBytes = 64 * 1024 * 1024;

/** Recognizes a file by its first bytes, and an archive by its name or that of its first entry. Null if unknown. Never throws. */
export function recognizeNews({ name, bytes }: NewsFile): NewsKind | null {
	if (isZip(bytes)) return isGkgName(name) || isGkgName(firstEntryName(bytes)) ? "gdelt-gkg" : null;
	const start = peek(bytes).replace(/^\ufeff/, "");
	if (/^\d{14}-t?\d{1,9}\t\d{14}\t\d\t/.test(start)) return "gdelt-gkg";
	const trimmedStart = start.trimStart();
	if (trimmedStart.startsWith("{")) return recognizeJson(trimmedStart);
	if (trimmedStart.startsWith("<")) return isFeed(trimmedStart) ? "rss" : null;
	return isArticleTable(bytes) ? "article-table" : null;
}

/**
 * @throws StructureError if the file is of an unknown kind, incomplete or too large. The message quotes the beginning of an unknown file,
 * which may be the publisher's error message.
 */
export async function readNews(file: NewsFile): Promise<Parsed<Article>> {
	const { name, bytes } = file;
	if (bytes.length > maxNewsBytes) throw new StructureError(`${name}: is larger than ${maxNewsBytes} bytes`);
	switch (recognizeNews(file)) {
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
function recognizeJson(start: string): NewsKind | null {
	if (/^\{\s*\}\s*$/.test(start) || /^\{\s*"articles"\s*:/.test(start)) return "gdelt-doc";
	return /"(?:document_number|next_page_url|total_pages)"/.test(start) && start.includes("federal")
		? "federal-register"
		: null;
}

/** Whether the root element is that of a news feed. SEC's feeds of filings, which are also Atom, are excluded. */
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
