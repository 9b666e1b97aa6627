/** `company_tickers.json`: every listed company's number, ticker and name as EDGAR has it. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { Account, type ParsedWithNotes } from "../account.ts";
import { cik, shortText } from "../fields.ts";
import { isObject, type JsonObject, readJsonObject, stated } from "./json.ts";

export interface ListedCompany {
	/** Without leading zeros. A company has a row for each of its tickers. */
	cik: string;
	ticker: string;
	/** As EDGAR has it: `BROOKFIELD Corp /ON/`. */
	title: string;
}

const maxRows = 200_000;

/** One row per ticker. Throws `StructureError` when the answer is no such list at all; a row without one of the three is dropped. */
export function readCompanyTickers(bytes: Uint8Array, name: string): ParsedWithNotes<ListedCompany> {
	const rows = Object.entries(readJsonObject(bytes, name));
	if (rows.length > maxRows) throw new StructureError(`${name}: ${rows.length} companies in one list`);
	if (rows.length > 0 && !rows.some(([, row]) => isObject(row) && "cik_str" in row)) {
		throw new StructureError(`${name}: no row holds cik_str: is not the list of companies`);
	}
	const account = new Account();
	const companies = new Map<string, ListedCompany>();
	for (const [key, row] of rows) {
		account.rowsIn++;
		const company = isObject(row) ? toCompany(row) : null;
		if (company === null) account.drop("no company number, ticker or title", key);
		else if (companies.has(company.ticker)) account.drop("a ticker that is listed already", company.ticker);
		else companies.set(company.ticker, company);
	}
	return account.parsed([...companies.values()]);
}

function toCompany(row: JsonObject): ListedCompany | null {
	const number = cik(stated(row.cik_str));
	const ticker = shortText(stated(row.ticker), 20);
	const title = shortText(stated(row.title), 200);
	return number === null || ticker === null || title === null ? null : { cik: number, ticker, title };
}
