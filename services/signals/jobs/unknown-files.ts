/** What a file is that no reader of a source knows: broken, or whole and something else. Pure. */
import { isUtf8 } from "node:buffer";
import { isZip } from "#libs/files/archive.ts";
import type { Pipeline } from "../domain/pipelines.ts";
import { pipelineNames } from "../domain/pipelines.ts";
import { recogniseEightK } from "../sources/eight-k/index.ts";
import { recogniseFormD } from "../sources/form-d/index.ts";
import { recogniseNews } from "../sources/news/index.ts";
import type { SourceFile } from "./read-task.ts";

export interface Unknown {
	/** Of what came: "is an HTML page". */
	reason: string;
	/** It may well have been meant for the source: its sender should get a reason. */
	broken: boolean;
}

/** Characters of an answer that is a sentence instead of a file. */
const maxQuote = 200;
const startLength = 4_096;

/** By its content; null for a file that the source does not know. */
export function kindOf(source: Pipeline, file: SourceFile): string | null {
	if (source === "form-d") return recogniseFormD(file);
	return source === "8-k" ? recogniseEightK(file) : recogniseNews(file);
}

/** Has this the ending of a published file of any source? */
export function isDataName(name: string): boolean {
	return /\.(xml|json|zip|csv|tsv|idx|txt)$/i.test(name) && !/^readme\b/i.test(name);
}

/** What a file is that `kindOf` does not know. */
export function describeUnknown(file: SourceFile): Unknown {
	const owner = pipelineNames.find((source) => kindOf(source, file) !== null);
	if (owner !== undefined) return other(`is a file of ${owner}`);
	const { name, bytes } = file;
	if (bytes.length === 0) return broken("is empty");
	if (isZip(bytes)) return isWholeZip(bytes) ? other("is an archive of other files") : broken("is a cut archive");
	if (bytes.includes(0) || !isUtf8(bytes)) {
		return broken(/\.zip$/i.test(name) ? "is no archive" : "is not UTF-8 text");
	}
	const text = new TextDecoder().decode(bytes).trim();
	if (text === "") return broken("is empty");
	if (text.startsWith("<")) return describeMarkup(text);
	if (/^[{[]/.test(text)) return describeJson(text);
	return isTable(name, text) ? other("is a table of other columns") : says(text);
}

const other = (reason: string): Unknown => ({ reason, broken: false });
const broken = (reason: string): Unknown => ({ reason, broken: true });
const says = (words: string): Unknown => broken(`says: ${words.slice(0, maxQuote).replace(/\s+/g, " ").trim()}`);

/** The directory at the end of an archive has a mark of its own. */
const isWholeZip = (bytes: Uint8Array): boolean =>
	Buffer.from(bytes.subarray(-65_557)).includes(Buffer.from("PK\x05\x06", "latin1"));

function describeMarkup(text: string): Unknown {
	const start = text.slice(0, startLength);
	if (/^(?:<\?xml[^>]{0,200}>\s{0,99})?<(?:!doctype\s{1,9}html|html|head|body)\b/i.test(start)) {
		return broken("is an HTML page");
	}
	const root = /<([A-Za-z_][\w:.-]{0,99})[\s/>]/.exec(start)?.[1];
	if (root === undefined) return broken("is no whole XML");
	const end = text.slice(-startLength);
	if (!end.endsWith(`</${root}>`) && !(text.length < startLength && end.endsWith("/>"))) {
		return broken(`is cut: it does not end with </${root}>`);
	}
	if (/^error$/i.test(root)) return says(start.replace(/<[^<>]*>/g, " ").trim());
	return other(`is XML of another kind (<${root}>)`);
}

function describeJson(text: string): Unknown {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return broken("is cut: no whole JSON");
	}
	if (typeof body !== "object" || body === null || Object.keys(body).length === 0) return broken("holds nothing");
	const isError = Object.keys(body).some((key) => /^(?:error|errors|errormessage|message)$/i.test(key));
	return isError ? says(text) : other("is JSON of another kind");
}

/** Columns parted by tabs, or alike in the first two lines. */
function isTable(name: string, text: string): boolean {
	if (!/\.(csv|tsv|txt|idx)$/i.test(name)) return false;
	const [first = "", second = ""] = text.slice(0, 65_536).split(/\r?\n/, 2);
	if (first.includes("\t")) return true;
	return [",", ";", "|"].some((mark) => first.split(mark).length > 2 && second.split(mark).length > 2);
}
