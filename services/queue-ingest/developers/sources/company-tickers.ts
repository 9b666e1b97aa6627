/** SEC's `company_tickers.json`: number and name of each listed company, as EDGAR has them. Pure. */
import { decodeText } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { stated } from "../../sources/cells.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { type Evidence, type EvidenceFile, unstated } from "./evidence.ts";

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
