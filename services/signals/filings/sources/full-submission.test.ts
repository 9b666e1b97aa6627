import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../../test/signals/support/real-files.ts";
import { FilingCollector } from "../../edgar/filing-collector.ts";
import { readFullSubmission } from "./read-8-k.ts";

const now = new Date("2026-11-20T00:00:00Z");

interface Submission {
	items?: string[];
	body?: string;
	companies?: [string, string][];
	type?: string;
}

const jay: [string, string] = ["BLUE JAY ENERGY INC", "0000123456"];

function submission({ items = [], body = "", companies = [jay], type = "8-K" }: Submission): Uint8Array {
	const filers = companies.map(
		([name, cik]) => `FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			${name}
		CENTRAL INDEX KEY:			${cik}
		STANDARD INDUSTRIAL CLASSIFICATION:	ELECTRIC SERVICES [4911]

	FILING VALUES:
		FORM TYPE:		${type}
		SEC FILE NUMBER:	001-12345
`,
	);
	return new TextEncoder().encode(`<SEC-DOCUMENT>0000999999-26-000001.txt : 20261102
<SEC-HEADER>0000999999-26-000001.hdr.sgml : 20261102
ACCESSION NUMBER:		0000999999-26-000001
CONFORMED SUBMISSION TYPE:	${type}
CONFORMED PERIOD OF REPORT:	20261030
${items.map((title) => `ITEM INFORMATION:		${title}`).join("\n")}
FILED AS OF DATE:		20261102

${filers.join("\n")}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${type}
<SEQUENCE>1
<FILENAME>jay-8k.htm
<TEXT>
<html><body>${body}</body></html>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-2.1
<SEQUENCE>2
<FILENAME>ex21.htm
<TEXT>
<html>AGREEMENT AND PLAN OF MERGER</html>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`);
}

function read(source: Uint8Array) {
	const collector = new FilingCollector(now);
	readFullSubmission(source, "filing.txt", collector);
	return collector.result();
}

const agreement = "Entry into a Material Definitive Agreement";
const bankruptcy = "Bankruptcy or Receivership";
const exhibits = "<p>Item 9.01 Financial Statements and Exhibits</p><p>2.1 Agreement and Plan of Merger</p>";

/** Reads this text as a 1.01. */
function dealTextOf(text: string) {
	const body = `<p>Soliciting material</p><p><b>Item&#160;1.01</b> &#8211; <b>Entry into</b> a Material Definitive Agreement.</p><p>${text}</p>${exhibits}`;
	return read(submission({ items: [agreement], body })).filings.records[0]?.dealText;
}

/** Reads this text as a 1.03. */
function subsidiaryOf(text: string) {
	const body = `<div>Item 1.03. Bankruptcy or Receivership</div><div>${text}</div>${exhibits}`;
	return read(submission({ items: [bankruptcy], body })).filings.records[0]?.subsidiaryBankruptcy;
}

describe("readFullSubmission", () => {
	it("reads the header: titles become codes, the period is the day of the event", () => {
		const items = [agreement, "Appointment of something new", "Financial Statements and Exhibits"];
		expect(read(submission({ items })).filings.records).toEqual([
			{
				accessionNumber: "0000999999-26-000001",
				cik: "123456",
				company: "BLUE JAY ENERGY INC",
				coFilers: [],
				form: "8-K",
				filingDate: "2026-11-02",
				fileNumber: "001-12345",
				reportDate: "2026-10-30",
				items: ["1.01", "Appointment of something new", "9.01"],
				sic: "4911",
				url: "https://www.sec.gov/Archives/edgar/data/123456/000099999926000001/jay-8k.htm",
				dealText: false,
				subsidiaryBankruptcy: null,
			},
		]);
	});

	it("does not judge deals or bankruptcies without such items", () => {
		const { filings } = read(submission({ items: ["Other Events"], body: "merger agreement" }));
		expect(filings.records[0]).toMatchObject({ items: ["8.01"], dealText: null, subsidiaryBankruptcy: null });
	});

	it("names the other companies of the filing", () => {
		const { filings } = read(submission({ companies: [["JAY TEXAS LLC", "0000300"], jay, ["JAY CORP", "200"]] }));
		expect(filings.records.map(({ company }) => company)).toEqual(["JAY CORP"]);
		expect(filings.records[0]?.coFilers.map(({ company }) => company).sort()).toEqual([
			"BLUE JAY ENERGY INC",
			"JAY TEXAS LLC",
		]);
		expect(filings.rowsIn).toBe(1);
	});

	it.each([
		"On October 30 the Company entered into an Agreement and Plan\nof&#160;Merger with Wren Parent, Inc.",
		"a Merger Agreement with Wren",
		"a <b>Purchase and Sale</b> Agreement for the 200 MW project",
		"a Membership Interest Purchase Agreement (the MIPA)",
		"sold all membership interests: a limited liability company interest purchase agreement",
		"a Stock Purchase Agreement with Wren",
		"an Asset Purchase Agreement with Wren",
	])("classifies as a deal: %s", (text) => {
		expect(dealTextOf(text)).toBe(true);
	});

	it.each([
		"a Credit Agreement with Wren Bank",
		"a Receivables Purchase and Sale Agreement",
		"a power purchase and sale agreement",
		"a Common Stock Purchase Agreement with investors",
		"an underwriting agreement; the employee stock purchase plan",
	])("does not classify as a deal, whatever the list of exhibits contains: %s", (text) => {
		expect(dealTextOf(text)).toBe(false);
	});

	it.each([
		'On November 1, Wren Solar LLC, an indirect wholly-owned subsidiary of Blue Jay Energy, Inc. (the "Company"), filed a voluntary petition.',
		"Certain subsidiaries of the Company filed voluntary petitions under chapter 11.",
		"The Company announced that the Company’s indirect German subsidiary filed for insolvency.",
		"Wren filed a petition. Wren is a subsidiary. The Company is not included in the Chapter 11 case.",
	])("classifies as a subsidiary's bankruptcy: %s", (text) => {
		expect(subsidiaryOf(text)).toBe(true);
	});

	it.each([
		'On November 1, Blue Jay Energy, Inc. (the "Company") and certain of its direct and indirect subsidiaries filed voluntary petitions.',
		"Blue Jay Energy and each of its wholly owned subsidiaries commenced chapter 11 cases.",
		"The Company filed a voluntary petition.",
		"We and our subsidiaries filed voluntary petitions.",
	])("classifies as the registrant's own bankruptcy: %s", (text) => {
		expect(subsidiaryOf(text)).toBe(false);
	});

	it("ignores scripts, and mentions of the item under another one", () => {
		const body = `<script>merger agreement</script><p>Item 1.01 Entry into a Material Definitive Agreement</p><p>A loan.</p>
			<p>Item 2.03 Creation of a Direct Financial Obligation</p><p>What Item 1.01 says of the merger agreement applies.</p>`;
		expect(read(submission({ items: [agreement], body })).filings.records[0]?.dealText).toBe(false);
	});

	it("reads a maliciously slow document quickly", () => {
		const hostile = "<div>".repeat(200_000) + "Item 1.01 subsidiary of , inc the Company's a ".repeat(50_000);
		const { filings } = read(submission({ items: [agreement, bankruptcy], body: hostile }));
		expect(filings.records[0]).toMatchObject({ dealText: false });
	});

	it.each([
		["a cut submission", submission({}).subarray(0, -30)],
		["a page", new TextEncoder().encode("<html>Request Rate Threshold Exceeded</html>")],
		["nothing", new Uint8Array()],
	])("refuses %s", (_, source) => {
		expect(() => read(source)).toThrow(StructureError);
	});
});

describeRealFiles("sec/full-text-submissions", (files) => {
	it("are three 8-Ks", () => {
		const collector = new FilingCollector(now);
		for (const { name, bytes } of files()) readFullSubmission(bytes, name, collector);
		const { rowsIn, records } = collector.result().filings;
		expect(rowsIn).toBe(3);
		expect(records.map(({ company, reportDate, items, sic }) => [company, reportDate, items, sic])).toEqual([
			["NVIDIA CORP", "2026-03-02", ["5.02", "9.01"], "3674"],
			["BlackRock Inc.", "2023-02-24", ["5.02"], "6211"],
			["Meta Platforms, Inc.", "2025-12-19", ["5.02"], "7370"],
		]);
		expect(records[2]?.url).toBe(
			"https://www.sec.gov/Archives/edgar/data/1326801/000162828025058337/meta-20251219.htm",
		);
	});
});
