/** Reads files about the owners of companies, recognised by their content. Pure. */
import { isZip } from "#libs/files/archive.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { peek } from "#libs/files/decode.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { dateInName } from "../../sources/as-of.ts";
import type { RawFile } from "../../sources/source.ts";
import { readEia861 } from "./eia861.ts";
import { type EvidenceFile, referenceFile } from "./evidence.ts";
import { gemColumns, readGem } from "./gem.ts";
import { exhibit21Columns, findTickers, parseJson, readCompanyTickers, readExhibit21 } from "./sec.ts";

export async function readEvidence(file: RawFile): Promise<EvidenceFile> {
	if (isZip(file.bytes)) {
		const sheets = await readWorkbook(file.bytes);
		const eia861 = sheets.some((sheet) => sheet.rows.slice(0, 5).some((row) => text(row[0]) === "Data Year"));
		if (!eia861) throw new StructureError(`${file.name}: not recognised as a workbook of form EIA-861`);
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
		return referenceFile(
			"labelled names: tests the matching of names, no evidence",
			readCsv(file.bytes, file.name).rows.length - 1,
		);
	throw new StructureError(
		`${file.name}: not a supported company file (EIA-861 workbook, SEC company_tickers.json, GLEIF legal forms, or a CSV with the columns of GEM, of Exhibit 21 or of labelled names)`,
	);
}

/** GLEIF's list of legal forms: { legal_forms: { <language>: { <form>: [<spelling>...] } } }. */
function readLegalForms(file: RawFile, body: unknown): EvidenceFile {
	const languages = member(body, "legal_forms");
	if (languages === undefined) throw new StructureError(`${file.name}: not recognised as a file about companies`);
	const forms = Object.values(languages).flatMap((language) => Object.keys(objectOf(language) ?? {}));
	return referenceFile("legal forms: the matching of names has its own list", forms.length);
}

const objectOf = (value: unknown): object | undefined =>
	typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;

function member(value: unknown, name: string): object | undefined {
	const entry = Object.entries(objectOf(value) ?? {}).find(([key]) => key === name);
	return objectOf(entry?.[1]);
}
