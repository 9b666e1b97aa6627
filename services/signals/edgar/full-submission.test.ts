import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { readSubmissionHeader } from "./full-submission.ts";

const encode = (source: string) => new TextEncoder().encode(source);

const full = `<SEC-DOCUMENT>0000123450-26-000011.txt : 20260306
<SEC-HEADER>0000123450-26-000011.hdr.sgml : 20260306
ACCESSION NUMBER:		0000123450-26-000011
CONFORMED SUBMISSION TYPE:	8-K
PUBLIC DOCUMENT COUNT:		2
CONFORMED PERIOD OF REPORT:	20260302
ITEM INFORMATION:		Bankruptcy or Receivership
ITEM INFORMATION:		Other Events: continued
FILED AS OF DATE:		20260306

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			HERON ÉNERGIE CORP
		CENTRAL INDEX KEY:			0000123450
		STANDARD INDUSTRIAL CLASSIFICATION:	ELECTRIC SERVICES [4911]

	FILING VALUES:
		FORM TYPE:		8-K
		SEC FILE NUMBER:	001-33333

	FORMER COMPANY:
		FORMER CONFORMED NAME:	EGRET CORP
		DATE OF NAME CHANGE:	20200101

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			HERON SUB LLC
		CENTRAL INDEX KEY:			0000123451
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>heron.htm
<TEXT>
<XBRL>
<html>é 1.03</html>
</XBRL>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-99.1
<TEXT>
plain
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;

const short = `<SUBMISSION>
<ACCESSION-NUMBER>0000123450-26-000012
<TYPE>D/A
<ITEMS>06b
<ITEMS>3C
<FILING-DATE>20260311
<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>HERON FUND LP
<CIK>0000123452
<ASSIGNED-SIC>6221
</COMPANY-DATA>
<FILING-VALUES>
<FILE-NUMBER>021-77777
</FILING-VALUES>
<FORMER-COMPANY>
<FORMER-CONFORMED-NAME>EGRET FUND LP
</FORMER-COMPANY>
</FILER>
<DOCUMENT>
<TYPE>D/A
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<?xml version="1.0"?>
<edgarSubmission/>
</XML>
</TEXT>
</DOCUMENT>
</SUBMISSION>
`;

describe("readSubmissionHeader", () => {
	it("reads the header with colons, its companies and items", () => {
		const { documents: _, ...header } = readSubmissionHeader(encode(full));
		expect(header).toEqual({
			accessionNumber: "0000123450-26-000011",
			form: "8-K",
			filingDate: "2026-03-06",
			reportDate: "2026-03-02",
			items: ["Bankruptcy or Receivership", "Other Events: continued"],
			companies: [
				{
					name: "HERON ÉNERGIE CORP",
					cik: "123450",
					sic: "4911",
					fileNumber: "001-33333",
				},
				{ name: "HERON SUB LLC", cik: "123451", sic: null, fileNumber: null },
			],
		});
	});

	it("reads the header in SGML tags", () => {
		expect(readSubmissionHeader(encode(short))).toMatchObject({
			accessionNumber: "0000123450-26-000012",
			form: "D/A",
			filingDate: "2026-03-11",
			reportDate: null,
			items: ["06b", "3C"],
			companies: [{ name: "HERON FUND LP", cik: "123452", sic: "6221", fileNumber: "021-77777" }],
		});
	});

	it("locates each document in bytes, without its wrapper", () => {
		const bytes = encode(full);
		const documents = readSubmissionHeader(bytes).documents;
		const texts = documents.map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)).trim());
		expect(documents.map(({ type, fileName }) => [type, fileName])).toEqual([
			["8-K", "heron.htm"],
			["EX-99.1", null],
		]);
		expect(texts).toEqual(["<html>é 1.03</html>", "plain"]);
		const xml = encode(short);
		const [only] = readSubmissionHeader(xml).documents;
		expect(new TextDecoder().decode(xml.subarray(only?.start, only?.end))).toMatch(
			/^<\?xml [\s\S]*<edgarSubmission\/>\s*$/,
		);
	});

	it("reads lines that end in CR LF", () => {
		const header = readSubmissionHeader(encode(full.replaceAll("\n", "\r\n")));
		expect(header).toMatchObject({ form: "8-K", filingDate: "2026-03-06" });
		expect(header.documents.map(({ type }) => type)).toEqual(["8-K", "EX-99.1"]);
	});

	it("refuses a submission truncated anywhere", () => {
		for (const source of [full, short]) {
			const whole = encode(source.trimEnd());
			for (let length = 0; length < whole.length; length += 31) {
				expect(() => readSubmissionHeader(whole.subarray(0, length)), `${length}`).toThrow(StructureError);
			}
		}
	});

	it("refuses an HTML page, another text, and a header without identity", () => {
		expect(() => readSubmissionHeader(encode("<html><body>Access Denied</body></html>"))).toThrow("HTML page");
		expect(() => readSubmissionHeader(encode("accession number"))).toThrow("begins with neither");
		expect(() => readSubmissionHeader(encode(full.replace(/ACCESSION NUMBER:.*/, "")))).toThrow("lacks an accession");
		expect(() => readSubmissionHeader(encode(full.replace("20260306\n\nFILER", "soon\n\nFILER")))).toThrow(
			"filing date",
		);
	});
});
