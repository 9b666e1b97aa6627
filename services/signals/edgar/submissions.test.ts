import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../test/signals/support/real-files.ts";
import { FilingCollector } from "./filing-collector.ts";
import { readSubmissions } from "./json-feeds.ts";

const now = new Date("2026-11-20T00:00:00Z");
const bytes = (body: unknown) => new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

const columns = {
	accessionNumber: ["0000999999-26-000003", "0000999999-26-000002", "0000999999-26-000001", "0000999999-25-000009"],
	filingDate: ["2026-11-05", "2026-11-04", "2026-11-03", "2025-01-02"],
	reportDate: ["2026-11-01", "2026-11-01", "", ""],
	form: ["8-K/A", "8-K", "D", "10-Q"],
	fileNumber: ["001-12345", "001-12345", "021-55555", ""],
	items: ["9.01", "1.01,2.03,9.01", "06b", ""],
	primaryDocument: ["jay-8ka.htm", "jay-8k.htm", "xslFormDX01/primary_doc.xml", ""],
};
const company = {
	cik: "0000123456",
	name: "Blue Jay Energy Inc",
	sic: "4911",
	filings: { recent: columns, files: [] },
};

function read(body: unknown, name = "CIK0000123456.json") {
	const collector = new FilingCollector(now);
	readSubmissions(bytes(body), name, collector);
	return collector.result();
}

describe("readSubmissions", () => {
	it("reads 8-Ks with items, day of the event and document, and Form D beside them", () => {
		const { filings, index } = read(company);
		expect(filings.records[1]).toEqual({
			accessionNumber: "0000999999-26-000002",
			cik: "123456",
			company: "Blue Jay Energy Inc",
			coFilers: [],
			form: "8-K",
			filingDate: "2026-11-04",
			fileNumber: "001-12345",
			reportDate: "2026-11-01",
			items: ["1.01", "2.03", "9.01"],
			sic: "4911",
			url: "https://www.sec.gov/Archives/edgar/data/123456/000099999926000002/jay-8k.htm",
			dealText: null,
			subsidiaryBankruptcy: null,
		});
		expect(index.records).toEqual([
			{
				accessionNumber: "0000999999-26-000001",
				cik: "123456",
				company: "Blue Jay Energy Inc",
				form: "D",
				filingDate: "2026-11-03",
				fileNumber: "021-55555",
			},
		]);
		expect(filings.dropped).toEqual([
			{ reason: "form 10-Q is neither 8-K nor D", count: 1, examples: ["0000999999-25-000009"] },
		]);
		expect([filings.rowsIn, index.rowsIn]).toEqual([3, 1]);
	});

	it("reads an older page, whose company is stated only in its file name", () => {
		const { filings } = read(columns, "CIK0000123456-submissions-001.json");
		expect(filings.records.map(({ cik, company, sic }) => [cik, company, sic])[0]).toEqual(["123456", "", null]);
		expect(() => read(columns, "page.json")).toThrow("needs a valid");
	});

	it("accepts missing optional columns", () => {
		const { accessionNumber, filingDate, form } = columns;
		const { filings } = read({ ...company, filings: { recent: { accessionNumber, filingDate, form } } });
		expect(filings.records[1]).toMatchObject({ items: [], reportDate: null, fileNumber: null });
		expect(filings.records[1]?.url).toMatch(/0000999999-26-000002-index\.htm$/);
	});

	it("reads item numbers of before August 2004", () => {
		const old = {
			accessionNumber: ["0000999999-03-000001"],
			filingDate: ["2003-02-03"],
			form: ["8-K"],
			items: ["5,7,12"],
		};
		expect(read({ ...company, filings: { recent: old } }).filings.records[0]?.items).toEqual(["5", "7", "12"]);
	});

	it.each([
		["columns of unequal length", { ...columns, items: ["9.01"] }, "column items has 1 of 4 rows"],
		["a missing column", { ...columns, form: undefined }, "required column missing: form"],
	])("refuses %s", (_, recent, message) => {
		expect(() => read({ ...company, filings: { recent } })).toThrow(message);
		expect(() => read({ ...company, filings: { recent } })).toThrow(StructureError);
	});

	it.each([
		["a cut file", JSON.stringify(company).slice(0, -20)],
		["a page", "<!DOCTYPE html><html></html>"],
		["an array", "[]"],
		["another object", '{"error":"not found"}'],
		["nothing", ""],
	])("refuses %s", (_, body) => {
		expect(() => read(body)).toThrow(StructureError);
	});

	it("refuses bytes that are not UTF-8", () => {
		const latin1 = Buffer.from(JSON.stringify({ ...company, name: "Ørsted" }), "latin1");
		expect(() => readSubmissions(latin1, "x.json", new FilingCollector(now))).toThrow("UTF-8");
	});

	it("drops cells that are not text, and document names with a path", () => {
		const recent = {
			accessionNumber: ["0000999999-26-000003", 7, null],
			filingDate: ["2026-11-05", "2026-11-05", {}],
			form: ["8-K", "8-K", ["8-K"]],
			primaryDocument: ["../../../evil.htm", "", ""],
		};
		const { filings } = read({ ...company, filings: { recent } });
		expect(filings.records.map(({ url }) => url)).toEqual([
			"https://www.sec.gov/Archives/edgar/data/123456/000099999926000003/0000999999-26-000003-index.htm",
		]);
		expect(filings.dropped.map(({ count }) => count)).toEqual([1, 1]);
	});
});

describeRealFiles("sec/submissions", (files) => {
	it("account for every row, whatever its columns", () => {
		const forms = files().map(({ name, bytes }) => {
			const collector = new FilingCollector(now);
			readSubmissions(bytes, name, collector);
			const { filings, index } = collector.result();
			for (const { rowsIn, records, dropped } of [filings, index]) {
				expect(records.length + dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn);
			}
			return [name, filings.rowsIn + index.rowsIn, filings.records.length, index.records.length];
		});
		expect(forms).toEqual([
			["CIK0000895419.json", 1001, 206, 1],
			["CIK0001318605-submissions-001.json", 720, 116, 6],
			["CIK0001318605.json", 1000, 127, 1],
			["CIK0001830056.json", 6, 0, 0],
			["CIK0001835632.json", 787, 81, 2],
			["edgartools_company_submission.json", 1001, 164, 1],
			["submissions_1017389.json", 16, 0, 0],
		]);
	});
});
