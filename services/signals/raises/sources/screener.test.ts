import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import { countRows, sampleNow } from "../../../../test/signals/support/sample-filing.ts";
import { isScreenerFilings, isScreenerIndex, readScreenerFilings, readScreenerIndex } from "./screener.ts";

const url = (accession: string) => `https://www.sec.gov/Archives/edgar/data/123450/${accession}/primary_doc.xml`;
const csv = (content: string) => ({ name: "list.csv", bytes: Buffer.from(content) });

const masterList = `cik,company,form,date,filing_index_url
123450,"Heron Wind, LLC",D,2024-04-17,${url("000012345024000001")}
123450,"Heron Wind, LLC",D/A,2024-09-17,${url("000012345024000002")}
123460,Egret LP,D,2024-04-18,${url("nothing")}
123460,Egret LP,10-K,2024-04-18,${url("000012346024000001")}
`;

const header =
	"submissionType,cik,entityName,street1,street2,city,stateOrCountryDescription,yearOfInc,industryGroupType," +
	"dateOfFirstSale_value,typesOfSecuritiesOffered_isEquityType,totalOfferingAmount,totalAmountSold," +
	"related1_firstName,related1_lastName,related1_city,related1_stateOrCountryDescription,related1_relationship," +
	"_latest_date,_accession\n";
const filing = (form: string, date: string, accession: string) =>
	`${form},0000123450,"Heron Wind, LLC",1 Wren St,,AUSTIN,TEXAS,2023,Other Energy,2024-04-01,true,Indefinite,1400000,` +
	`*,Heron GP LLC,Toronto,"ONTARIO, CANADA",Director|Promoter,${date},${accession}\n`;

const readIndex = () => readScreenerIndex(csv(masterList), sampleNow);
const readFilings = (rows: string) => readScreenerFilings(csv(header + rows), readIndex().records, sampleNow);

describe("the screener's pair of files", () => {
	it("takes the accession numbers of index rows from their URLs", () => {
		const parsed = readIndex();
		expect(parsed.records).toMatchObject([
			{ accessionNumber: "0000123450-24-000001", cik: "123450", form: "D", filingDate: "2024-04-17" },
			{ accessionNumber: "0000123450-24-000002", form: "D/A", company: "Heron Wind, LLC" },
		]);
		expect(parsed.dropped).toMatchObject([
			{ reason: "no accession number in the address", examples: ["record 4"] },
			{ reason: "form 10-K is neither D nor D/A", examples: ["record 5"] },
		]);
		expect(countRows(parsed)).toBe(parsed.rowsIn);
	});

	it("reads a flattened filing", () => {
		expect(readFilings(filing("D", "2024-04-17", "000012345024000001")).records).toMatchObject([
			{
				accession_number: "0000123450-24-000001",
				filing_date: "2024-04-17",
				filing_date_known: true,
				is_amendment: false,
				cik: "123450",
				issuer_state: "TX",
				year_of_inc: "2023",
				total_offering_amount: null,
				total_amount_sold: 1_400_000,
				date_of_first_sale: "2024-04-01",
				is_equity: true,
				related_persons: [
					{ name: "Heron GP LLC", relationships: ["Director", "Promoter"], city: "Toronto", state: "ONTARIO, CANADA" },
				],
			},
		]);
	});

	it("finds a missing accession number in the index by CIK, form and date, else drops the row", () => {
		const parsed = readFilings(filing("D/A", "2024-09-17", "") + filing("D/A", "2024-09-18", ""));
		expect(parsed.records).toMatchObject([{ accession_number: "0000123450-24-000002", is_amendment: true }]);
		expect(parsed.dropped).toMatchObject([{ count: 1, examples: ["record 3"] }]);
		expect(countRows(parsed)).toBe(2);
	});

	it("is recognised by its headers", () => {
		expect([isScreenerIndex(csv(masterList).bytes), isScreenerFilings(csv(masterList).bytes)]).toEqual([true, false]);
		expect([isScreenerIndex(csv(header).bytes), isScreenerFilings(csv(header).bytes)]).toEqual([false, true]);
	});

	it("is refused if it is truncated or lacks a required column", () => {
		const cut = csv((header + filing("D", "2024-04-17", "000012345024000001")).slice(0, -9));
		expect(() => readScreenerFilings(cut, [], sampleNow)).toThrow(StructureError);
		expect(() => readScreenerFilings(csv(header.replace("_latest_date", "date")), [], sampleNow)).toThrow(
			"_latest_date",
		);
		expect(() => readScreenerIndex(csv(masterList.replace("filing_index_url", "url")), sampleNow)).toThrow(
			"filing_index_url",
		);
	});
});
