/** Finds the named files, and those in named folders, and describes files that no reader recognises. */
import { isUtf8 } from "node:buffer";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isZip } from "#libs/files/archive.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { recogniseEightK } from "../filings/sources/read-8-k.ts";
import { maxNewsBytes, recogniseNews } from "../news/sources/read-news.ts";
import { recogniseFormD } from "../raises/sources/read-form-d.ts";
import { type FileGroup, type Pipeline, pipelineNames, type SourceFile } from "../records/records.ts";

/** Bytes. The largest files are a quarter's index of all filings and a company's list. */
const maxBytes: Record<Pipeline, number> = { "form-d": 192 * 1024 ** 2, "8-k": 64 * 1024 ** 2, news: maxNewsBytes };
const maxFiles = 50_000;

/** Kinds of files that are read together with others of their folder: tables of one data set, a list and its content. */
const groupedKinds: ReadonlySet<string> = new Set(["quarterly-table", "screener-filings", "screener-index"]);

/** An unreadable file that was named, or that looks like a file of the source. */
export interface Unreadable {
	name: string;
	reason: string;
	/** Undefined if the file is missing or too large. */
	file: SourceFile | undefined;
}

/**
 * Yields files sorted by path, then the groups that are read together. Calls `leftOut` with each intact file of a folder that belongs to
 * another source, and what it is.
 */
export async function* findFiles(
	source: Pipeline,
	paths: string[],
	leftOut: (path: string, reason: string) => void,
): AsyncGenerator<FileGroup | Unreadable> {
	const together = new Map<string, string[]>();
	for await (const found of filesAt(paths)) {
		const { path } = found;
		const name = basename(path);
		const read = await readRegularFile(path, maxBytes[source]);
		if (read.bytes === undefined) {
			if (found.named || isDataName(name)) yield { name, reason: read.reason, file: undefined };
			else leftOut(path, read.reason);
			continue;
		}
		const file = { name, bytes: read.bytes };
		const kind = recogniseKind(source, file);
		const folder = dirname(path);
		if (kind !== null && groupedKinds.has(kind)) together.set(folder, [...(together.get(folder) ?? []), path]);
		else if (kind !== null) yield [file];
		else {
			const { reason, broken } = describeUnknown(file);
			if (found.named || (broken && isDataName(name))) {
				yield { name, reason: broken ? reason : `${reason}, and not a known kind of ${source} file`, file };
			} else leftOut(path, reason);
		}
	}
	for (const members of together.values())
		yield await Promise.all(members.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })));
}

interface Found {
	path: string;
	named: boolean;
}

async function* filesAt(paths: string[]): AsyncGenerator<Found> {
	let files = 0;
	for (const path of paths) {
		const found = await stat(path).catch(() => undefined);
		if (!found?.isDirectory()) {
			yield { path, named: true };
			continue;
		}
		const entries = await readdir(path, { recursive: true, withFileTypes: true });
		const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		files += inside.length;
		if (files > maxFiles) throw new Error(`more than ${maxFiles} files: load one folder at a time`);
		for (const file of inside.sort()) yield { path: file, named: false };
	}
}

export interface Unknown {
	reason: string;
	/** Whether the file may have been meant for the source, so that it is refused with the reason. */
	broken: boolean;
}

const maxQuote = 200;
const startLength = 4_096;

/** The kind by the content. Null for a file that the source does not recognise. */
export function recogniseKind(source: Pipeline, file: SourceFile): string | null {
	if (source === "form-d") return recogniseFormD(file);
	return source === "8-k" ? recogniseEightK(file) : recogniseNews(file);
}

function isDataName(name: string): boolean {
	return /\.(xml|json|zip|csv|tsv|idx|txt)$/i.test(name) && !/^readme\b/i.test(name);
}

export function describeUnknown(file: SourceFile): Unknown {
	const owner = pipelineNames.find((source) => recogniseKind(source, file) !== null);
	if (owner !== undefined) return otherKind(`is a file of ${owner}`);
	const { name, bytes } = file;
	if (bytes.length === 0) return broken("is empty");
	if (isZip(bytes))
		return isWholeZip(bytes) ? otherKind("is an archive of other files") : broken("is a truncated archive");
	if (bytes.includes(0) || !isUtf8(bytes)) {
		return broken(/\.zip$/i.test(name) ? "is not an archive" : "is not UTF-8 text");
	}
	const text = new TextDecoder().decode(bytes).trim();
	if (text === "") return broken("is empty");
	if (text.startsWith("<")) return describeMarkup(text);
	if (/^[{[]/.test(text)) return describeJson(text);
	return isTable(name, text) ? otherKind("is a table of other columns") : refuseText(text);
}

const otherKind = (reason: string): Unknown => ({ reason, broken: false });
const broken = (reason: string): Unknown => ({ reason, broken: true });
const refuseText = (words: string): Unknown =>
	broken(`contains the text: ${words.slice(0, maxQuote).replace(/\s+/g, " ").trim()}`);

/** The directory at the end of an archive has its own signature. */
const isWholeZip = (bytes: Uint8Array): boolean =>
	Buffer.from(bytes.subarray(-65_557)).includes(Buffer.from("PK\x05\x06", "latin1"));

function describeMarkup(text: string): Unknown {
	const start = text.slice(0, startLength);
	if (/^(?:<\?xml[^>]{0,200}>\s{0,99})?<(?:!doctype\s{1,9}html|html|head|body)\b/i.test(start)) {
		return broken("is an HTML page");
	}
	const root = /<([A-Za-z_][\w:.-]{0,99})[\s/>]/.exec(start)?.[1];
	if (root === undefined) return broken("is not complete XML");
	const end = text.slice(-startLength);
	if (!end.endsWith(`</${root}>`) && !(text.length < startLength && end.endsWith("/>"))) {
		return broken(`is truncated: it does not end with </${root}>`);
	}
	if (/^error$/i.test(root)) return refuseText(start.replace(/<[^<>]*>/g, " ").trim());
	return otherKind(`is XML of another kind (<${root}>)`);
}

function describeJson(text: string): Unknown {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return broken("is truncated: the JSON is incomplete");
	}
	if (typeof body !== "object" || body === null || Object.keys(body).length === 0) return broken("is empty JSON");
	const isError = Object.keys(body).some((key) => /^(?:error|errors|errormessage|message)$/i.test(key));
	return isError ? refuseText(text) : otherKind("is JSON of another kind");
}

/** With tabs, or with the same separators in the first two lines. */
function isTable(name: string, text: string): boolean {
	if (!/\.(csv|tsv|txt|idx)$/i.test(name)) return false;
	const [first = "", second = ""] = text.slice(0, 65_536).split(/\r?\n/, 2);
	if (first.includes("\t")) return true;
	return [",", ";", "|"].some((mark) => first.split(mark).length > 2 && second.split(mark).length > 2);
}
