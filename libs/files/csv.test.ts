import { describe, expect, it } from "vitest";
import { csvHeaderNames, readCsv } from "./csv.ts";
import { StructureError } from "./structure-error.ts";
import { HeadedTable } from "./table.ts";

const bytes = (source: string) => new TextEncoder().encode(source);
const read = (source: string) => readCsv(bytes(source), "list.csv").rows;

describe("readCsv", () => {
	it("reads quoted cells with commas, quotes and line breaks", () => {
		expect(read('Id,Note\r\n1,"a, ""b""\nc"\r\n')).toEqual([
			["Id", "Note"],
			["1", 'a, "b"\nc'],
		]);
	});

	it("reads columns of any name, including names of object properties", () => {
		const table = new HeadedTable(readCsv(bytes("Id,__proto__,constructor\n1,a,b\n"), "list.csv"), [["Id"]], 1);
		expect(Object.entries(table.raw(table.rows[0] ?? []))).toEqual([
			["Id", "1"],
			["__proto__", "a"],
			["constructor", "b"],
		]);
	});

	it("ignores a byte order mark and blank lines", () => {
		expect(read("\ufeffId,Note\n\n1,a\n")).toEqual([
			["Id", "Note"],
			["1", "a"],
		]);
	});

	it("refuses a record with another number of fields than the header", () => {
		expect(() => read("Id,Note\n1,a\n2\n")).toThrow(
			"list.csv: record 3 has 1 fields, but the header has 2: the file is truncated or malformed",
		);
		expect(() => read("Id,Note\n1,a,b\n")).toThrow(StructureError);
	});

	it("refuses a file that stops in the middle of its last line", () => {
		expect(() => read("Id,Note\n1,a\n2,bc")).toThrow("the last line is not terminated: the file is truncated");
		expect(() => read('Id,Note\n1,a\n2,"bc')).toThrow("a quoted cell is not terminated: the file is truncated");
	});

	it("accepts a quoted last cell without a line end, because the closing quote completes it", () => {
		expect(read('"Id","Note"\n"1","a"')).toHaveLength(2);
	});

	it("refuses bytes that are not text", () => {
		expect(() => read("")).toThrow(StructureError);
		expect(() => read("<!DOCTYPE html><html><body>Just a moment</body></html>")).toThrow("HTML page");
		expect(() => read("Id\n\u0000\n")).toThrow("NUL");
		expect(() => readCsv(new Uint8Array([0x49, 0x64, 0x0a, 0xff, 0x0a]), "x")).toThrow("UTF-8");
	});

	it("accepts narrower lines above the header, and retains them", () => {
		const table = readCsv(bytes("Updated,today\nId,Note,More\n1,a,b\n"), "x", {
			isPreamble: (record) => record[0] === "Updated",
		});
		expect(table.rows[0]).toEqual(["Updated", "today"]);
		expect(table.rows).toHaveLength(3);
	});
});

describe("csvHeaderNames", () => {
	it("returns the names of the first lines, and none for other kinds of file", () => {
		expect(csvHeaderNames(bytes('"Project #", Request  Status\n1,2\n')).has("request status")).toBe(true);
		expect(csvHeaderNames(bytes("<Projects/>")).size).toBe(0);
		expect(csvHeaderNames(bytes('[{"id":1}]')).size).toBe(0);
		expect(csvHeaderNames(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])).size).toBe(0);
	});
});
