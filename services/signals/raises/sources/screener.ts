/** The pair of CSV files of the public Form D screener: index rows, and filings flattened to one row each. Pure. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { Account } from "../../records/account.ts";
import { accessionInName, accessionNumber, cik, day, isPlausibleDay, shortText } from "../../records/fields.ts";
import type { FormD, IndexedFiling, Parsed } from "../../records/records.ts";
import { blankFormD, type FiledFormD, type FiledPerson, toFormD } from "./filing.ts";

interface CsvFile {
	name: string;
	bytes: Uint8Array;
}

const indexColumns = ["cik", "company", "form", "date", "filing_index_url"];
const filingColumns = ["submissionType", "cik", "entityName", "totalAmountSold", "_latest_date", "_accession"];

/** `master_list.csv` by its header. */
export function isScreenerIndex(bytes: Uint8Array): boolean {
	const names = csvHeaderNames(bytes);
	return indexColumns.every((column) => names.has(column));
}

/** `final_companies.csv` by its header. */
export function isScreenerFilings(bytes: Uint8Array): boolean {
	const names = csvHeaderNames(bytes);
	return names.has("submissiontype") && names.has("_accession");
}

/** `master_list.csv`: the address of each document holds its accession number. */
export function readScreenerIndex(file: CsvFile, now: Date): Parsed<IndexedFiling> {
	const table = new HeadedTable(
		readCsv(file.bytes, file.name),
		indexColumns.map((column) => [column]),
	);
	const [cikAt, companyAt, formAt, dateAt, urlAt] = indexColumns.map((column) => table.column(column));
	const account = new Account();
	const records: IndexedFiling[] = [];
	for (const [index, row] of table.rows.entries()) {
		account.rowsIn++;
		const cell = (at: number | undefined) => text(row[at ?? -1]);
		const accession = accessionInName(cell(urlAt) ?? "");
		const form = shortText(cell(formAt), 40);
		const filer = cik(cell(cikAt));
		const company = shortText(cell(companyAt));
		const filingDate = day(cell(dateAt));
		const label = `record ${index + 2}`;
		if (form !== "D" && form !== "D/A") account.drop(`form ${form ?? "(none)"} is neither D nor D/A`, label);
		else if (accession === null) account.drop("the address holds no accession number", label);
		else if (filer === null || company === null) account.drop("no CIK or no company name", label);
		else if (filingDate === null || !isPlausibleDay(filingDate, now)) account.drop("no plausible filing date", label);
		else records.push({ accessionNumber: accession, cik: filer, company, form, filingDate, fileNumber: null });
	}
	return account.parsed(records);
}

/**
 * `final_companies.csv`. Identity is the column `_accession` (18 digits); a row without one takes the accession number of the only row
 * of `index` with its CIK, form and date, or is dropped. `_latest_date` is the day of filing in the index. The flattening has lost the
 * words of yearOfInc, debt, file number, previous names, clarifications and all persons after the third.
 */
export function readScreenerFilings(file: CsvFile, index: readonly IndexedFiling[], now: Date): Parsed<FormD> {
	const table = new HeadedTable(
		readCsv(file.bytes, file.name),
		filingColumns.map((column) => [column]),
	);
	const byFiler = Map.groupBy(index, ({ cik, form, filingDate }) => `${cik} ${form} ${filingDate}`);
	const account = new Account();
	const records: FormD[] = [];
	for (const [at, row] of table.rows.entries()) {
		account.rowsIn++;
		const filed = flattened((column) => text(row[table.column(column)]));
		const indexed = byFiler.get(`${cik(filed.cik)} ${filed.submissionType} ${filed.filingDate}`) ?? [];
		if (accessionNumber(filed.accessionNumber) === null && indexed.length === 1) {
			filed.accessionNumber = indexed[0]?.accessionNumber ?? null;
		}
		const filing = toFormD(filed, { now, account, label: `record ${at + 2}` });
		if (filing) records.push(filing);
	}
	return account.parsed(records);
}

/** The text under a header; null when blank or absent. */
type CellOf = (column: string) => string | null;

function flattened(cell: CellOf): FiledFormD {
	return {
		...blankFormD(),
		accessionNumber: cell("_accession"),
		filingDate: cell("_latest_date"),
		submissionType: cell("submissionType"),
		cik: cell("cik"),
		issuerName: cell("entityName"),
		entityType: cell("entityType"),
		jurisdiction: cell("jurisdictionOfInc"),
		streets: [cell("street1"), cell("street2")],
		city: cell("city"),
		state: stateCode(cell("stateOrCountryDescription")),
		yearOfInc: cell("yearOfInc"),
		industryGroup: cell("industryGroupType"),
		totalOfferingAmount: cell("totalOfferingAmount"),
		totalAmountSold: cell("totalAmountSold"),
		dateOfFirstSale: cell("dateOfFirstSale_value"),
		isEquity: cell("typesOfSecuritiesOffered_isEquityType"),
		persons: ["related1", "related2", "related3"].map((prefix) => flattenedPerson(cell, prefix)),
	};
}

function flattenedPerson(cell: CellOf, prefix: string): FiledPerson {
	return {
		first: cell(`${prefix}_firstName`),
		middle: null,
		last: cell(`${prefix}_lastName`),
		relationships: (cell(`${prefix}_relationship`) ?? "").split("|", 10),
		city: cell(`${prefix}_city`),
		state: stateCode(cell(`${prefix}_stateOrCountryDescription`)),
	};
}

const codes: ReadonlyMap<string, string> = new Map([
	["alabama", "AL"],
	["alaska", "AK"],
	["arizona", "AZ"],
	["arkansas", "AR"],
	["california", "CA"],
	["colorado", "CO"],
	["connecticut", "CT"],
	["delaware", "DE"],
	["district of columbia", "DC"],
	["florida", "FL"],
	["georgia", "GA"],
	["hawaii", "HI"],
	["idaho", "ID"],
	["illinois", "IL"],
	["indiana", "IN"],
	["iowa", "IA"],
	["kansas", "KS"],
	["kentucky", "KY"],
	["louisiana", "LA"],
	["maine", "ME"],
	["maryland", "MD"],
	["massachusetts", "MA"],
	["michigan", "MI"],
	["minnesota", "MN"],
	["mississippi", "MS"],
	["missouri", "MO"],
	["montana", "MT"],
	["nebraska", "NE"],
	["nevada", "NV"],
	["new hampshire", "NH"],
	["new jersey", "NJ"],
	["new mexico", "NM"],
	["new york", "NY"],
	["north carolina", "NC"],
	["north dakota", "ND"],
	["ohio", "OH"],
	["oklahoma", "OK"],
	["oregon", "OR"],
	["pennsylvania", "PA"],
	["puerto rico", "PR"],
	["rhode island", "RI"],
	["south carolina", "SC"],
	["south dakota", "SD"],
	["tennessee", "TN"],
	["texas", "TX"],
	["utah", "UT"],
	["vermont", "VT"],
	["virginia", "VA"],
	["washington", "WA"],
	["west virginia", "WV"],
	["wisconsin", "WI"],
	["wyoming", "WY"],
]);

/** The state's two letters; the name as filed for a country or province. */
export function stateCode(description: string | null): string | null {
	return description === null ? null : (codes.get(description.toLowerCase()) ?? description);
}
