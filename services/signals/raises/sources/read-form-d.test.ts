import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { describeRealFiles } from "../../../../test/signals/support/real-files.ts";
import { countRows, sampleNow, samplePrimaryDoc } from "../../../../test/signals/support/sample-filing.ts";
import { readFormD, recognizeFormD } from "./read-form-d.ts";

const file = (name: string, content: string | Buffer) => ({ name, bytes: Buffer.from(content) });
const now = { now: sampleNow };

const wrapper = (form: string, document: string) => `<SUBMISSION>
<ACCESSION-NUMBER>0000123450-26-000077
<TYPE>${form}
<FILING-DATE>20260311
<FILER>
<COMPANY-DATA>
<CONFORMED-NAME>HERON FUND LP
<CIK>0000123450
</COMPANY-DATA>
<FILING-VALUES>
<FILE-NUMBER>021-77777
</FILING-VALUES>
</FILER>
<DOCUMENT>
<TYPE>${form}
<FILENAME>primary_doc.xml
<TEXT>
<XML>
${document}</XML>
</TEXT>
</DOCUMENT>
</SUBMISSION>
`;

describe("recogniseFormD", () => {
	const dashes = "-".repeat(80);
	it.each([
		["primary-doc", "x.xml", samplePrimaryDoc()],
		["primary-doc", "xslFormDX01/primary_doc.xml", "<!DOCTYPE html><html><title>SEC FORM D</title></html>"],
		["submission", "x.txt", wrapper("D/A", "")],
		["submission", "x.txt", "<SEC-DOCUMENT>x\nCONFORMED SUBMISSION TYPE:\tD\n"],
		["index", "x.txt", `CIK|Company Name|Form Type|Date Filed|File Name\n${dashes}\n`],
		["index", "master.20240101.idx", "<Error><Code>AccessDenied</Code></Error>"],
		["index", "master.idx.gz", gzipSync("x")],
		["quarterly-table", "x.tsv", "ACCESSIONNUMBER\tFILE_NUM\n"],
		["atom", "x.xml", '<feed xmlns="http://www.w3.org/2005/Atom"><company-info></company-info></feed>'],
		["submissions", "CIK0000000001.json", '{"accessionNumber":[]}'],
		[null, "x.json", '{"0":{"cik_str":1,"ticker":"A","title":"A"}}'],
		["screener-index", "x.csv", "cik,company,form,date,filing_index_url\n"],
		[null, "x.txt", wrapper("8-K", "")],
		[null, "x.xml", "<edgarSubmission><headerData><submissionType>1-A</submissionType></headerData></edgarSubmission>"],
		[null, "x.html", "<!DOCTYPE html><html><title>Access denied</title></html>"],
		[null, "x.zip", "PK\x03\x04damaged"],
		[null, "x", ""],
		[null, "x", Buffer.from([0xff, 0x00, 0x81])],
	])("recognises %s in %s", (kind, name, content) => {
		expect(recognizeFormD(file(name, content))).toBe(kind);
	});
});

describe("readFormD", () => {
	it("takes from a submission's header what the document lacks", async () => {
		const { filings } = await readFormD([file("a.nc.txt", wrapper("D", samplePrimaryDoc()))], now);
		expect(filings.records).toMatchObject([
			{
				accession_number: "0000123450-26-000077",
				filing_date: "2026-03-11",
				filing_date_known: true,
				file_number: "021-77777",
				total_amount_sold: 1_250_000,
			},
		]);
	});

	it("reports a submission without the XML document", async () => {
		const { filings } = await readFormD([file("a.nc.txt", wrapper("D", "on paper\n"))], now);
		expect(filings).toMatchObject({ rowsIn: 1, records: [], dropped: [{ examples: ["0000123450-26-000077"] }] });
	});

	it("merges the data of several files", async () => {
		const files = [1, 2, 3].map((at) => file(`00001234502600000${at}.xml`, samplePrimaryDoc({ sold: `${at}` })));
		const test = file("000012345026000009.xml", samplePrimaryDoc({ testOrLive: "TEST" }));
		const { filings, index } = await readFormD([...files, test, file("other.bin", "x")], now);
		expect(filings.records.map(({ total_amount_sold }) => total_amount_sold)).toEqual([1, 2, 3]);
		expect(filings).toMatchObject({ rowsIn: 4, dropped: [{ reason: "a test filing", count: 1 }] });
		expect(index).toEqual({ rowsIn: 0, records: [], dropped: [], notes: [] });
	});

	it("reads D and D/A in a company's list as the index, and counts the other forms", async () => {
		const list = JSON.stringify({
			cik: "123450",
			name: "HERON FUND LP",
			filings: {
				recent: {
					accessionNumber: [
						"0000123450-26-000001",
						"0000123450-26-000002",
						"0000123450-26-000003",
						"0000123450-26-000004",
					],
					filingDate: ["2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"],
					form: ["D", "8-K", "D/A", "10-K"],
					fileNumber: ["021-1", "001-1", "021-1", "001-1"],
				},
			},
		});
		const { filings, index } = await readFormD([file("CIK0000123450.json", list)], now);
		expect(filings.rowsIn).toBe(0);
		expect(index.records).toEqual([
			expect.objectContaining({ accessionNumber: "0000123450-26-000001", form: "D", company: "HERON FUND LP" }),
			expect.objectContaining({ accessionNumber: "0000123450-26-000003", form: "D/A", fileNumber: "021-1" }),
		]);
		expect(index.rowsIn).toBe(4);
		expect(index.dropped).toEqual([
			{ reason: "form 10-K is neither 8-K nor D", count: 1, examples: ["0000123450-26-000004"] },
			{ reason: "form 8-K is neither D nor D/A", count: 1, examples: ["0000123450-26-000002"] },
		]);
	});

	it("refuses all files if one is truncated, and names it", async () => {
		const files = [file("a.xml", samplePrimaryDoc()), file("b.xml", samplePrimaryDoc().slice(0, 900))];
		await expect(readFormD(files, now)).rejects.toThrow(StructureError);
		await expect(readFormD(files, now)).rejects.toThrow("b.xml");
	});
});

describeRealFiles("sec", (all) => {
	it("reads every filing of the folder, and reports those without an accession number", async () => {
		const { filings } = await readFormD(all("form-d"), now);
		expect(filings).toMatchObject({ rowsIn: 18, notes: [] });
		expect(filings.records).toHaveLength(15);
		expect(filings.dropped).toMatchObject([
			{ count: 3, examples: ["D.1685REIT.xml", "D.APFund.xml", "D.Shepards.xml"] },
		]);
		const by = new Map(filings.records.map((filing) => [filing.accession_number, filing]));
		expect(by.get("0001496539-10-000001")).toMatchObject({
			cik: "1496539",
			industry_group: "Oil and Gas",
			total_offering_amount: 25_000_000,
			total_amount_sold: 1_135_000,
			date_of_first_sale: "2007-09-24",
			year_of_inc: "2007",
		});
		expect(by.get("0001398344-24-000491")).toMatchObject({
			filing_date: "2024-01-11",
			file_number: "021-67023",
			previous_accession_number: "0001398344-18-000523",
			total_offering_amount: null,
			total_amount_sold: 561_224_695,
			year_of_inc: "Over Five Years Ago",
		});
		const names = filings.records.flatMap(({ related_persons }) => related_persons.map(({ name }) => name));
		expect(names).toEqual(
			expect.arrayContaining(["Investure, LLC", "Blake Capital Corp", "Jordan Park Access Solutions GP LLC"]),
		);
		expect(names.filter((name) => /^(n\/a|llc|\.)/i.test(name))).toEqual([]);
	});

	it("accounts for every row of the indexes", async () => {
		const counts = await Promise.all(
			all("index").map(async (one) => {
				const { index } = await readFormD([one], now);
				expect(countRows(index)).toBe(index.rowsIn);
				return [one.name, index.rowsIn, index.records.length];
			}),
		);
		// The rows of D and D/A as `grep` counts them in the files.
		expect(counts).toEqual([
			["2024-01-01.master.idx", 0, 0],
			["2024-01-02.master.idx", 5531, 181],
			["company.20221003.idx", 4925, 181],
			["form.20200318.idx", 4084, 176],
		]);
	});

	it("accounts for every row of the screener's two files, which agree", async () => {
		const { filings, index } = await readFormD(all("form-d-screener"), now);
		expect([filings.rowsIn, filings.records.length, index.rowsIn, index.records.length]).toEqual([
			56, 56, 17_683, 17_683,
		]);
		const dates = new Map(index.records.map((row) => [row.accessionNumber, row.filingDate]));
		expect(filings.records.every((filing) => dates.get(filing.accession_number) === filing.filing_date)).toBe(true);
		expect(filings.records[0]).toMatchObject({
			accession_number: "0002020050-24-000001",
			issuer_name: "1436 ECR LLC",
			issuer_state: "CA",
			total_amount_sold: 1_400_000,
			date_of_first_sale: "2023-06-28",
		});
	});
});
