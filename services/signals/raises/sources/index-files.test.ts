import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { countRows, sampleNow } from "../../../../test/signals/support/sample-filing.ts";
import { readIndexFile } from "./index-files.ts";

const dashes = "-".repeat(80);
const preamble =
	"Description:           Daily Index of EDGAR Dissemination Feed\nLast Data Received:    Mar  5, 2026\n \n";

const master = `${preamble}CIK|Company Name|Form Type|Date Filed|File Name
${dashes}
1000275|HERON BANK|424B2|20260305|edgar/data/1000275/0001140361-26-000195.txt
123450|Heron, Wind LLC|D|20260305|edgar/data/123450/0000123450-26-000001.txt
123460|Egret Fund LP|D/A|20260305|edgar/data/123460/0000123460-26-000002.txt
123470|Plover Corp|8-K|20260305|edgar/data/123470/0000123470-26-000003.txt
`;

const fixed = (form: string, company: string, cik: string, day: string, path: string) =>
	`${form.padEnd(12)}${company.padEnd(62)}${cik.padEnd(12)}${day.padEnd(12)}${path}         \n`;

const formIndex =
	preamble +
	fixed("Form Type", "Company Name", "CIK", "Date Filed", "File Name") +
	`${dashes}\n` +
	fixed("D", "Heron  Wind LLC", "123450", "2026-03-05", "edgar/data/123450/0000123450-26-000001.txt") +
	fixed("SC 13D/A", "Egret Fund LP", "123460", "2026-03-05", "edgar/data/123460/0000123460-26-000002.txt");

/** As one real file has it: the header broken in two lines. */
const companyIndex = `${preamble}${"Company Name".padEnd(62)}Form Type   CIK
      Date Filed  File Name
${dashes}
${"3456 Heron Lake, LLC".padEnd(62)}D           1949340     20260305    edgar/data/1949340/0001949340-26-000001.txt
${"Heron Office Inc.".padEnd(62)}1-A POS     1700461     20260305    edgar/data/1700461/0001104659-26-105357.txt
`;

const readBytes = (bytes: Uint8Array) => readIndexFile({ name: "index.idx", bytes }, sampleNow);
const read = (source: string) => readBytes(Buffer.from(source));

const heron = {
	accessionNumber: "0000123450-26-000001",
	cik: "123450",
	company: "Heron, Wind LLC",
	form: "D",
	filingDate: "2026-03-05",
	fileNumber: null,
};

describe("readIndexFile", () => {
	it("reads the forms D and D/A of a master index and counts the others by form", () => {
		const parsed = read(master);
		expect(parsed.records[0]).toEqual(heron);
		expect(parsed.records.map(({ form }) => form)).toEqual(["D", "D/A"]);
		expect(parsed.dropped).toMatchObject([
			{ reason: "form 424B2 is not wanted", count: 1 },
			{ reason: "form 8-K is not wanted", count: 1 },
		]);
		expect(parsed.rowsIn).toBe(4);
		expect(countRows(parsed)).toBe(4);
	});

	it("reads the quarterly master index, whose dates have dashes", () => {
		const quarterly = master.replaceAll("|20260305|", "|2026-03-05|").replace("File Name", "Filename");
		expect(read(quarterly).records).toEqual(read(master).records);
	});

	it("reads a form index by the columns of its header", () => {
		expect(read(formIndex).records).toEqual([{ ...heron, company: "Heron Wind LLC" }]);
		expect(read(formIndex).dropped).toMatchObject([{ reason: "form SC 13D/A is not wanted" }]);
	});

	it("reads a company index, also with a broken header", () => {
		const expected = [{ company: "3456 Heron Lake, LLC", form: "D", cik: "1949340", filingDate: "2026-03-05" }];
		expect(read(companyIndex).records).toMatchObject(expected);
		expect(read(companyIndex.replace("CIK\n      ", "CIK         ")).records).toMatchObject(expected);
		expect(read(companyIndex).rowsIn).toBe(2);
	});

	it("reads a gzip file, and refuses a truncated or excessively large one", () => {
		const packed = gzipSync(master);
		expect(readBytes(packed)).toEqual(read(master));
		expect(() => readBytes(packed.subarray(0, -12))).toThrow("damaged, truncated or too large");
		expect(() => readBytes(gzipSync(Buffer.alloc(200 * 1024 * 1024), { level: 1 }))).toThrow("too large");
	});

	it("treats a header without rows, and the store's error for a missing file, as a day without filings", () => {
		const [header] = master.split("1000275");
		const denied = '<?xml\nversion="1.0" encoding="UTF-8"?>\n<Error>\n<Code>AccessDenied</Code></Error>\n';
		for (const empty of [header ?? "", denied, denied.replace("AccessDenied", "NoSuchKey")]) {
			expect(read(empty)).toEqual({ rowsIn: 0, records: [], dropped: [], notes: [] });
		}
	});

	it("drops an invalid row with its line number", () => {
		const broken = `${master}123450|Heron|D|20260305\n123450|Heron|D|20260305|edgar/data/none.txt\n0|Heron|D|20260305|edgar/data/0/0000123450-26-000001.txt\n9|Heron|D|20261305|edgar/data/9/0000123450-26-000001.txt\n`;
		const parsed = read(broken);
		expect(parsed.dropped.slice(2)).toEqual([
			{
				reason: "the line does not fit the layout that the header defines",
				count: 1,
				examples: ["index.idx, line 10"],
			},
			{ reason: "no accession number in the file name", count: 1, examples: ["index.idx, line 11"] },
			{ reason: "no CIK or no company name", count: 1, examples: ["index.idx, line 12"] },
			{ reason: "no plausible filing date", count: 1, examples: ["index.idx, line 13"] },
		]);
		expect(countRows(parsed)).toBe(parsed.rowsIn);
	});

	it("limits the list of reasons, whatever forms a file contains", () => {
		const rows = Array.from(
			{ length: 1000 },
			(_, at) => `1|Heron|X${at}|20260305|edgar/data/1/0000123450-26-000001.txt\n`,
		);
		const parsed = read(master + rows.join(""));
		expect(parsed.dropped.length).toBeLessThanOrEqual(201);
		expect(countRows(parsed)).toBe(1004);
	});

	it("reads company names in Latin-1", () => {
		const latin = Buffer.from(master.replace("Heron, Wind", "Héron Wind"), "latin1");
		expect(readBytes(latin).records[0]?.company).toBe("Héron Wind LLC");
	});

	it("refuses a truncated, empty or binary file, an HTML page, and a text that is not an index", () => {
		const foreign = "some text\n".repeat(100);
		for (const source of [
			master.slice(0, -5),
			"",
			"\0\n",
			"<html><body>Undeclared Automated Tool</body></html>\n",
			foreign,
		]) {
			expect(() => read(source), source.slice(0, 20)).toThrow(StructureError);
		}
		expect(() => read(master.replace("CIK|Company Name", "Company Name"))).toThrow("no header of an EDGAR index");
	});
});
