/** Schedules 1 (utilities) and 2 (plants) of form EIA-860. Pure. */
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { column, isNote, type RecordField, type RecordOf, recordReader, spellings } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount } from "../../sources/row-account.ts";
import { accountOf, plantFields, type Rows, utilityFields } from "./schedule.ts";

export const readUtilities = (sheet: Table) => readKeyed(sheet, "utility", utilityFields.utility_id, utilityFields);
export const readPlants = (sheet: Table) => readKeyed(sheet, "plant", plantFields.plant_id, plantFields);

function readKeyed<Fields extends Record<"name", RecordField<string | null>> & Record<string, RecordField<unknown>>>(
	sheet: Table,
	kind: "utility" | "plant",
	number: RecordField<number | null>,
	fields: Fields,
): Rows<RecordOf<Fields>> {
	const table = new HeadedTable(sheet, [spellings(...number.headers), spellings(...fields.name.headers)], 10);
	const at = column(table, ...number.headers);
	const read = recordReader(table, fields);
	const rows = new RowAccount<RecordOf<Fields>>();
	const seen = new Set<number>();
	for (const row of dataRows(table)) {
		const label = text(row[at]) ?? text(row.find((cell) => text(cell) !== null));
		const key = number.read(row[at]);
		const record = read(row);
		if (key === null) rows.drop(isNote(row) ? "a note, no row of the table" : `no ${kind} number`, label);
		else if (seen.has(key)) rows.drop(`a second row of the same ${kind}`, label);
		else if (kind === "utility" && record.name === null) rows.drop("no utility name", label);
		else {
			seen.add(key);
			rows.keep(record);
		}
	}
	return accountOf(rows);
}
