import { describe, expect, test } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { readFederalRegister } from "./json-lists.ts";

const document = {
	title: "Blue Jay Solar II, LLC; Supplemental Notice That Initial Market-Based Rate Filing Includes Request",
	type: "Notice",
	abstract: null,
	document_number: "2026-12345",
	html_url: "https://www.federalregister.gov/documents/2026/09/18/2026-12345/blue-jay-solar-ii-llc",
	pdf_url: "https://www.govinfo.gov/content/pkg/FR-2026-09-18/pdf/2026-12345.pdf",
	publication_date: "2026-09-18",
	agencies: [{ name: "Federal Energy Regulatory Commission" }],
	excerpts: 'This is a notice in the matter of <span class="match">Blue Jay Solar II</span>.',
};

function read(body: unknown) {
	return readFederalRegister(Buffer.from(JSON.stringify(body)), "documents.json");
}

describe("readFederalRegister", () => {
	test("reads a document", () => {
		expect(read({ count: 1, description: "Documents", total_pages: 1, results: [document] }).records).toEqual([
			{
				url: document.html_url,
				title: document.title,
				domain: "federalregister.gov",
				publishedAt: "2026-09-18T00:00:00Z",
				source: "federalregister.gov",
				sourceCountry: null,
				organizations: [],
				snippet: "This is a notice in the matter of Blue Jay Solar II.",
			},
		]);
	});

	test("a count without results contains no documents", () => {
		expect(read({ count: 0, description: "Documents" })).toEqual({ rowsIn: 0, records: [], dropped: [], notes: [] });
	});

	test("a document without a page, title or day is counted", () => {
		const broken = [
			{ ...document, html_url: null, pdf_url: null },
			{ ...document, title: null },
			{ ...document, publication_date: null },
			7,
		];
		const { rowsIn, records, dropped } = read({ count: 4, results: broken });
		expect([rowsIn, records.length]).toEqual([4, 0]);
		expect(dropped.map(({ reason }) => reason)).toEqual([
			"no address",
			"no title",
			"no readable date",
			"not a JSON object",
		]);
	});

	test("another object is refused", () => {
		expect(() => read({ errors: { conditions: "is invalid" } })).toThrow(StructureError);
		expect(() => read({ count: 1, results: {} })).toThrow(StructureError);
	});
});
