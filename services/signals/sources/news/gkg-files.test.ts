import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { gkgNames, readLastUpdate } from "./gkg-files.ts";

const md5 = "297a16b493de7cf6ca809a7cc31d0b93";
const list = `150383 ${md5} http://data.gdeltproject.org/gdeltv2/20260918031500.export.CSV.zip
318084 ${md5} http://data.gdeltproject.org/gdeltv2/20260918031500.mentions.CSV.zip
4768507 ${md5.toUpperCase()} http://data.gdeltproject.org/gdeltv2/20260918031500.gkg.csv.zip
`;

describe("readLastUpdate", () => {
	test("the GKG line of three is read", () => {
		const expected = { size: 4_768_507, md5, url: "http://data.gdeltproject.org/gdeltv2/20260918031500.gkg.csv.zip" };
		expect(readLastUpdate(Buffer.from(list), "lastupdate.txt")).toEqual(expected);
		expect(readLastUpdate(Buffer.from(list.replaceAll("\n", "\r\n")), "lastupdate.txt")).toEqual(expected);
	});

	test("an error page, a cut list and nothing are refused", () => {
		for (const body of ["<html>503</html>", list.slice(0, -20), "", "x".repeat(5_000_000)]) {
			expect(() => readLastUpdate(Buffer.from(body), "lastupdate.txt")).toThrow(StructureError);
		}
	});
});

describe("gkgNames", () => {
	test("a day has 96 files", () => {
		const names = gkgNames("2026-09-18T00:00:00Z", "2026-09-19T00:00:00Z");
		expect(names).toHaveLength(96);
		expect(names.slice(0, 2)).toEqual(["20260918000000.gkg.csv.zip", "20260918001500.gkg.csv.zip"]);
		expect(names.at(-1)).toBe("20260918234500.gkg.csv.zip");
	});

	test("the beginning counts, the end does not, and neither is rounded into the span", () => {
		expect(gkgNames("2026-12-31T23:45:01Z", "2027-01-01T00:15:00Z")).toEqual(["20270101000000.gkg.csv.zip"]);
		expect(gkgNames("2026-09-18T00:01:00Z", "2026-09-18T00:14:00Z")).toEqual([]);
		expect(gkgNames("2026-09-19T00:00:00Z", "2026-09-18T00:00:00Z")).toEqual([]);
	});

	test("an offset is taken into account", () => {
		expect(gkgNames("2026-09-17T23:15:00-04:00", "2026-09-18T03:30:00Z")).toEqual(["20260918031500.gkg.csv.zip"]);
	});

	test("what is no moment, and a span beyond a hundred days, is refused", () => {
		expect(() => gkgNames("soon", "2026-09-18T00:00:00Z")).toThrow(RangeError);
		expect(() => gkgNames("2015-02-18T00:00:00Z", "2026-09-18T00:00:00Z")).toThrow(RangeError);
	});
});
