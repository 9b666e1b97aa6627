import { describe, expect, it } from "vitest";
import { StructureError } from "./structure-error.ts";
import { readXmlRecords } from "./xml.ts";

const shape = { root: /^projects$/, record: "project" };
const read = (source: string) => readXmlRecords(new TextEncoder().encode(source), "list.xml", shape).rows;

describe("readXmlRecords", () => {
	it("makes the union of the records' elements the header, whatever their order and case", () => {
		const rows = read(`<?xml version="1.0"?>
			<Projects><Project><Id>1</Id><MW>5</MW></Project><project><mw>7</mw><ID>2</ID><Fuel/></project></Projects>`);
		expect(rows).toEqual([
			["Id", "MW", "Fuel"],
			["1", "5", null],
			["2", "7", ""],
		]);
	});

	it("reads character data, the five entities of XML, and a byte order mark", () => {
		const rows = read(
			"\ufeff<Projects><Project><N>A &amp; B &lt;1&gt;</N><M><![CDATA[x & y]]></M></Project></Projects>",
		);
		expect(rows[1]).toEqual(["A & B <1>", "x & y"]);
	});

	it("reads a two-byte character after a long text", () => {
		const name = `${"x".repeat(65_501)}é`;
		expect(read(`<Projects><Project><N>${name}</N></Project></Projects>`)[1]).toEqual([name]);
	});

	it("refuses a truncated file", () => {
		expect(() => read("<Projects><Project><Id>1</Id></Project>")).toThrow(StructureError);
		expect(() => read("<Projects><Project><Id>1")).toThrow(StructureError);
		expect(() => read("")).toThrow(StructureError);
	});

	it("refuses an HTML page, another root element, and content after the root", () => {
		expect(() => read("<!DOCTYPE html><html></html>")).toThrow("HTML page");
		expect(() => read("<Error><Code>AccessDenied</Code></Error>")).toThrow("root element is <Error>");
		expect(() => read("<Projects></Projects><Projects>")).toThrow(StructureError);
	});

	it("expands no entity that the file declares", () => {
		const bomb =
			'<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Projects><Project><N>&b;</N></Project></Projects>';
		expect(() => read(bomb)).toThrow("document type");
		expect(() => read("<Projects><Project><N>&b;</N></Project></Projects>")).toThrow(StructureError);
	});

	it("refuses records with more different elements than any list has columns", () => {
		const many = Array.from({ length: 301 }, (_, at) => `<c${at}/>`).join("");
		expect(() => read(`<Projects><Project>${many}</Project></Projects>`)).toThrow("different elements");
	});
});
