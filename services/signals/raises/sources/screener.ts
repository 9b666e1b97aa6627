/** Reads the two CSV files of the public Form D screener: index rows, and filings flattened to one row each. Pure. */
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { states } from "#libs/names/words.ts";
import { Account } from "../../records/account.ts";
import {
	findAccessionNumber,
	isPlausibleDay,
	parseAccessionNumber,
	parseCik,
	parseDay,
	shortText,
} from "../../records/fields.ts";
import type { FormD, IndexedFiling, Parsed, SourceFile } from "../../records/records.ts";
import { type FiledFormD, type FiledPerson, toFormD } from "./filing.ts";

const indexColumns = ["cik", "company", "form", "date", "filing_index_url"];
const filingColumns = ["submissionType", "cik", "entityName", "totalAmountSold", "_latest_date", "_accession"];

const tableOf = ({ bytes, name }: SourceFile, required: readonly string[]): HeadedTable =>
	new HeadedTable(
		readCsv(bytes, name),
		required.map((column) => [column]),
	);

export function isScreenerIndex(bytes: Uint8Array): boolean {
	const names = csvHeaderNames(bytes);
	return indexColumns.every((column) => names.has(column));
}

export function isScreenerFilings(bytes: Uint8Array): boolean {
	const names = csvHeaderNames(bytes);
	return names.has("submissiontype") && names.has("_accession");
}

/** Reads `master_list.csv`. The accession number is part of each filing's address. */
export function readScreenerIndex(file: SourceFile, now: Date): Parsed<IndexedFiling> {
	const table = tableOf(file, indexColumns);
	const [cikAt, companyAt, formAt, dateAt, urlAt] = indexColumns.map((column) => table.column(column));
	const account = new Account();
	const records: IndexedFiling[] = [];
	for (const [index, row] of table.rows.entries()) {
		account.rowsIn++;
		const cell = (at: number | undefined) => text(row[at ?? -1]);
		const accession = findAccessionNumber(cell(urlAt) ?? "");
		const form = shortText(cell(formAt), 40);
		const filer = parseCik(cell(cikAt));
		const company = shortText(cell(companyAt));
		const filingDate = parseDay(cell(dateAt));
		const label = `record ${index + 2}`;
		if (form !== "D" && form !== "D/A") account.drop(`form ${form ?? "(none)"} is neither D nor D/A`, label);
		else if (accession === null) account.drop("no accession number in the address", label);
		else if (filer === null || company === null) account.drop("no CIK or no company name", label);
		else if (filingDate === null || !isPlausibleDay(filingDate, now)) account.drop("no plausible filing date", label);
		else records.push({ accessionNumber: accession, cik: filer, company, form, filingDate, fileNumber: null });
	}
	return account.finish(records);
}

/**
 * Reads `final_companies.csv`, which lacks debt, file number, previous names, clarifications and all persons after the third. `_latest_date`
 * is the day of filing. A row without `_accession` gets the accession number of the row of `index` with the same CIK, form and date, if
 * there is only one.
 */
export function readScreenerFilings(file: SourceFile, index: readonly IndexedFiling[], now: Date): Parsed<FormD> {
	const table = tableOf(file, filingColumns);
	const byFiler = Map.groupBy(index, ({ cik, form, filingDate }) => `${cik} ${form} ${filingDate}`);
	const account = new Account();
	const records: FormD[] = [];
	for (const [at, row] of table.rows.entries()) {
		account.rowsIn++;
		const filed = readFlatRow((column) => text(row[table.column(column)]));
		const indexed = byFiler.get(`${parseCik(filed.cik)} ${filed.submissionType} ${filed.filingDate}`) ?? [];
		if (parseAccessionNumber(filed.accessionNumber) === null && indexed.length === 1) {
			filed.accessionNumber = indexed[0]?.accessionNumber ?? null;
		}
		const filing = toFormD(filed, { now, account, label: `record ${at + 2}` });
		if (filing) records.push(filing);
	}
	return account.finish(records);
}

type CellOf = (column: string) => string | null;

function readFlatRow(cell: CellOf): FiledFormD {
	return {
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
		persons: ["related1", "related2", "related3"].map((prefix) => readPerson(cell, prefix)),
	};
}

function readPerson(cell: CellOf, prefix: string): FiledPerson {
	return {
		first: cell(`${prefix}_firstName`),
		middle: null,
		last: cell(`${prefix}_lastName`),
		relationships: (cell(`${prefix}_relationship`) ?? "").split("|", 10),
		city: cell(`${prefix}_city`),
		state: stateCode(cell(`${prefix}_stateOrCountryDescription`)),
	};
}

const codeByStateName: ReadonlyMap<string, string> = new Map([
	...[...states].map(([code, name]): [string, string] => [name, code.toUpperCase()]),
	["district of columbia", "DC"],
	["puerto rico", "PR"],
]);

/** Returns SEC's code for a US state, and countries and provinces as filed. */
function stateCode(description: string | null): string | null {
	return description === null ? null : (codeByStateName.get(description.toLowerCase()) ?? description);
}
