/**
 * Reads SEC files: subsidiaries from Exhibit 21 of annual reports (labeled by hand), and `company_tickers.json`, the CIK and name of each listed
 * company. Pure.
 */

import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { number, text } from "#libs/files/values.ts";
import { field, recordReader, stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { type Evidence, type EvidenceFile, emptyStatement, toEvidenceFile } from "./evidence.ts";

export const exhibit21Columns = [["Filename"], ["Subsidiary"], ["Ownership Percentage"]];

const exhibit21 = {
	filing: field(text, "Filename"),
	name: field(stated, "Subsidiary"),
	location: field(stated, "Location of Incorporation"),
	percent: field(number, "Ownership Percentage"),
};

export function readExhibit21(sheet: Table): EvidenceFile {
	const table = new HeadedTable(sheet, exhibit21Columns, 1);
	const read = recordReader(table, exhibit21);
	const rows = new RowAccount<Evidence>();
	const seen = new Set<string>();
	for (const [index, row] of dataRows(table).entries()) {
		const { filing, name, location, percent } = read(row);
		const label = name ?? filing;
		// Format: <CIK>-<accession number>
		const [, cik, edition] = /^(\d{1,10})-(\d{10}-\d{2}-\d{6})$/.exec(filing ?? "") ?? [];
		const repeat = row.map((cell) => text(cell) ?? "").join("\n");
		if (cik === undefined || edition === undefined) rows.drop("no registrant and filing", label);
		else if (name === null) rows.drop("no subsidiary named", label);
		else if (percent !== null && (percent < 0 || percent > 100)) rows.drop("a share below 0 or above the whole", label);
		else if (seen.has(repeat)) rows.drop("exact repeat of another row", label);
		else {
			seen.add(repeat);
			rows.keep({
				...emptyStatement,
				edition,
				row_number: index + 1,
				raw_name: name,
				share: percent === null ? null : Math.round(percent * 1e4) / 1e6,
				location,
				registrant_cik: Number(cik),
			});
		}
	}
	return toEvidenceFile("sec_exhibit_21", "Exhibit 21 subsidiaries", rows);
}

/** Constant, because the file contains no date: each release replaces the previous one. */
const edition = "listed companies";
const maxRows = 200_000;

interface Ticker {
	cik_str?: unknown;
	title?: unknown;
}

export function findTickers(body: unknown): [string, Ticker][] | undefined {
	if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
	const rows = Object.entries(body).map(([key, row]): [string, Ticker] => [key, Object(row)]);
	return rows.some(([, row]) => "cik_str" in row) ? rows : undefined;
}

/** Keeps the first row of each company, which has a row per ticker. @throws StructureError if the list has too many rows */
export function readCompanyTickers(rows: [string, Ticker][], name: string): EvidenceFile {
	if (rows.length > maxRows)
		throw new StructureError(`${name}: the list has ${rows.length} rows, more than the maximum of ${maxRows}`);
	const account = new RowAccount<Evidence>();
	const seen = new Set<number>();
	for (const [at, [key, { cik_str, title }]] of rows.entries()) {
		const cik = /^\d{1,10}$/.test(String(cik_str)) ? Number(cik_str) : 0;
		const raw_name = typeof title === "string" ? (stated(title)?.slice(0, 200) ?? null) : null;
		if (cik === 0 || raw_name === null) account.drop("no company number or name", key);
		else if (seen.has(cik)) account.drop("another ticker of a company that is listed already", raw_name);
		else {
			seen.add(cik);
			account.keep({ ...emptyStatement, edition, row_number: at + 1, raw_name, registrant_cik: cik });
		}
	}
	return toEvidenceFile("sec_company_tickers", "SEC's list of listed companies", account);
}

export const parseJson = ({ bytes, name }: RawFile): unknown => {
	try {
		return JSON.parse(decodeText(bytes, name));
	} catch (cause) {
		throw new StructureError(`${name}: the file is not well-formed JSON`, { cause });
	}
};
