/** Subsidiaries of registrants as Exhibit 21 of their annual reports lists them, labelled by hand. Pure. */

import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { number, text } from "#libs/files/values.ts";
import { stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { type Evidence, type EvidenceFile, unstated } from "./evidence.ts";

export const exhibit21Columns = [["Filename"], ["Subsidiary"], ["Ownership Percentage"]];

export function readExhibit21(sheet: Table): EvidenceFile {
	const table = new HeadedTable(sheet, exhibit21Columns, 1);
	const at = {
		filing: table.column("Filename"),
		name: table.column("Subsidiary"),
		location: table.column("Location of Incorporation"),
		share: table.column("Ownership Percentage"),
	};
	const rows = new RowAccount<Evidence>();
	const seen = new Set<string>();
	for (const [index, row] of dataRows(table).entries()) {
		const label = text(row[at.name]) ?? text(row[at.filing]);
		// <CIK>-<accession number>
		const [, cik, edition] = /^(\d{1,10})-(\d{10}-\d{2}-\d{6})$/.exec(text(row[at.filing]) ?? "") ?? [];
		const name = stated(row[at.name]);
		const percent = number(row[at.share]);
		const repeat = row.map((cell) => text(cell) ?? "").join("\n");
		if (cik === undefined || edition === undefined) rows.drop("no registrant and filing", label);
		else if (name === null) rows.drop("no subsidiary named", label);
		else if (percent !== null && (percent < 0 || percent > 100)) rows.drop("a share below 0 or above the whole", label);
		else if (seen.has(repeat)) rows.drop("exact repeat of another row", label);
		else {
			seen.add(repeat);
			rows.keep({
				...unstated,
				edition,
				row_number: index + 1,
				raw_name: name,
				share: percent === null ? null : Math.round(percent * 1e4) / 1e6,
				location: stated(row[at.location]),
				registrant_cik: Number(cik),
			});
		}
	}
	return {
		source: "sec_exhibit_21",
		what: "Exhibit 21 subsidiaries",
		rowsIn: rows.rowsIn,
		rowsKept: rows.kept.length,
		evidence: rows.kept,
		dropped: rows.dropped,
	};
}

/** The file states no day; each release stands in the place of the one before. */
const edition = "listed companies";
const maxRows = 200_000;

/** The rows of the file, by their place in it; undefined where it is no such file. */
export function companyTickers(body: unknown): [string, object][] | undefined {
	if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
	const rows = Object.entries(body);
	return rows.length > 0 && rows.some(([, row]) => isObject(row) && "cik_str" in row) ? rows : undefined;
}

/** A company has a row for each of its tickers, of which the first is kept. Throws `StructureError` for what is too long. */
export function readCompanyTickers(rows: [string, object][], name: string): EvidenceFile {
	if (rows.length > maxRows) throw new StructureError(`${name}: ${rows.length} companies in one list`);
	const account = new RowAccount<Evidence>();
	const seen = new Set<number>();
	for (const [at, [key, row]] of rows.entries()) {
		const cik = numberOf(member(row, "cik_str"));
		const title = stated(member(row, "title"));
		if (cik === null || title === null) account.drop("no company number or name", key);
		else if (seen.has(cik)) account.drop("another ticker of a company that is listed already", title);
		else {
			seen.add(cik);
			account.keep({ ...unstated, edition, row_number: at + 1, raw_name: title.slice(0, 200), registrant_cik: cik });
		}
	}
	return {
		source: "sec_company_tickers",
		what: "SEC's list of listed companies",
		rowsIn: account.rowsIn,
		rowsKept: account.kept.length,
		evidence: account.kept,
		dropped: account.dropped,
	};
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function member(row: unknown, name: string): string | number | null {
	const value = isObject(row) ? Object.entries(row).find(([key]) => key === name)?.[1] : undefined;
	return typeof value === "string" || typeof value === "number" ? value : null;
}

const numberOf = (value: string | number | null): number | null => {
	const text = String(value ?? "");
	return /^[0-9]{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;
};

export const parseJson = ({ bytes, name }: RawFile): unknown => {
	try {
		return JSON.parse(decodeText(bytes, name));
	} catch (cause) {
		throw new StructureError(`${name}: is not well-formed JSON`, { cause });
	}
};
