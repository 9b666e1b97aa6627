/** EIA-861 "Utility Data": every utility with its kind of ownership. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { id, stateCode, stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import { type Evidence, type EvidenceFile, reference, unstated } from "./evidence.ts";

const required = [["Data Year"], ["Utility Number"], ["Utility Name"], ["Ownership Type"]];

export function readEia861(sheets: readonly Table[]): EvidenceFile {
	const utilities = sheets.filter((sheet) => holds(sheet, "ownership type"));
	if (utilities.length === 0) {
		const rows = sheets.flatMap((sheet) => dataRows(new HeadedTable(sheet, [["Data Year"]], 5)));
		return reference("EIA-861 workbook that says nothing of ownership", rows.length);
	}
	const rows = new RowAccount<Evidence>();
	const others = sheets.filter((sheet) => !utilities.includes(sheet));
	for (const sheet of others) {
		const filled = sheet.rows.filter((row) => row.some((cell) => text(cell) !== null)).length;
		if (filled > 0) rows.drop("a sheet that says nothing of ownership", sheet.name, filled);
	}
	let number = 0;
	for (const sheet of utilities) {
		const table = new HeadedTable(sheet, required, 5);
		const at = {
			year: table.column("Data Year"),
			id: table.column("Utility Number"),
			name: table.column("Utility Name"),
			state: table.column("State"),
			type: table.column("Ownership Type"),
		};
		for (const row of dataRows(table)) {
			number++;
			const name = stated(row[at.name]);
			const year = id(row[at.year]);
			const type = stated(row[at.type]);
			if (name === null || year === null) rows.drop("no data year or no utility name", text(row[0]));
			else if (name.toLowerCase() === "withheld") rows.drop("the name is withheld", text(row[at.id]));
			else
				rows.keep({
					...unstated,
					edition: String(year),
					row_number: number,
					raw_name: name,
					location: stateCode(row[at.state]),
					utility_id: id(row[at.id]),
					ownership_type: type,
				});
		}
	}
	return {
		source: "eia_861",
		what: "EIA-861 utility data",
		rowsIn: rows.rowsIn,
		rowsKept: rows.kept.length,
		evidence: rows.kept,
		dropped: rows.dropped,
	};
}

/** Does a header of the top rows say so? */
function holds(sheet: Table, header: string): boolean {
	return sheet.rows.slice(0, 5).some((row) => row.some((cell) => text(cell)?.toLowerCase() === header));
}
