/** Reads small XML documents as a tree, within limits. Pure. */
import { TextDecoder } from "node:util";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { isHtml, peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { text as clean } from "#libs/files/values.ts";

export interface XmlNode {
	/** Local name as filed: `entry`, `relatedPersonInfo`. */
	name: string;
	/** `media` in `media:title`. Namespaces are not resolved. */
	prefix: string;
	/** Values by attribute name, including its prefix. */
	attributes: ReadonlyMap<string, string>;
	/** Character data of the element itself, without its children's. */
	text: string;
	children: XmlNode[];
}

interface XmlLimits {
	maxBytes: number;
	maxElements: number;
	maxDepth: number;
}

const defaultLimits: XmlLimits = { maxBytes: 32 * 1024 * 1024, maxElements: 500_000, maxDepth: 64 };

const chunkSize = 65_536;

/**
 * Returns the root element. The text is UTF-8 unless the XML declaration names Latin-1, windows-1252 or ASCII. Only XML's five predefined
 * entities are expanded.
 * @throws StructureError if it is an HTML page, has another encoding or a document type declaration, is malformed or truncated, or exceeds
 * a limit
 */
export function readXmlTree(bytes: Uint8Array, name: string, limits: Partial<XmlLimits> = {}): XmlNode {
	const allLimits = { ...defaultLimits, ...limits };
	if (bytes.length > allLimits.maxBytes)
		throw new StructureError(`${name}: is larger than ${allLimits.maxBytes} bytes`);
	const start = peek(bytes, 1024);
	if (start.trim() === "") throw new StructureError(`${name}: the file is empty`);
	if (isHtml(start)) throw new StructureError(`${name}: is an HTML page, not the XML document`);
	const builder = new TreeBuilder(name, allLimits);
	const decoder = new TextDecoder(encodingOf(start, name), { fatal: true });
	for (let at = findStart(bytes); at < bytes.length; at += chunkSize) {
		builder.write(decode(decoder, bytes.subarray(at, at + chunkSize), name));
	}
	builder.write(decode(decoder, undefined, name));
	return builder.close();
}

/** Skips a byte order mark and white space: some feeds and saved filings begin with a blank line, which XML forbids. */
function findStart(bytes: Uint8Array): number {
	let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
	while ([9, 10, 13, 32].includes(bytes[at] ?? 0)) at++;
	return at;
}

/** Returns the first child with this name, preferably one without a prefix (`title`, not `media:title`). */
export function findChild(node: XmlNode | null, name: string): XmlNode | null {
	const all = childrenOf(node, name);
	return all.find(({ prefix }) => prefix === "") ?? all[0] ?? null;
}

/** Returns the children with this local name, whatever their prefix. */
export function childrenOf(node: XmlNode | null, name: string): XmlNode[] {
	return node?.children.filter((candidate) => candidate.name === name) ?? [];
}

export function findDescendant(node: XmlNode | null, ...path: string[]): XmlNode | null {
	return path.reduce(findChild, node);
}

/** Returns the text at the end of the path, with single spaces. Null if blank. */
export function textOf(node: XmlNode | null, ...path: string[]): string | null {
	return clean(findDescendant(node, ...path)?.text);
}

/** As in browsers, Latin-1 and ASCII are read as windows-1252. */
const encodings: ReadonlyMap<string, string> = new Map([
	["utf-8", "utf-8"],
	["utf8", "utf-8"],
	["iso-8859-1", "windows-1252"],
	["latin1", "windows-1252"],
	["windows-1252", "windows-1252"],
	["us-ascii", "windows-1252"],
	["ascii", "windows-1252"],
]);

function encodingOf(start: string, name: string): string {
	const declared = /^\ufeff?\s{0,9}<\?xml\s[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{1,40})["']/.exec(start)?.[1];
	const encoding = encodings.get(declared ?? "utf-8");
	if (encoding === undefined) throw new StructureError(`${name}: encoding ${declared} is not supported`);
	return encoding;
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, name: string): string {
	try {
		return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
	} catch {
		throw new StructureError(`${name}: contains bytes that are invalid in its declared encoding`);
	}
}

class TreeBuilder {
	readonly #name: string;
	readonly #limits: XmlLimits;
	readonly #parser = new SaxesParser();
	readonly openNodes: XmlNode[] = [];
	#root: XmlNode | null = null;
	#elements = 0;

	constructor(name: string, limits: XmlLimits) {
		this.#name = name;
		this.#limits = limits;
		this.#parser.on("error", (error) => this.#refuse(error.message));
		this.#parser.on("doctype", () => this.#refuse("a document type is not expected"));
		this.#parser.on("opentag", (tag) => this.openElement(tag));
		this.#parser.on("closetag", () => this.openNodes.pop());
		this.#parser.on("text", (text) => this.addText(text));
		this.#parser.on("cdata", (text) => this.addText(text));
	}

	write(chunk: string): void {
		if (chunk !== "") this.#parser.write(chunk);
	}

	close(): XmlNode {
		this.#parser.close();
		return this.#root ?? this.#refuse("it contains no element");
	}

	openElement(tag: SaxesTagPlain): void {
		if (++this.#elements > this.#limits.maxElements) this.#refuse(`more than ${this.#limits.maxElements} elements`);
		if (this.openNodes.length >= this.#limits.maxDepth)
			this.#refuse(`elements are nested deeper than ${this.#limits.maxDepth}`);
		const colon = tag.name.indexOf(":");
		const node: XmlNode = {
			name: tag.name.slice(colon + 1),
			prefix: tag.name.slice(0, Math.max(colon, 0)),
			attributes: new Map(Object.entries(tag.attributes)),
			text: "",
			children: [],
		};
		this.openNodes.at(-1)?.children.push(node);
		this.#root ??= node;
		this.openNodes.push(node);
	}

	addText(text: string): void {
		const node = this.openNodes.at(-1);
		if (node) node.text += text;
	}

	#refuse(reason: string): never {
		throw new StructureError(`${this.#name}: is not the expected XML: ${reason}`);
	}
}
