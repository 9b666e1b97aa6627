import { constants, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { storeArchive } from "#libs/files/archive.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { countRows, sampleNow } from "../../../../test/signals/support/sample-filing.ts";
import type { SourceFile } from "../../records/records.ts";
import { readQuarterlyTables, readQuarterlyZip } from "./quarterly-sets.ts";

type Rows = Record<string, string>[];

/** A table of these rows; a row lacks the columns that it does not name. */
function tsv(columns: string, rows: Rows): string {
	const names = columns.split(" ");
	return [names.join("\t"), ...rows.map((row) => names.map((name) => row[name] ?? "").join("\t")), ""].join("\n");
}

const submissionColumns = "ACCESSIONNUMBER FILE_NUM FILING_DATE SIC_CODE SCHEMAVERSION SUBMISSIONTYPE TESTORLIVE";
const issuerColumns =
	"ACCESSIONNUMBER IS_PRIMARYISSUER_FLAG ISSUER_SEQ_KEY CIK ENTITYNAME STREET1 STREET2 CITY STATEORCOUNTRY " +
	"JURISDICTIONOFINC ISSUER_PREVIOUSNAME_1 EDGAR_PREVIOUSNAME_1 ENTITYTYPE YEAROFINC_TIMESPAN_CHOICE YEAROFINC_VALUE_ENTERED";
const offeringColumns =
	"ACCESSIONNUMBER INDUSTRYGROUPTYPE ISAMENDMENT PREVIOUSACCESSIONNUMBER SALE_DATE YETTOOCCUR ISEQUITYTYPE ISDEBTTYPE " +
	"TOTALOFFERINGAMOUNT TOTALAMOUNTSOLD SALESAMTCLARIFICATIONOFRESP";
const personColumns =
	"ACCESSIONNUMBER RELATEDPERSON_SEQ_KEY FIRSTNAME MIDDLENAME LASTNAME CITY STATEORCOUNTRY RELATIONSHIP_1 RELATIONSHIP_2";

const first = "0000123450-25-000001";
const second = "0000123460-25-000002";

const submission = { SUBMISSIONTYPE: "D", TESTORLIVE: "LIVE" };
const issuer = { IS_PRIMARYISSUER_FLAG: "YES", CIK: "0000123450", ENTITYNAME: "Heron Wind LLC", STREET1: "1 Wren St" };
const offering = { INDUSTRYGROUPTYPE: "Other Energy", TOTALOFFERINGAMOUNT: "100", TOTALAMOUNTSOLD: "50" };

const tables = {
	FORMDSUBMISSION: tsv(submissionColumns, [
		{ ...submission, ACCESSIONNUMBER: first, FILE_NUM: "021-1", FILING_DATE: "05-MAR-2025" },
		{ ACCESSIONNUMBER: second, FILING_DATE: "31-MAR-2025", SUBMISSIONTYPE: "D/A", TESTORLIVE: "LIVE" },
	]),
	ISSUERS: tsv(issuerColumns, [
		{ ...issuer, ACCESSIONNUMBER: first, YEAROFINC_TIMESPAN_CHOICE: "overFiveYears" },
		{ ...issuer, ACCESSIONNUMBER: first, IS_PRIMARYISSUER_FLAG: "NO", CIK: "0000999999", ENTITYNAME: "Co-issuer" },
		{
			...issuer,
			ACCESSIONNUMBER: second,
			CIK: "0000123460",
			ENTITYNAME: 'Egret "Sun Fund',
			YEAROFINC_TIMESPAN_CHOICE: "withinFiveYears",
			YEAROFINC_VALUE_ENTERED: "2024",
			EDGAR_PREVIOUSNAME_1: "Plover Fund",
		},
	]),
	OFFERING: tsv(offeringColumns, [
		{ ...offering, ACCESSIONNUMBER: first, SALE_DATE: "2025-02-28", ISEQUITYTYPE: "true" },
		{
			...offering,
			ACCESSIONNUMBER: second,
			ISAMENDMENT: "true",
			PREVIOUSACCESSIONNUMBER: "0000123460-24-000009",
			YETTOOCCUR: "true",
			TOTALOFFERINGAMOUNT: "Indefinite",
			SALESAMTCLARIFICATIONOFRESP: 'so "called',
		},
	]),
	RELATEDPERSONS: tsv(personColumns, [
		{ ACCESSIONNUMBER: first, FIRSTNAME: "LLC", LASTNAME: "Heron GP,", RELATIONSHIP_1: "Promoter" },
		{ ACCESSIONNUMBER: first, FIRSTNAME: "N/A", LASTNAME: "N/A" },
		{ ACCESSIONNUMBER: second, FIRSTNAME: "Ada", LASTNAME: 'Marsh"', CITY: "Austin", STATEORCOUNTRY: "TX" },
	]),
};

type Tables = Partial<Record<keyof typeof tables, string>>;

function files(changes: Tables = {}): SourceFile[] {
	return Object.entries({ ...tables, ...changes }).map(([name, content]) => ({
		name: `${name}.tsv`,
		bytes: Buffer.from(content),
	}));
}

const read = (changes: Tables = {}) => readQuarterlyTables(files(changes), sampleNow);

describe("readQuarterlyTables", () => {
	it("joins the tables by accession number", () => {
		const parsed = read();
		expect(parsed).toMatchObject({ rowsIn: 2, dropped: [], notes: [] });
		expect(parsed.records[0]).toMatchObject({
			accession_number: first,
			filing_date: "2025-03-05",
			filing_date_known: true,
			file_number: "021-1",
			is_amendment: false,
			cik: "123450",
			issuer_name: "Heron Wind LLC",
			year_of_inc: "Over Five Years Ago",
			total_offering_amount: 100,
			total_amount_sold: 50,
			date_of_first_sale: "2025-02-28",
			is_equity: true,
			is_debt: false,
			related_persons: [{ name: "Heron GP, LLC", relationships: ["Promoter"], city: null, state: null }],
		});
	});

	it("reads a quotation mark literally", () => {
		expect(read().records[1]).toMatchObject({
			is_amendment: true,
			previous_accession_number: "0000123460-24-000009",
			issuer_name: 'Egret "Sun Fund',
			previous_names: ["Plover Fund"],
			year_of_inc: "2024",
			total_offering_amount: null,
			date_of_first_sale: null,
			clarification: 'so "called',
			related_persons: [{ name: 'Ada Marsh"', relationships: [], city: "Austin", state: "TX" }],
		});
	});

	it("reads lines that end in CR LF, a byte order mark, and names in Latin-1", () => {
		const windows = Object.fromEntries(
			Object.entries(tables).map(([name, table]) => [name, table.replaceAll("\n", "\r\n")]),
		);
		windows.FORMDSUBMISSION = `\ufeff${windows.FORMDSUBMISSION}`;
		const [one] = read(windows).records;
		expect(one).toMatchObject({ accession_number: first, total_amount_sold: 50 });
		const latin = files().map(({ name, bytes }) => {
			const renamed = Buffer.from(bytes).toString("utf8").replace("Heron Wind", "Héron Wind");
			return { name, bytes: Buffer.from(renamed, "latin1") };
		});
		expect(readQuarterlyTables(latin, sampleNow).records[0]?.issuer_name).toBe("Héron Wind LLC");
	});

	it("drops a filing whose row has another number of columns, with its line", () => {
		const cut = tables.FORMDSUBMISSION.replace("\t021-1\t", "\t021-1\tstray\t");
		const parsed = read({ FORMDSUBMISSION: cut });
		expect(parsed.dropped).toEqual([
			{ reason: "a row of FORMDSUBMISSION has 8 of 7 columns", count: 1, examples: ["FORMDSUBMISSION.tsv, line 2"] },
		]);
		expect(countRows(parsed)).toBe(parsed.rowsIn);
		expect(parsed.notes.map(({ reason }) => reason)).toContain("a row of ISSUERS belongs to no filing of the set");
	});

	it("drops a filing without an offering or issuer, and names the row", () => {
		const noOffering = read({ OFFERING: tables.OFFERING.replace("\tOther Energy", "") });
		expect(noOffering.dropped).toMatchObject([
			{ reason: "its row of OFFERING has 10 of 11 columns", examples: [`${first}: OFFERING.tsv, line 2`] },
		]);
		expect(noOffering.notes).toMatchObject([{ examples: ["OFFERING.tsv, line 2"] }]);
		const noIssuer = read({ ISSUERS: tables.ISSUERS.replace("Egret", "Eg\tret") });
		expect(noIssuer.dropped).toMatchObject([
			{ reason: "its row of ISSUERS has 16 of 15 columns", examples: [`${second}: ISSUERS.tsv, line 4`] },
		]);
		expect(countRows(noIssuer)).toBe(2);
		const gone = read({ OFFERING: tables.OFFERING.split("\n").toSpliced(1, 1).join("\n") });
		expect(gone.dropped).toMatchObject([{ reason: "no row in OFFERING", examples: [first] }]);
	});

	it("keeps a filing whose co-issuer's row is broken", () => {
		const parsed = read({ ISSUERS: tables.ISSUERS.replace("Co-issuer", "Co\tissuer") });
		expect(parsed).toMatchObject({ dropped: [], notes: [{ reason: "a row of ISSUERS has 16 of 15 columns" }] });
	});

	it("drops a test filing, a repeated one and one without a number", () => {
		const row = { ...submission, FILING_DATE: "05-MAR-2025" };
		const parsed = read({
			FORMDSUBMISSION: tsv(submissionColumns, [
				{ ...row, ACCESSIONNUMBER: first, TESTORLIVE: "TEST" },
				{ ...row, ACCESSIONNUMBER: first },
				{ ...row, ACCESSIONNUMBER: "12" },
			]),
		});
		expect(parsed.records).toEqual([]);
		expect(parsed.dropped.map(({ reason }) => reason).toSorted()).toEqual([
			"a test filing",
			"another row has the same accession number",
			"no accession number",
		]);
	});

	it("refuses a set without one of its tables, naming it", () => {
		const some = files().filter(({ name }) => name !== "OFFERING.tsv");
		expect(() => readQuarterlyTables(some, sampleNow)).toThrow("missing OFFERING.tsv");
	});

	it("refuses a table without a required column, naming it", () => {
		expect(() => read({ OFFERING: tables.OFFERING.replace("TOTALAMOUNTSOLD", "AMOUNT") })).toThrow(
			"OFFERING.tsv: required column missing: TOTALAMOUNTSOLD",
		);
		expect(() => read({ FORMDSUBMISSION: tables.FORMDSUBMISSION.replace("FILING_DATE", "FILED") })).toThrow(
			"required column missing: FILING_DATE",
		);
	});

	it("refuses a table that is truncated, empty, binary or an HTML page", () => {
		for (const ISSUERS of [tables.ISSUERS.slice(0, -5), "", "\0", "<html><body></body></html>"]) {
			expect(() => read({ ISSUERS }), ISSUERS).toThrow(StructureError);
		}
	});
});

describe("readQuarterlyZip", () => {
	const zipOf = (entries: Iterable<SourceFile>) =>
		storeArchive(new Map([...entries].map(({ name, bytes }) => [`2025Q1_d/${name}`, Buffer.from(bytes)])));

	it("reads the tables of the archive and skips other files", async () => {
		const extra = { name: "SIGNATURES.tsv", bytes: Buffer.from("ACCESSIONNUMBER\tcut") };
		const parsed = await readQuarterlyZip({ name: "2025q1_d.zip", bytes: zipOf([...files(), extra]) }, sampleNow);
		expect(parsed.records.map(({ accession_number }) => accession_number)).toEqual([first, second]);
	});

	it("refuses an archive that is truncated or lacks a table", async () => {
		const whole = zipOf(files());
		const cut = { name: "z.zip", bytes: whole.subarray(0, whole.length - 30) };
		await expect(readQuarterlyZip(cut, sampleNow)).rejects.toThrow(StructureError);
		const some = { name: "z.zip", bytes: zipOf(files().slice(1)) };
		await expect(readQuarterlyZip(some, sampleNow)).rejects.toThrow("missing FORMDSUBMISSION.tsv");
	});

	it("refuses an archive that inflates excessively", async () => {
		const bomb = deflatedZip("2025Q1_d/ISSUERS.tsv", 300);
		expect(bomb.length).toBeLessThan(1024 * 1024);
		await expect(readQuarterlyZip({ name: "bomb.zip", bytes: bomb }, sampleNow)).rejects.toThrow(
			"inflates to more bytes than allowed",
		);
	});
});

/** An archive of one entry of so many megabytes of zeros. */
function deflatedZip(name: string, megabytes: number): Buffer {
	const one = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
	const packed = Buffer.concat([...Array<Buffer>(megabytes).fill(one), deflateRawSync("")]);
	const stored = storeArchive(new Map([[name, Buffer.alloc(0)]]));
	const local = 30 + name.length;
	const fields = (header: Buffer, at: number) => {
		header.writeUInt16LE(8, at);
		header.writeUInt32LE(packed.length, at + 10);
		header.writeUInt32LE(megabytes * 1024 * 1024, at + 14);
		return header;
	};
	const head = fields(Buffer.from(stored.subarray(0, local)), 8);
	const rest = fields(Buffer.from(stored.subarray(local)), 10);
	rest.writeUInt32LE(local + packed.length, rest.length - 6);
	return Buffer.concat([head, packed, rest]);
}
