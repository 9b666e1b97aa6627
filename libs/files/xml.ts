/** Reads XML lists of flat records as tables. Pure. */
import { SaxesParser } from "saxes";
import { decodeUtf8, isHtml, peek } from "./decode.ts";
import { StructureError } from "./structure-error.ts";
import type { Table } from "./table.ts";
import type { Cell } from "./values.ts";

export interface XmlShape {
	/** Matches the lower-case name of every root element that the list may have. */
	root: RegExp;
	/** The repeated element, lower case; its children are the cells. */
	record: string;
}

/** A file with more distinct elements in its records than this is not a list of flat records: no operator has so many columns. */
const maxColumns = 300;

/**
 * Returns a table with a row for each record. Its header is the union of the records' child elements, named as in the file and compared without
 * regard to case. The cell of an element that a record lacks is null.
 * @throws StructureError if the XML is ill-formed or incomplete, or has an unknown entity, a document type or an unexpected root
 */
export function readXmlRecords(bytes: Uint8Array, name: string, shape: XmlShape): Table {
	if (isHtml(peek(bytes, 1024))) throw new StructureError(`${name}: is an HTML page, not the list`);
	const builder = new RecordBuilder(name, shape);
	builder.write(decodeUtf8(bytes, name));
	return { name, rows: builder.close(), firstRow: 0 };
}

/** Collects the records from the parser's events. Elements are nested as root > ... > record > cell. */
class RecordBuilder {
	readonly #name: string;
	readonly #shape: XmlShape;
	readonly #parser = new SaxesParser();
	readonly #columns = new Map<string, number>();
	readonly #headers: string[] = [];
	readonly #rows: Cell[][] = [];
	#depth = 0;
	/** Depth of the open record; 0 outside records. */
	#recordDepth = 0;
	#row: Cell[] = [];
	#cell: string | null = null;

	constructor(name: string, shape: XmlShape) {
		this.#name = name;
		this.#shape = shape;
		this.#parser.on("error", (error) => this.#refuse(error.message));
		this.#parser.on("doctype", () => this.#refuse("a document type is not expected"));
		this.#parser.on("opentag", (tag) => this.#open(tag.name));
		this.#parser.on("closetag", (tag) => this.#close(tag.name));
		this.#parser.on("text", (text) => this.#text(text));
		this.#parser.on("cdata", (text) => this.#text(text));
	}

	write(chunk: string): void {
		if (chunk !== "") this.#parser.write(chunk);
	}

	close(): Cell[][] {
		this.#parser.close();
		for (const row of this.#rows) {
			for (let at = 0; at < this.#headers.length; at++) row[at] ??= null;
		}
		return [this.#headers, ...this.#rows];
	}

	#open(tag: string): void {
		this.#depth++;
		const element = tag.toLowerCase();
		if (this.#depth === 1 && !this.#shape.root.test(element)) this.#refuse(`the root element is <${tag}>`);
		if (this.#recordDepth === 0) {
			if (element !== this.#shape.record) return;
			this.#recordDepth = this.#depth;
			this.#row = [];
		} else if (this.#depth === this.#recordDepth + 1) {
			this.#cell = "";
		}
	}

	#close(tag: string): void {
		if (this.#recordDepth > 0 && this.#depth === this.#recordDepth + 1) {
			this.#row[this.#column(tag)] = this.#cell;
			this.#cell = null;
		} else if (this.#depth === this.#recordDepth) {
			this.#rows.push(this.#row);
			this.#recordDepth = 0;
		}
		this.#depth--;
	}

	#text(text: string): void {
		if (this.#cell !== null) this.#cell += text;
	}

	#column(tag: string): number {
		const key = tag.toLowerCase();
		const index = this.#columns.get(key);
		if (index !== undefined) return index;
		if (this.#headers.length >= maxColumns) this.#refuse(`its records have more than ${maxColumns} different elements`);
		this.#columns.set(key, this.#headers.length);
		return this.#headers.push(tag) - 1;
	}

	#refuse(reason: string): never {
		throw new StructureError(`${this.#name}: is not the expected XML list: ${reason}`);
	}
}
