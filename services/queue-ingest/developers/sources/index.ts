/** Recognizes files about the owners of companies by their content, and reads them. Pure. */
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { dateInName } from "../../sources/as-of.ts";
import type { RawFile } from "../../sources/source.ts";
import { readEia861 } from "./eia861.ts";
import { type EvidenceFile, toReferenceFile } from "./evidence.ts";
import { gemColumns, readGem } from "./gem.ts";
import { exhibit21Columns, findTickers, parseJson, readCompanyTickers, readExhibit21 } from "./sec.ts";

export async function readEvidence(file: RawFile): Promise<EvidenceFile> {
	if (isZip(file.bytes)) {
		const sheets = await readWorkbook(file.bytes);
		const eia861 = sheets.some((sheet) => sheet.rows.slice(0, 5).some((row) => text(row[0]) === "Data Year"));
		if (!eia861) throw new StructureError(`${file.name}: the workbook is not recognized as Form EIA-861`);
		return readEia861(sheets);
	}
	if (/^\s*\{/.test(peek(file.bytes, 64))) {
		const body = parseJson(file);
		const listed = findTickers(body);
		return listed === undefined ? readLegalForms(file, body) : readCompanyTickers(listed, file.name);
	}
	const headers = csvHeaderNames(file.bytes);
	const hasColumns = (columns: readonly (readonly string[])[]) =>
		columns.flat().every((name) => headers.has(name.toLowerCase()));
	if (hasColumns(gemColumns))
		return readGem(readCsv(file.bytes, file.name), dateInName(file.name) ?? file.name.slice(0, 80));
	if (hasColumns(exhibit21Columns)) return readExhibit21(readCsv(file.bytes, file.name));
	if (hasColumns([["raw_name"], ["expected_canonical"], ["certainty"]]))
		return toReferenceFile(
			"labeled names: test data for name matching, not evidence",
			readCsv(file.bytes, file.name).rows.length - 1,
		);
	throw new StructureError(
		`${file.name}: the file is not supported: expected an EIA-861 workbook, SEC company_tickers.json, GLEIF legal forms, or a CSV with the columns of GEM, Exhibit 21 or labeled names`,
	);
}

/** Reads GLEIF's list of legal forms: { legal_forms: { <language>: { <form>: [<spelling>...] } } }. */
function readLegalForms(file: RawFile, body: unknown): EvidenceFile {
	const languages = memberOf(body, "legal_forms");
	if (languages === undefined)
		throw new StructureError(`${file.name}: the JSON is neither SEC company_tickers.json nor GLEIF legal forms`);
	const forms = Object.values(languages).flatMap((language) => Object.keys(toObject(language) ?? {}));
	return toReferenceFile("legal forms: name matching uses its own list", forms.length);
}

const toObject = (value: unknown): object | undefined =>
	typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;

function memberOf(value: unknown, name: string): object | undefined {
	const entry = Object.entries(toObject(value) ?? {}).find(([key]) => key === name);
	return toObject(entry?.[1]);
}
