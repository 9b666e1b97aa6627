/** Finds the given files and the files in given folders, and describes files that no reader recognizes. */
import { isUtf8 } from "node:buffer";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isZip } from "#libs/files/archive.ts";
import { readRegularFile } from "#libs/files/read-regular-file.ts";
import { recognizeEightK } from "../filings/sources/read-8-k.ts";
import { maxNewsBytes, recognizeNews } from "../news/sources/read-news.ts";
import { recognizeFormD } from "../raises/sources/read-form-d.ts";
import { type FileGroup, type Pipeline, pipelineNames, type SourceFile } from "../records/records.ts";

/** Maximum size of a file. The largest are a quarterly index of all filings (Form D) and a company's list of filings (8-K). */
const maxBytes: Record<Pipeline, number> = { "form-d": 192 * 1024 ** 2, "8-k": 64 * 1024 ** 2, news: maxNewsBytes };
const maxFiles = 50_000;

/** Kinds that are read together with the other files of their folder: the tables of a data set, an index and its filings. */
const groupedKinds: ReadonlySet<string> = new Set(["quarterly-table", "screener-filings", "screener-index"]);

/** An unreadable file that was given by its path, or that looks like a file of the source. */
export interface UnreadableFile {
	name: string;
	reason: string;
	/** Undefined if the file is missing or too large. */
	file: SourceFile | undefined;
}

/**
 * Yields the files in the order of their paths, then the groups that are read together. Calls `reportSkipped` for each file in a folder
 * that is not from this source.
 */
export async function* findFiles(
	source: Pipeline,
	paths: string[],
	reportSkipped: (path: string, reason: string) => void,
): AsyncGenerator<FileGroup | UnreadableFile> {
	const grouped = new Map<string, string[]>();
	for await (const listed of listFiles(paths)) {
		const { path } = listed;
		const name = basename(path);
		const content = await readRegularFile(path, maxBytes[source]);
		if (content.bytes === undefined) {
			if (listed.isGiven || isDataName(name)) yield { name, reason: content.reason, file: undefined };
			else reportSkipped(path, content.reason);
			continue;
		}
		const file = { name, bytes: content.bytes };
		const kind = recognizeKind(source, file);
		const folder = dirname(path);
		if (kind !== null && groupedKinds.has(kind)) grouped.set(folder, [...(grouped.get(folder) ?? []), path]);
		else if (kind !== null) yield [file];
		else {
			const { reason, isDamaged } = describeUnknown(file);
			if (listed.isGiven || (isDamaged && isDataName(name))) {
				yield { name, reason: isDamaged ? reason : `${reason}, not a known kind of ${source} file`, file };
			} else reportSkipped(path, reason);
		}
	}
	for (const members of grouped.values())
		yield await Promise.all(members.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })));
}

interface ListedFile {
	path: string;
	isGiven: boolean;
}

async function* listFiles(paths: string[]): AsyncGenerator<ListedFile> {
	let files = 0;
	for (const path of paths) {
		const info = await stat(path).catch(() => undefined);
		if (!info?.isDirectory()) {
			yield { path, isGiven: true };
			continue;
		}
		const entries = await readdir(path, { recursive: true, withFileTypes: true });
		const inside = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
		files += inside.length;
		if (files > maxFiles) {
			throw new Error(
				`${path}: more than ${maxFiles} files in total: load fewer folders at a time, or its subfolders one by one`,
			);
		}
		for (const file of inside.sort()) yield { path: file, isGiven: false };
	}
}

interface UnknownKind {
	reason: string;
	/** True if the file may be a damaged file of the source. Such a file is refused. */
	isDamaged: boolean;
}

const maxQuoteLength = 200;
const startLength = 4_096;

/** Recognizes the kind of a file by its content. Returns null if it is not a file of the source. */
export function recognizeKind(source: Pipeline, file: SourceFile): string | null {
	if (source === "form-d") return recognizeFormD(file);
	return source === "8-k" ? recognizeEightK(file) : recognizeNews(file);
}

function isDataName(name: string): boolean {
	return /\.(xml|json|zip|csv|tsv|idx|txt)$/i.test(name) && !/^readme\b/i.test(name);
}

export function describeUnknown(file: SourceFile): UnknownKind {
	const owner = pipelineNames.find((source) => recognizeKind(source, file) !== null);
	if (owner !== undefined) return otherKind(`is a ${owner} file`);
	const { name, bytes } = file;
	if (bytes.length === 0) return damagedFile("is empty");
	if (isZip(bytes))
		return isWholeZip(bytes) ? otherKind("is an archive of another kind") : damagedFile("is a truncated archive");
	if (bytes.includes(0) || !isUtf8(bytes)) {
		return damagedFile(/\.zip$/i.test(name) ? "is not an archive" : "is not UTF-8 text");
	}
	const text = new TextDecoder().decode(bytes).trim();
	if (text === "") return damagedFile("is empty");
	if (text.startsWith("<")) return describeMarkup(text);
	if (/^[{[]/.test(text)) return describeJson(text);
	return isTable(name, text) ? otherKind("is a table with other columns") : damagedText(text);
}

const otherKind = (reason: string): UnknownKind => ({ reason, isDamaged: false });
const damagedFile = (reason: string): UnknownKind => ({ reason, isDamaged: true });
const damagedText = (text: string): UnknownKind =>
	damagedFile(`contains the text: ${text.slice(0, maxQuoteLength).replace(/\s+/g, " ").trim()}`);

/** Searches for the signature of the directory at the end of an archive. */
const isWholeZip = (bytes: Uint8Array): boolean =>
	Buffer.from(bytes.subarray(-65_557)).includes(Buffer.from("PK\x05\x06", "latin1"));

function describeMarkup(text: string): UnknownKind {
	const start = text.slice(0, startLength);
	if (/^(?:<\?xml[^>]{0,200}>\s{0,99})?<(?:!doctype\s{1,9}html|html|head|body)\b/i.test(start)) {
		return damagedFile("is an HTML page");
	}
	const root = /<([A-Za-z_][\w:.-]{0,99})[\s/>]/.exec(start)?.[1];
	if (root === undefined) return damagedFile("is not complete XML");
	const end = text.slice(-startLength);
	if (!end.endsWith(`</${root}>`) && !(text.length < startLength && end.endsWith("/>"))) {
		return damagedFile(`is truncated: it does not end with </${root}>`);
	}
	if (/^error$/i.test(root)) return damagedText(start.replace(/<[^<>]*>/g, " ").trim());
	return otherKind(`is XML of another kind (<${root}>)`);
}

function describeJson(text: string): UnknownKind {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return damagedFile("is truncated: the JSON is incomplete");
	}
	if (typeof body !== "object" || body === null || Object.keys(body).length === 0) return damagedFile("is empty JSON");
	const isError = Object.keys(body).some((key) => /^(?:error|errors|errormessage|message)$/i.test(key));
	return isError ? damagedText(text) : otherKind("is JSON of another kind");
}

/** Whether the first line contains a tab, or the first two lines contain the same separator at least twice. */
function isTable(name: string, text: string): boolean {
	if (!/\.(csv|tsv|txt|idx)$/i.test(name)) return false;
	const [first = "", second = ""] = text.slice(0, 65_536).split(/\r?\n/, 2);
	if (first.includes("\t")) return true;
	return [",", ";", "|"].some((mark) => first.split(mark).length > 2 && second.split(mark).length > 2);
}
