import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { childrenOf, findChild, findDescendant, readXmlTree, textOf } from "./xml-tree.ts";

const encode = (source: string) => new TextEncoder().encode(source);
const read = (source: string) => readXmlTree(encode(source), "page.xml");

describe("readXmlTree", () => {
	it("reads elements, attributes, text, CDATA and the five entities of XML", () => {
		const root = read('<feed v="1 &lt; 2"><a> x &amp; <![CDATA[<y>]]> </a><b/><a>z</a></feed>');
		expect(root).toMatchObject({ name: "feed", prefix: "" });
		expect(root.attributes.get("v")).toBe("1 < 2");
		expect(childrenOf(root, "a").map((node) => textOf(node))).toEqual(["x & <y>", "z"]);
		expect(textOf(root, "b")).toBeNull();
		expect(findDescendant(root, "b", "c")).toBeNull();
	});

	it("drops prefixes from names, and prefers the name without one", () => {
		const root = read('<r xmlns:m="urn:m"><m:title>other</m:title><title>own</title><m:only>x</m:only></r>');
		expect(textOf(root, "title")).toBe("own");
		expect(findChild(root, "only")).toMatchObject({ name: "only", prefix: "m", text: "x" });
		expect(childrenOf(root, "title")).toHaveLength(2);
	});

	it("reads a document that begins with a byte order mark or a blank line", () => {
		expect(textOf(read('\ufeff<?xml version="1.0"?><a>é</a>'))).toBe("é");
		expect(textOf(read('\n\n<?xml version="1.0"?><a>é</a>'))).toBe("é");
	});

	it("reads Latin-1 and windows-1252 if declared, and no other encoding", () => {
		const latin = (encoding: string) =>
			Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><a>caf\xe9</a>`, "latin1");
		expect(textOf(readXmlTree(latin("ISO-8859-1"), "a"))).toBe("café");
		expect(textOf(readXmlTree(latin("windows-1252"), "a"))).toBe("café");
		expect(() => readXmlTree(latin("UTF-8"), "a")).toThrow("contains bytes that are invalid in its declared encoding");
		expect(() => readXmlTree(latin("Shift_JIS"), "a")).toThrow("encoding shift_jis is not supported");
		expect(() => readXmlTree(Buffer.from("<a>x</a>", "utf16le"), "a")).toThrow(StructureError);
	});

	it("reads a character that two chunks share", () => {
		const value = `${"x".repeat(65_532)}é`;
		expect(textOf(read(`<a>${value}</a>`))).toBe(value);
	});

	it("expands no entity that a document declares", () => {
		const lol = '<!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>';
		expect(() => read(`<?xml version="1.0"?>${lol}<l>&c;</l>`)).toThrow("a document type is not expected");
		expect(() => read("<l>&c;</l>")).toThrow(StructureError);
	});

	it("refuses a truncated, malformed, empty or repeated document, and an HTML page", () => {
		for (const source of ["<a><b>x</b>", "<a><b>x", "<a", "<a></b>", "", "  ", "<a/><a/>", "plain text"]) {
			expect(() => read(source), source).toThrow(StructureError);
		}
		expect(() => read("<!DOCTYPE html><html><body/></html>")).toThrow("HTML page");
	});

	it("refuses a document beyond the limits", () => {
		const limits = { maxBytes: 60, maxElements: 3, maxDepth: 2 };
		const within = (source: string) => readXmlTree(encode(source), "a", limits);
		expect(within("<a><b/><b/></a>").children).toHaveLength(2);
		expect(() => within(`<a>${"x".repeat(60)}</a>`)).toThrow("larger than 60 bytes");
		expect(() => within("<a><b/><b/><b/></a>")).toThrow("more than 3 elements");
		expect(() => within("<a><b><c/></b></a>")).toThrow("nested deeper than 2");
	});
});
