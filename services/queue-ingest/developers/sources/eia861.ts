/** Reads EIA-861 "Utility Data": every utility with its ownership type. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { field, id, recordReader, stateCode, stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import { type Evidence, type EvidenceFile, emptyStatement, toEvidenceFile, toReferenceFile } from "./evidence.ts";

const required = [["Data Year"], ["Utility Number"], ["Utility Name"], ["Ownership Type"]];

const fields = {
	year: field(id, "Data Year"),
	name: field(stated, "Utility Name"),
	location: field(stateCode, "State"),
	utility_id: field(id, "Utility Number"),
	ownership_type: field(stated, "Ownership Type"),
};

export function readEia861(sheets: readonly Table[]): EvidenceFile {
	const utilities = sheets.filter((sheet) => hasHeader(sheet, "ownership type"));
	if (utilities.length === 0) {
		const rows = sheets.flatMap((sheet) => dataRows(new HeadedTable(sheet, [["Data Year"]], 5)));
		return toReferenceFile("EIA-861 workbook without ownership types", rows.length);
	}
	const rows = new RowAccount<Evidence>();
	for (const sheet of sheets) if (!utilities.includes(sheet)) rows.dropSheet(sheet, "a sheet without ownership types");
	let number = 0;
	for (const sheet of utilities) {
		const table = new HeadedTable(sheet, required, 5);
		const read = recordReader(table, fields);
		const idAt = table.column("Utility Number");
		for (const row of dataRows(table)) {
			number++;
			const { year, name, ...found } = read(row);
			if (name === null || year === null) rows.drop("no data year or no utility name", text(row[0]));
			else if (name.toLowerCase() === "withheld") rows.drop("the name is withheld", text(row[idAt]));
			else rows.keep({ ...emptyStatement, edition: String(year), row_number: number, raw_name: name, ...found });
		}
	}
	return toEvidenceFile("eia_861", "EIA-861 utility data", rows);
}

function hasHeader(sheet: Table, header: string): boolean {
	return sheet.rows.slice(0, 5).some((row) => row.some((cell) => text(cell)?.toLowerCase() === header));
}
