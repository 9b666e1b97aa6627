import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { isArticleTable, readArticleTable } from "./article-table.ts";

function read(text: string) {
	return readArticleTable(Buffer.from(text), "list.csv");
}

const companies = `company,query,title,url,date,domain,language,sourceCountry,tone
Shell,"""Shell"" AND carbon","Shell sells wind farm , sources say",https://www.example.com/a,20250926T231500Z,example.com,English,,
`;
const artlist = `url,url_mobile,title,seendate,socialimage,domain,language,sourcecountry,seendate_parsed,query
https://www.example.com/a,,"Shell sells wind farm , sources say",20250926T231500Z,,example.com,English,United States,2025-09-26 23:15:00+00:00,wind
`;
const enriched = `date,source_name,headline,snippet,url,issue_area,seendate,language
2025-09-26,example.com,"Shell sells wind farm , sources say","Shell sells wind farm , sources say | GDELT query geography: Bronx",https://www.example.com/a,energy,20250926T231500Z,English
`;

describe("readArticleTable", () => {
	test("three layouts yield the same articles", () => {
		const expected = {
			url: "https://www.example.com/a",
			title: "Shell sells wind farm, sources say",
			domain: "example.com",
			publishedAt: "2025-09-26T23:15:00Z",
			source: "GDELT DOC",
			sourceCountry: null,
			organizations: [],
			snippet: null,
		};
		expect(read(companies).records).toEqual([expected]);
		expect(read(artlist).records).toEqual([{ ...expected, sourceCountry: "United States" }]);
		expect(read(enriched).records).toEqual([expected]);
	});

	test("columns are found by name, in any position", () => {
		const { records } = read("Date,TITLE,x,Url\n2025-09-26,Shell sells wind farm,1,https://example.com/a\n");
		expect(records).toEqual([expect.objectContaining({ publishedAt: "2025-09-26T00:00:00Z" })]);
	});

	test("a snippet that adds to the title is kept", () => {
		const { records } = read("url,title,date,snippet\nhttps://example.com/a,Solar farm,2025-09-26,Savion builds it\n");
		expect(records[0]?.snippet).toBe("Savion builds it");
	});

	test("rows without title, URL or date are counted with their position", () => {
		const rows = [
			"https://example.com/a,,2025-09-26",
			",Solar farm,2025-09-26",
			"https://example.com/b,Solar farm,soon",
			"https://example.com/c,Solar farm,2025-09-26",
			`https://example.com/d,${"x".repeat(10_000_000)},2025-09-26`,
		];
		const parsed = read(`url,title,date\n${rows.join("\n")}\n`);
		expect(parsed.rowsIn).toBe(5);
		expect(parsed.records.map(({ url }) => url)).toEqual(["https://example.com/c"]);
		expect(parsed.dropped).toEqual([
			{ reason: "no title", count: 1, examples: ["record 1: https://example.com/a"] },
			{ reason: "no address", count: 1, examples: ["record 2"] },
			{ reason: "no readable date", count: 1, examples: ["record 3: https://example.com/b"] },
			{ reason: "title longer than 1000 characters", count: 1, examples: ["record 5: https://example.com/d"] },
		]);
	});

	test.each([
		[
			"title,url,domain,expected_type\nA,https://a.com/1,a.com,ma\nB,https://a.com/2,a.com,ma\n",
			"a headline without a date: the table has no date column",
		],
		[
			"globaleventid,mentionidentifier\n1,https://a.com/1\n2,https://a.com/2\n",
			"a GDELT mention: an address without a headline",
		],
		[
			'tableId,dataType,Empty,Description\nA,INTEGER,NULLABLE,"a, b"\nB,STRING,NULLABLE,x\n',
			"the label of a column, not an article",
		],
		[
			"\ttableId\tdataType\tEmpty\tDescription\n0\tA\tSTRING\tNULLABLE\tx\n1\tB\tSTRING\tNULLABLE\ty\n",
			"the label of a column, not an article",
		],
	])("each row of %j is dropped with the table's reason", (text, reason) => {
		expect(isArticleTable(Buffer.from(text))).toBe(true);
		expect(read(text)).toEqual({
			rowsIn: 2,
			records: [],
			dropped: [{ reason, count: 2, examples: ["list.csv"] }],
			notes: [],
		});
	});

	test("a table without rows contains no articles", () => {
		for (const text of ["url,title,date\n", "url,title\n", "\ttableId\tdataType\tEmpty\n"]) {
			expect(read(text)).toEqual({ rowsIn: 0, records: [], dropped: [], notes: [] });
		}
	});

	test("another table, a truncated one and bytes that are not UTF-8 are refused", () => {
		expect(() => read("Project,County\nBlue Jay,Kern\n")).toThrow(StructureError);
		expect(() => read("")).toThrow(StructureError);
		for (let cut = 1; cut < 60; cut += 7) expect(() => read(companies.slice(0, -cut))).toThrow(StructureError);
		expect(() => readArticleTable(Buffer.from(`${artlist}\xe9`, "latin1"), "list.csv")).toThrow(StructureError);
	});
});
