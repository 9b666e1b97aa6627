import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../test/signals/support/real-files.ts";
import { FilingCollector } from "./filing-collector.ts";
import { readDisplayName, readFullTextSearch } from "./json-feeds.ts";

const now = new Date("2026-11-20T00:00:00Z");
const bytes = (body: unknown) => new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));

const source = {
	ciks: ["0000123456"],
	period_ending: "2026-10-30",
	file_num: ["001-12345"],
	display_names: ["Blue Jay Energy Inc  (BJAY, BJAY-PA)  (CIK 0000123456)"],
	sics: ["4911"],
	file_date: "2026-11-02",
	form: "8-K",
	adsh: "0000999999-26-000001",
	file_type: "8-K",
	items: ["1.03", "9.01"],
};
const hit = (change: object = {}, file = "jay-8k.htm") => ({
	_id: `0000999999-26-000001:${file}`,
	_source: { ...source, ...change },
});
const answer = (hits: unknown, more: object = {}) => ({
	took: 5,
	timed_out: false,
	_shards: { total: 50, successful: 50, failed: 0 },
	hits: { total: { value: 1, relation: "eq" }, hits },
	...more,
});

function read(body: unknown) {
	const collector = new FilingCollector(now);
	readFullTextSearch(bytes(body), "search.json", collector);
	return collector.result();
}

describe("readFullTextSearch", () => {
	it("reads a hit", () => {
		expect(read(answer([hit()])).filings.records).toEqual([
			{
				accessionNumber: "0000999999-26-000001",
				cik: "123456",
				company: "Blue Jay Energy Inc",
				coFilers: [],
				form: "8-K",
				filingDate: "2026-11-02",
				fileNumber: "001-12345",
				reportDate: "2026-10-30",
				items: ["1.03", "9.01"],
				sic: "4911",
				url: "https://www.sec.gov/Archives/edgar/data/123456/000099999926000001/jay-8k.htm",
				dealText: null,
				subsidiaryBankruptcy: null,
			},
		]);
	});

	it("merges the documents of a filing, and finds the primary one", () => {
		const { filings } = read(
			answer([hit({ file_type: "EX-99.1" }, "ex99.htm"), hit(), hit({ file_type: "EX-10" }, "ex10.htm")]),
		);
		expect(filings.records.map(({ url }) => url.split("/").at(-1))).toEqual(["jay-8k.htm"]);
		expect(filings).toMatchObject({ rowsIn: 3, dropped: [{ count: 2 }] });
	});

	it("names the other companies of a filing", () => {
		const change = {
			ciks: ["0000300", "0000200"],
			display_names: ["Jay Texas  (CIK 0000000300)", "Jay Corp  (JAY)  (CIK 0000000200)"],
			sics: ["4911"],
		};
		const { filings } = read(answer([hit(change)]));
		expect(filings.records.map(({ cik, company, sic }) => [cik, company, sic])).toEqual([["200", "Jay Corp", null]]);
		expect(filings.records[0]?.coFilers).toEqual([{ cik: "300", company: "Jay Texas" }]);
	});

	it("reads a response without hits", () => {
		expect(read(answer([])).filings).toMatchObject({ rowsIn: 0, records: [] });
	});

	it("drops invalid hits with a reason", () => {
		const hits = [
			null,
			7,
			{ _id: "x" },
			hit({ adsh: "x" }),
			hit({ ciks: [], display_names: [] }),
			hit({ file_date: 5 }),
		];
		const { filings } = read(answer(hits));
		expect(filings.dropped.map(({ reason, count }) => [reason, count])).toEqual([
			["a hit without a filing", 3],
			["no valid accession number", 1],
			["no company number (CIK)", 1],
			["no readable filing date", 1],
		]);
		expect(filings.rowsIn).toBe(6);
	});

	it.each([
		["the message of a failed search", { errorType: "Error", errorMessage: "Endpoint request timed out" }, "timed out"],
		["an error of the search engine", { error: { type: "parsing_exception" }, status: 400 }, "parsing_exception"],
		["a gateway's message", { message: "Internal server error" }, "Internal server error"],
		["a search that timed out", answer([hit()], { timed_out: true }), "timed out"],
		["a search of which parts failed", answer([hit()], { _shards: { failed: 3 } }), "failed on 3 shards"],
		["an answer without hits at all", {}, 'has no list "hits"'],
		["a truncated response", JSON.stringify(answer([hit()])).slice(0, 100), "truncated"],
		["a page", "<html></html>", "HTML page"],
	])("refuses %s", (_, body, message) => {
		expect(() => read(body)).toThrow(message);
		expect(() => read(body)).toThrow(StructureError);
	});
});

describe("readDisplayName", () => {
	it.each([
		["FORD MOTOR CO  (F, F-PB)  (CIK 0000037996)", "FORD MOTOR CO", "37996"],
		["FORD MOTOR CREDIT CO LLC  (CIK 0000038009)", "FORD MOTOR CREDIT CO LLC", "38009"],
		["Jay (Solar) Inc (New)  (CIK 0000038009)", "Jay (Solar) Inc (New)", "38009"],
		["Jay", "Jay", null],
		["", "", null],
	])("splits %s", (written, company, cik) => {
		expect(readDisplayName(written)).toEqual({ company, cik });
	});
});

describeRealFiles("sec/efts", (files) => {
	it("account for every hit", () => {
		const found = files().map(({ name, bytes }) => {
			const collector = new FilingCollector(now);
			readFullTextSearch(bytes, name, collector);
			const { rowsIn, records, dropped } = collector.result().filings;
			expect(records.length + dropped.reduce((sum, { count }) => sum + count, 0)).toBe(rowsIn);
			return { name, rowsIn, records };
		});
		expect(found.map(({ name, rowsIn, records }) => [name, rowsIn, records.length])).toEqual([
			["0_hits.json", 0, 0],
			["10000_hits.json", 100, 64],
			["100_hits.json", 100, 0],
			["1_hit.json", 1, 0],
		]);
		const impairment = found[1]?.records.find(({ items }) => items.includes("2.06"));
		expect(impairment).toMatchObject({ company: "FORD MOTOR CO", cik: "37996", reportDate: "2024-08-19", sic: "3711" });
	});
});
