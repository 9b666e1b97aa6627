/** A company's filings as data.sec.gov lists them: `submissions/CIK##########.json` and the older pages that it names. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { itemCodesOfLine } from "../../domain/item-codes.ts";
import { cik } from "../fields.ts";
import type { FiledCompany, FilingCollector } from "./filings.ts";
import { isObject, type JsonObject, readJsonObject, stated } from "./json.ts";

/** Without these three there is no list; the others have come and gone over the years (`core_type`, `isXBRLNumeric`). */
const required = ["accessionNumber", "filingDate", "form"];

/** A page holds 1,000 rows or a year's; the most prolific filers of all have some tens of thousands in one. */
const maxRows = 200_000;

/**
 * Adds every row: `filings.recent` holds one array per column; an older page (`CIK0001318605-submissions-001.json`) holds the
 * columns bare, and its company is in its file name alone. Throws `StructureError` for arrays of unequal length, a missing column,
 * and a file that names no company.
 */
export function readSubmissions(bytes: Uint8Array, name: string, into: FilingCollector): void {
	const body = readJsonObject(bytes, name);
	const columns = columnsOf(body, name);
	const company = companyOf(body, name);
	const cell = (column: string, at: number) => stated(columns.get(column)?.[at]);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	for (let at = 0; at < rows; at++) {
		into.add(
			{
				accessionNumber: cell("accessionNumber", at),
				form: cell("form", at),
				filingDate: cell("filingDate", at),
				reportDate: cell("reportDate", at),
				items: itemCodesOfLine(cell("items", at) ?? ""),
				document: cell("primaryDocument", at),
				dealText: null,
				subsidiaryBankruptcy: null,
				companies: [{ ...company, fileNumber: cell("fileNumber", at) }],
			},
			`${name}: row ${at + 1}`,
		);
	}
}

function columnsOf(body: JsonObject, name: string): Map<string, unknown[]> {
	const recent = isObject(body.filings) ? body.filings.recent : body;
	if (!isObject(recent)) throw new StructureError(`${name}: filings.recent is missing`);
	const columns = new Map<string, unknown[]>();
	for (const [column, cells] of Object.entries(recent)) if (Array.isArray(cells)) columns.set(column, cells);
	const missing = required.filter((column) => !columns.has(column));
	if (missing.length > 0) throw new StructureError(`${name}: required column missing: ${missing.join(", ")}`);
	const rows = columns.get("accessionNumber")?.length ?? 0;
	if (rows > maxRows) throw new StructureError(`${name}: ${rows} filings in one list`);
	for (const [column, cells] of columns) {
		if (cells.length !== rows) {
			throw new StructureError(`${name}: column ${column} has ${cells.length} of ${rows} rows: the file is damaged`);
		}
	}
	return columns;
}

/** An older page states neither name nor industry. */
function companyOf(body: JsonObject, name: string): FiledCompany {
	const number = cik(stated(body.cik) ?? /(?:^|[/\\])CIK(\d{10})(?!\d)/.exec(name)?.[1]);
	if (number === null) throw new StructureError(`${name}: neither the file nor its name says which company it is of`);
	return { cik: number, name: stated(body.name), sic: stated(body.sic), fileNumber: null };
}
