/** Schedule 3 of form EIA-860: all generators (3_1), or those of one technology. One sheet for each stage. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { text } from "#libs/files/values.ts";
import { column, isNote, recordReader, spellings } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount, RowNotes } from "../../sources/row-account.ts";
import { accountOf, type GeneratorRow, generatorFields, headers, type Rows, type Stage } from "./schedule.ts";

/** By the sheet's name, in all its spellings since 2009: "Operable", "Proposed", "Retired and Canceled", "retired & canceled". */
function stageOf(sheet: Table): Stage | null {
	if (/retire|cancel/i.test(sheet.name)) return "retired";
	if (/propos/i.test(sheet.name)) return "proposed";
	return /operabl|exist/i.test(sheet.name) ? "operable" : null;
}

export function readGenerators(sheets: readonly Table[]): Rows<GeneratorRow> {
	const rows = new RowAccount<GeneratorRow>();
	const notes = new RowNotes();
	const seen = new Set<string>();
	if (!sheets.some((sheet) => stageOf(sheet) === "operable")) {
		const names = sheets.map((sheet) => sheet.name).join(", ");
		throw new StructureError(`no sheet of operable generators: ${names.slice(0, 200)}`);
	}
	for (const sheet of sheets) {
		const stage = stageOf(sheet);
		if (stage === null) rows.dropSheet(sheet, "a sheet of another kind");
		else readSheet(sheet, stage, seen, rows, notes);
	}
	return accountOf(rows, notes);
}

function readSheet(
	sheet: Table,
	stage: Stage,
	seen: Set<string>,
	rows: RowAccount<GeneratorRow>,
	notes: RowNotes,
): void {
	const table = new HeadedTable(sheet, [spellings(...headers.plant), spellings(...headers.generator)], 10);
	const plantAt = column(table, ...headers.plant);
	const read = recordReader(table, generatorFields);
	for (const row of dataRows(table)) {
		const record = { ...read(row), stage };
		const { plant_id, generator_id } = record;
		const label = `${text(row[plantAt]) ?? "-"} ${generator_id ?? "-"}`;
		const key = `${plant_id}\n${generator_id}`;
		if (plant_id === null) rows.drop(isNote(row) ? "a note, no row of the table" : "no plant code", label);
		else if (generator_id === null) rows.drop("no generator id", label);
		else if (seen.has(key)) rows.drop("a second row of the same generator", label);
		else {
			seen.add(key);
			if (record.capacity_mw === null) notes.add("states no nameplate capacity", label);
			rows.keep(record);
		}
	}
}
