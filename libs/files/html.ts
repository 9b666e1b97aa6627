/** Reads one table of an HTML page as rows of cells. Pure. */
import { Parser } from "htmlparser2";
import { decodeUtf8 } from "./decode.ts";
import { StructureError } from "./structure-error.ts";
import type { Table } from "./table.ts";

export interface HtmlTable {
	table: Table;
	/** The page's text outside the table, such as titles and "As of:" lines, with white space collapsed. */
	text: string;
}

/** Maximum depth of nested elements; operators' pages have a few dozen. */
const maxDepth = 256;

/**
 * Reads the table with this id. An icon in a cell counts as its title or alternative text, as in `<img title="In Service">`.
 * @throws StructureError if the bytes are not UTF-8, or the page has no such table or ends inside it
 */
export function readHtmlTable(bytes: Uint8Array, name: string, id: string): HtmlTable {
	const walker = new TableWalker(id);
	let depth = 0;
	const parser = new Parser({
		onopentag: (tag, attributes) => {
			// The parser searches all open elements for each tag, so a deeply nested page would take quadratic time.
			if (++depth > maxDepth) throw new StructureError(`${name}: elements are nested more than ${maxDepth} deep`);
			walker.open(tag, attributes);
		},
		onclosetag: (tag, implied) => {
			depth--;
			walker.close(tag, implied);
		},
		ontext: (text) => walker.text(text),
	});
	parser.write(decodeUtf8(bytes, name));
	parser.end();
	if (walker.state === "before") throw new StructureError(`${name}: the page has no table "${id}"`);
	if (walker.state === "cut")
		throw new StructureError(`${name}: the page ends inside table "${id}": the file is truncated`);
	const rows = walker.rows.map((row) => row.map(collapseSpaces));
	return { table: { name, rows }, text: collapseSpaces(walker.outside) };
}

/** Collects the cells of one table: rows start at `tr`, cells at `td` and `th`. Nested tables are read as text. */
class TableWalker {
	readonly rows: string[][] = [];
	outside = "";
	state: "before" | "inside" | "cut" | "after" = "before";
	readonly #id: string;
	#depth = 0;
	#inCell = false;
	#skippedDepth = 0;

	constructor(id: string) {
		this.#id = id;
	}

	open(tag: string, attributes: Record<string, string>): void {
		if (tag === "script" || tag === "style") this.#skippedDepth++;
		if (tag === "table" && (this.#depth > 0 || (this.state === "before" && attributes.id === this.#id))) {
			this.#depth++;
			this.state = "inside";
		}
		if (this.#depth === 1 && tag === "tr") this.rows.push([]);
		if (this.#depth === 1 && (tag === "td" || tag === "th")) {
			this.rows.at(-1)?.push("");
			this.#inCell = true;
		}
		if (tag === "img") this.text(` ${attributes.title ?? attributes.alt ?? ""} `);
		if (tag === "br") this.text(" ");
	}

	/** `implied`: the page has no closing tag; the parser closed the element because the page ended or a different element began. */
	close(tag: string, implied: boolean): void {
		if (tag === "script" || tag === "style") this.#skippedDepth--;
		if (this.#depth === 1 && (tag === "td" || tag === "th")) this.#inCell = false;
		if (tag !== "table" || this.#depth === 0) return;
		this.#depth--;
		if (this.#depth === 0) this.state = implied ? "cut" : "after";
	}

	text(text: string): void {
		if (this.#skippedDepth > 0) return;
		const row = this.rows.at(-1);
		if (this.#depth === 0) this.outside += ` ${text}`;
		else if (this.#inCell && row) row[row.length - 1] = `${row.at(-1) ?? ""}${text}`;
	}
}

function collapseSpaces(text: string): string {
	return text.replace(/[\s\u00a0]+/g, " ").trim();
}
