import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../../test/signals/support/real-files.ts";
import { readEightK, recognizeEightK } from "./read-8-k.ts";

const now = new Date("2026-11-20T00:00:00Z");
const file = (name: string, source: string) => ({ name, bytes: new TextEncoder().encode(source) });

const columns = {
	accessionNumber: ["0000999999-26-000001"],
	filingDate: ["2026-11-02"],
	reportDate: ["2026-10-30"],
	form: ["8-K"],
	items: ["1.01,9.01"],
	primaryDocument: ["jay-8k.htm"],
};
const older = file("CIK0000123456-submissions-001.json", JSON.stringify(columns));
const recent = file(
	"CIK0000123456.json",
	JSON.stringify({
		cik: "0000123456",
		entityType: "operating",
		name: "Blue Jay Energy Inc",
		filings: { recent: columns },
	}),
);
const feed = file(
	"page.xml",
	`<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><id>https://www.sec.gov/cgi-bin/browse-edgar</id>
	<entry><title>8-K - Blue Jay Energy Inc (0000123456) (Filer)</title><category term="8-K"/><updated>2026-11-02T17:00:00-05:00</updated>
	<id>urn:tag:sec.gov,2008:accession-number=0000999999-26-000001</id></entry></feed>`,
);
const search = file("search.json", '{"took":1,"timed_out":false,"_shards":{"failed":0},"hits":{"hits":[]}}');

describe("recogniseEightK", () => {
	it.each([
		[older, "submissions"],
		[recent, "submissions"],
		[feed, "atom"],
		[search, "full-text-search"],
		[file("x.txt", "<SEC-DOCUMENT>x.txt : 20261102\nCONFORMED SUBMISSION TYPE:\t8-K/A\nPUBLIC"), "full-submission"],
		[file("x.txt", "<SEC-DOCUMENT>x.txt : 20261102\nCONFORMED SUBMISSION TYPE:\t10-K\nPUBLIC"), null],
		[file("x.nc.txt", "<SUBMISSION>\n<ACCESSION-NUMBER>1\n<TYPE>D\n"), null],
		[file("news.xml", '<feed xmlns="http://www.w3.org/2005/Atom"><title>Energy news</title></feed>'), null],
		[file("x.json", '{"articles":[]}'), null],
		[file("x.html", "<!DOCTYPE html><html>browse-edgar</html>"), null],
		[file("x", ""), null],
		[{ name: "x", bytes: new Uint8Array([0xff, 0xfe, 0, 0x80]) }, null],
	])("recognises %o as %s", (one, kind) => {
		expect(recognizeEightK(one)).toBe(kind);
	});
});

describe("readEightK", () => {
	it.each([
		[older, "", "2026-10-30", "jay-8k.htm"],
		[recent, "Blue Jay Energy Inc", "2026-10-30", "jay-8k.htm"],
		[feed, "Blue Jay Energy Inc", null, "0000999999-26-000001-index.htm"],
	])("reads the filing in %o, which may lack the company's name", (one, company, reportDate, document) => {
		const { filings } = readEightK(one, now);
		const url = `https://www.sec.gov/Archives/edgar/data/123456/000099999926000001/${document}`;
		expect(filings.records).toEqual([expect.objectContaining({ company, reportDate, url })]);
		expect(filings).toMatchObject({ rowsIn: 1, dropped: [] });
	});

	it("reads nothing from a file of another kind, and refuses a truncated one", () => {
		expect(readEightK(file("x.csv", "a,b\n1,2\n"), now).filings.rowsIn).toBe(0);
		const cut = { ...recent, bytes: recent.bytes.subarray(0, -10) };
		expect(() => readEightK(cut, now)).toThrow(StructureError);
	});
});

for (const folder of ["submissions", "efts", "getcurrent-2025-12-12", "full-text-submissions"]) {
	describeRealFiles(`sec/${folder}`, (files) => {
		it("are all recognised, and every row is accounted for", () => {
			expect(files().map(recognizeEightK)).not.toContain(null);
			const read = files().map((one) => readEightK(one, now));
			for (const { rowsIn, records, dropped } of read.flatMap(({ filings, index }) => [filings, index])) {
				expect(records.length + dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn);
			}
			expect(read.flatMap(({ filings }) => filings.records).length).toBeGreaterThan(0);
		});
	});
}

describeRealFiles("sec/form-d", (files) => {
	it("are not recognised", () => {
		expect(new Set(files().map(recognizeEightK))).toEqual(new Set([null]));
	});
});
