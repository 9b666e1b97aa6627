/** Schedule 3 of form EIA-860: all generators (3_1), or those of one technology. One sheet for each stage. Pure. */
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, megawatts, text } from "#libs/files/values.ts";
import { column, generatorId, id, isNote, spellings, stateCode, stated, yearOf } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import { RowAccount, RowNotes } from "../../sources/row-account.ts";
import type { GeneratorRow, Rows, Stage } from "./schedule.ts";

const plantCode = ["Plant Code", "plntcode"] as const;
const generator = ["Generator ID", "gencode"] as const;

/** By the sheet's name, in all its spellings since 2009: "Operable", "Proposed", "Retired and Canceled", "retired & canceled". */
function stageOf(sheet: Table): Stage | null {
	if (/retire|cancel/i.test(sheet.name)) return "retired";
	if (/propos/i.test(sheet.name)) return "proposed";
	return /operabl|exist/i.test(sheet.name) ? "operable" : null;
}

/** Throws `StructureError` without a sheet of operable generators. */
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
		if (stage === null) {
			const filled = sheet.rows.filter((row) => row.some((cell) => text(cell) !== null)).length;
			if (filled > 0) rows.drop("a sheet of another kind", sheet.name, filled);
		} else readSheet(sheet, stage, seen, rows, notes);
	}
	return { rowsIn: rows.rowsIn, records: rows.kept, dropped: rows.dropped, notes: notes.all };
}

function readSheet(
	sheet: Table,
	stage: Stage,
	seen: Set<string>,
	rows: RowAccount<GeneratorRow>,
	notes: RowNotes,
): void {
	const table = new HeadedTable(sheet, [spellings(...plantCode), spellings(...generator)], 10);
	const at = columnsOf(table);
	for (const row of dataRows(table)) {
		const plant = id(row[at.plant]);
		const unit = generatorId(row[at.generator]);
		const label = `${text(row[at.plant]) ?? "-"} ${unit ?? "-"}`;
		if (plant === null) rows.drop(isNote(row) ? "a note, no row of the table" : "no plant code", label);
		else if (unit === null) rows.drop("no generator id", label);
		else if (seen.has(`${plant}\n${unit}`)) rows.drop("a second row of the same generator", label);
		else {
			seen.add(`${plant}\n${unit}`);
			const record = toGenerator(row, at, plant, unit, stage);
			if (record.capacity_mw === null) notes.add("states no nameplate capacity", label);
			rows.keep(record);
		}
	}
}

function columnsOf(table: HeadedTable) {
	return {
		plant: column(table, ...plantCode),
		generator: column(table, ...generator),
		status: column(table, "Status"),
		technology: column(table, "Technology"),
		primeMover: column(table, "Prime Mover", "primemover"),
		utilityId: column(table, "Utility ID", "utilcode"),
		utilityName: column(table, "Utility Name", "utilname"),
		plantName: column(table, "Plant Name", "plntname"),
		state: column(table, "State"),
		county: column(table, "County"),
		capacity: column(table, "Nameplate Capacity (MW)", "nameplate", "nameplate_capacity_mw"),
		summer: column(table, "Summer Capacity (MW)", "summer_capability", "summer_capacity_mw"),
		year: column(table, "Operating Year", "Current Year", "Effective Year"),
	};
}

function toGenerator(
	row: Cell[],
	at: ReturnType<typeof columnsOf>,
	plant_id: number,
	generator_id: string,
	stage: Stage,
): GeneratorRow {
	return {
		plant_id,
		generator_id,
		stage,
		status: stated(row[at.status])?.slice(0, 10) ?? null,
		technology: stated(row[at.technology]),
		prime_mover: stated(row[at.primeMover])?.slice(0, 10) ?? null,
		utility_id: id(row[at.utilityId]),
		utility_name: stated(row[at.utilityName]),
		plant_name: stated(row[at.plantName]),
		state: stateCode(row[at.state]),
		county: stated(row[at.county]),
		capacity_mw: megawatts(row[at.capacity]),
		summer_mw: megawatts(row[at.summer]),
		operating_year: yearOf(row[at.year]),
	};
}
