/** Subsidiaries of registrants as Exhibit 21 of their annual reports lists them, labelled by hand. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { number, text } from "#libs/files/values.ts";
import { stated } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
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
