import { describe, expect, it } from "vitest";
import { StructureError } from "#libs/files/structure-error.ts";
import {
	person,
	type SampleParts,
	sampleNow,
	samplePrimaryDoc,
} from "../../../../test/signals/support/sample-filing.ts";
import { readPrimaryDoc } from "./primary-doc.ts";

const name = "000012345026000001-primary_doc.xml";
const encode = (source: string) => new TextEncoder().encode(source);
const read = (changes: Partial<SampleParts> = {}, source: object = {}) =>
	readPrimaryDoc(encode(samplePrimaryDoc(changes)), { name, now: sampleNow, ...source });
const record = (changes: Partial<SampleParts> = {}) => read(changes).records[0];

describe("readPrimaryDoc", () => {
	it("reads a complete filing", () => {
		expect(read()).toEqual({
			rowsIn: 1,
			dropped: [],
			notes: [],
			records: [
				{
					accession_number: "0000123450-26-000001",
					filing_date: "2026-02-10",
					filing_date_known: false,
					file_number: null,
					is_amendment: false,
					previous_accession_number: null,
					cik: "123450",
					issuer_name: "Blue Jay Solar Holdings & Partners, LLC",
					previous_names: [],
					entity_type: "Limited Liability Company",
					jurisdiction: "DELAWARE",
					issuer_street: "1 Wren Street, Suite 2",
					issuer_city: "Austin",
					issuer_state: "TX",
					year_of_inc: "2023",
					industry_group: "Other Energy",
					total_offering_amount: 5_000_000,
					total_amount_sold: 1_250_000,
					date_of_first_sale: "2026-02-03",
					is_equity: true,
					is_debt: false,
					related_persons: [
						{ name: "Ada Q. Marsh", relationships: ["Director", "Promoter"], city: "Austin", state: "TX" },
					],
					clarification: "Units of 1 MW each",
				},
			],
		});
	});

	it("prefers accession number, date and file number from the caller", () => {
		const source = { accessionNumber: "000999999926000007", filingDate: "20260212", fileNumber: "021-555" };
		expect(read({}, source).records[0]).toMatchObject({
			accession_number: "0009999999-26-000007",
			filing_date: "2026-02-12",
			filing_date_known: true,
			file_number: "021-555",
		});
	});

	it("finds the accession number in a URL path", () => {
		const address = "https://www.sec.gov/Archives/edgar/data/123450/000012345026000009/primary_doc.xml";
		expect(read({}, { name: address }).records[0]?.accession_number).toBe("0000123450-26-000009");
	});

	it("reads an amendment by form or flag", () => {
		const amendment =
			"<isAmendment>true</isAmendment><previousAccessionNumber>0000123450-25-000004</previousAccessionNumber>";
		expect(record({ amendment })).toMatchObject({
			is_amendment: true,
			previous_accession_number: "0000123450-25-000004",
		});
		expect(record({ type: "D/A" })?.is_amendment).toBe(true);
	});

	it("reads Indefinite and a sale yet to occur as unknown, and zero as zero", () => {
		const filing = record({ offered: "Indefinite", sold: "0", firstSale: "<yetToOccur>true</yetToOccur>" });
		expect(filing).toMatchObject({ total_offering_amount: null, total_amount_sold: 0, date_of_first_sale: null });
	});

	it("states the year of incorporation, else the text of the form", () => {
		expect(record({ yearOfInc: "<overFiveYears>true</overFiveYears>" })?.year_of_inc).toBe("Over Five Years Ago");
		expect(record({ yearOfInc: "<yetToBeFormed>true</yetToBeFormed>" })?.year_of_inc).toBe("Yet to Be Formed");
		expect(record({ yearOfInc: "" })?.year_of_inc).toBeNull();
	});

	it("reads equity and debt each by its flag", () => {
		expect(record({ securities: "<isDebtType>true</isDebtType>" })).toMatchObject({ is_equity: false, is_debt: true });
		const both = "<isEquityType>true</isEquityType><isDebtType>true</isDebtType>";
		expect(record({ securities: both })).toMatchObject({ is_equity: true, is_debt: true });
	});

	it("keeps previous names once, and reads None as none", () => {
		const names = ["Wren Power", "WREN POWER", "None"].map((one) => `<previousName>${one}</previousName>`).join("");
		expect(record({ previousNames: names })?.previous_names).toEqual(["Wren Power"]);
	});

	it.each(["Wren Power", "<value>Wren Power</value>", "<previousName><value>Wren Power</value></previousName>"])(
		"keeps a previous name that is filed as %s",
		(previousNames) => expect(record({ previousNames })?.previous_names).toEqual(["Wren Power"]),
	);

	it.each(["</entityName", "</entityName\n\t", "</jurisdictionOfInc\r\n"])(
		"repairs the end tag %j, with a note",
		(tag) => {
			const filed = samplePrimaryDoc().replace(new RegExp(`${tag.trim()}>\\s*`), tag);
			const parsed = readPrimaryDoc(encode(filed), { name, now: sampleNow });
			expect(parsed.records).toEqual(read().records);
			expect(parsed.notes).toMatchObject([
				{ reason: 'an end tag without ">" was repaired', count: 1, examples: [name] },
			]);
		},
	);

	it.each([
		["N/A", "n/a", "Heron Ridge, LLC", "Heron Ridge, LLC"],
		["-", "", "Heron GP", "Heron GP"],
		["*", "", "HZ II, LLC", "HZ II, LLC"],
		["LLC", "", "Fund GP,", "Fund GP, LLC"],
		["Ltd.", "", "Egret Group", "Egret Group Ltd."],
		["Heron,", "", "LLC", "Heron, LLC"],
		["U.S. Heron", "", "Corporation", "U.S. Heron Corporation"],
		["NA", "", "Heron Manager LLC", "Heron Manager LLC"],
		["Na", "", "Li", "Na Li"],
		["José", "M.", "Núñez", "José M. Núñez"],
	])("joins %j %j %j to %s", (first, middle, last, expected) => {
		expect(record({ persons: person(first, middle, last) })?.related_persons.map((one) => one.name)).toEqual([
			expected,
		]);
	});

	it("omits a person with only placeholders", () => {
		const persons = person("N/A", "-", "None") + person("Ada", "", "Marsh");
		expect(record({ persons })?.related_persons.map((one) => one.name)).toEqual(["Ada Marsh"]);
	});

	it("omits implausible amounts and dates, with a note", () => {
		const parsed = read({ sold: "100000000001", offered: "-5", firstSale: "<value>0023-05-01</value>" });
		expect(parsed.records[0]).toMatchObject({
			total_amount_sold: null,
			total_offering_amount: null,
			date_of_first_sale: null,
		});
		expect(parsed.notes.map(({ reason }) => reason)).toEqual([
			"total offering amount is not plausible and was left out",
			"total amount sold is not plausible and was left out",
			"date of first sale is not plausible and was left out",
		]);
		expect(record({ sold: "100000000000" })?.total_amount_sold).toBe(100_000_000_000);
		expect(record({ firstSale: "<value>2027-11-20</value>" })?.date_of_first_sale).toBe("2027-11-20");
		expect(record({ firstSale: "<value>2027-11-21</value>" })?.date_of_first_sale).toBeNull();
		expect(record({ yearOfInc: "<value>0023</value>" })?.year_of_inc).toBeNull();
	});

	it.each([
		["a test filing", { testOrLive: "TEST" }, {}],
		["form 1-A is neither D nor D/A", { type: "1-A" }, {}],
		["no accession number, neither in the file nor in its name", {}, { name: "D.Heron.xml" }],
		["the issuer has no CIK", { cik: "0000000000" }, {}],
		["the issuer has no name", { name: " " }, {}],
		["no plausible filing date or date of signature", { signed: "soon" }, {}],
	])("drops %s, with that reason", (reason, changes, source) => {
		const parsed = read(changes, source);
		expect(parsed.records).toEqual([]);
		expect(parsed.dropped).toMatchObject([{ reason, count: 1 }]);
	});

	it("refuses the HTML rendering with a reason, and any other HTML page", () => {
		const page = (title: string) => encode(`<!DOCTYPE html><html><head><title>${title}</title></head></html>`);
		const source = { name, now: sampleNow };
		expect(() => readPrimaryDoc(page("SEC FORM D"), source)).toThrow("HTML rendering (xslFormDX01)");
		expect(() => readPrimaryDoc(page("Request Rate Threshold Exceeded"), source)).toThrow("is an HTML page");
	});

	it("refuses a document truncated anywhere, and another root", () => {
		const whole = encode(samplePrimaryDoc().trimEnd());
		for (let length = 0; length < whole.length; length += 97) {
			expect(() => readPrimaryDoc(whole.subarray(0, length), { name, now: sampleNow }), `${length}`).toThrow(
				StructureError,
			);
		}
		expect(() => readPrimaryDoc(encode("<ownershipDocument/>"), { name, now: sampleNow })).toThrow("ownershipDocument");
	});

	it("limits the length of texts", () => {
		const filing = record({ name: "x".repeat(100_000), persons: person("Ada", "", "M").repeat(1000) });
		expect(filing?.issuer_name).toHaveLength(300);
		expect(filing?.related_persons).toHaveLength(400);
	});
});
