/**
 * Tables 6.5 (planned units) and 6.3 (units that came into service in the year) of the EIA's Electric Power Monthly. They name the entity
 * behind each plant, and no county. Pure.
 */
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable, type Table } from "#libs/files/table.ts";
import { type Cell, megawatts, number, text } from "#libs/files/values.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import { generatorId, id, stateCode, stated, yearOf } from "../../sources/cells.ts";
import { Collector, dataRows } from "../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../sources/dataset.ts";
import type { RawFile } from "../../sources/source.ts";
import { type UnitRow, writeUnits } from "./unit.ts";

type EpmTable = "6.3" | "6.5";

const required = [["Entity Name"], ["Plant ID"], ["Generator ID"], ["Plant State"], ["Year"], ["Month"]];
/** From the first to the last month of a table of new units. */
const mostMonths = 24;
const maxInflatedBytes = 64 * 1024 * 1024;

const dataset = (feed: string, table: EpmTable, title: string, named: RegExp): Dataset<UnitRow> => ({
	feed,
	database: "grid",
	title,
	// Once a month, two months late.
	maxAgeHours: 2_400,
	maxBytes: 8 * 1024 * 1024,
	recognises: ({ name }) => /\.xlsx$/i.test(name) && named.test(name),
	parse: async (file) => readEpm(await sheetOf(file), table),
	write: writeUnits(feed),
});

export const epmPlanned = dataset(
	"eia-epm-planned",
	"6.5",
	"EIA Electric Power Monthly, table 6.5 (planned units)",
	/(?<!\d)6[_.]0?5(?!\d)/,
);
export const epmNew = dataset(
	"eia-epm-new",
	"6.3",
	"EIA Electric Power Monthly, table 6.3 (new units)",
	/(?<!\d)6[_.]0?3(?!\d)/,
);

async function sheetOf({ name, bytes }: RawFile): Promise<Table> {
	const [first] = await readWorkbook(bytes, { maxInflatedBytes });
	if (first === undefined) throw new StructureError(`${name}: the workbook holds no sheet`);
	return first;
}

/** Throws `StructureError` for what is not the whole table. */
export function readEpm(sheet: Table, wanted: EpmTable): DatasetFile<UnitRow> {
	const title = text(sheet.rows[0]?.[0]) ?? "";
	const said = /^Table (6\.\d+)/i.exec(title)?.[1];
	if (said !== wanted)
		throw new StructureError(
			`${sheet.name}: titled "${title.slice(0, 80)}", not Table ${wanted} of the Electric Power Monthly`,
		);
	const table = new HeadedTable(sheet, required, 5);
	const rows = dataRows(table);
	// The notes end the table: a sheet without them was cut between two rows.
	if (!isNotes(rows.at(-1))) throw new StructureError(`${sheet.name}: the notes below the table are missing: cut off`);
	const at = columnsOf(table);
	const found = new Collector();
	const units = new Map<string, UnitRow>();
	for (const row of rows.slice(0, -1)) {
		const unit = unitOf(row, at);
		const label = `${text(row[at.plant]) ?? "-"} ${text(row[at.generator]) ?? "-"}`;
		const key = typeof unit === "string" ? "" : `${unit.plant_id}\n${unit.generator_id}`;
		if (typeof unit === "string") found.drop(unit, label, "malformed");
		else if (units.has(key)) found.drop("a second row of the same unit", label);
		else units.set(key, unit);
	}
	const rowsIn = rows.length - 1;
	const { dropped, unknownValues } = found.parsed({ publishedOn: null, rowsIn, unknownColumns: [] });
	const kept = [...units.values()];
	return {
		...editionOf(kept, wanted, title, sheet.name),
		...{ rowsIn, rows: kept, dropped, unknownValues, unknownColumns: table.leftovers() },
	};
}

const isNotes = (row: Cell[] | undefined): boolean => /^notes?:/i.test(text(row?.[0]) ?? "");

function columnsOf(table: HeadedTable) {
	table.ignore("Energy Source Code");
	return {
		year: table.column("Year"),
		month: table.column("Month"),
		entityId: table.column("Entity ID"),
		entityName: table.column("Entity Name"),
		producerType: table.column("Plant Producer Type"),
		plantName: table.column("Plant Name"),
		state: table.column("Plant State"),
		plant: table.column("Plant ID"),
		generator: table.column("Generator ID"),
		summer: table.column("Net Summer Capacity (MW)"),
		technology: table.column("Technology"),
		primeMover: table.column("Prime Mover Code"),
		status: table.column("Status"),
		nameplate: table.column("Nameplate Capacity (MW)"),
	};
}

/** The unit of a row, or why there is none. */
function unitOf(row: Cell[], at: ReturnType<typeof columnsOf>): UnitRow | string {
	const plant_id = id(row[at.plant]);
	const generator_id = generatorId(row[at.generator]);
	const year = yearOf(row[at.year]);
	const month = monthOf(row[at.month]);
	if (plant_id === null || generator_id === null) return "no plant or generator id";
	return {
		...{ plant_id, generator_id, year, month, lat: null, lon: null },
		entity_id: id(row[at.entityId]),
		entity_name: stated(row[at.entityName]),
		producer_type: stated(row[at.producerType]),
		plant_name: stated(row[at.plantName]),
		state: stateCode(row[at.state]),
		technology: stated(row[at.technology]),
		prime_mover: stated(row[at.primeMover]),
		summer_mw: megawatts(row[at.summer]),
		capacity_mw: megawatts(row[at.nameplate]),
		status: /^\(([A-Z]{1,3})\)/.exec(text(row[at.status]) ?? "")?.[1] ?? null,
	};
}

function monthOf(cell: Cell): number | null {
	const value = number(cell);
	return value !== null && Number.isInteger(value) && value >= 1 && value <= 12 ? value : null;
}

/**
 * No table says of which issue it is; its months do. The planned units of an issue begin in the month after the data end, the new ones
 * end with it. A year's new units grow from issue to issue and begin anew with the year: editions are the span of their months.
 */
function editionOf(
	units: readonly UnitRow[],
	table: EpmTable,
	title: string,
	name: string,
): { edition: string; publishedOn: string } {
	const months = units.flatMap(({ year, month }) => (year === null || month === null ? [] : year * 12 + month - 1));
	const first = Math.min(...months);
	const last = Math.max(...months);
	if (months.length === 0) throw new StructureError(`${name}: no unit with a month in the table`);
	if (table === "6.5") return { edition: spelled(first - 1), publishedOn: lastDay(first - 1) };
	// The last issue of a year adds the December before, and names no year.
	const year = /\b(20\d\d)\s*$/.exec(title)?.[1] ?? String(Math.floor(last / 12));
	if (!spelled(last).startsWith(year) || last - first > mostMonths)
		throw new StructureError(
			`${name}: titled "${title.slice(0, 100)}", with units of ${spelled(first)} to ${spelled(last)}`,
		);
	return { edition: `${spelled(first)}..${spelled(last)}`, publishedOn: lastDay(last) };
}

/** `months`: since the year 0. */
const spelled = (months: number): string => `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}`;
const lastDay = (months: number): string =>
	new Date(Date.UTC(Math.floor(months / 12), (months % 12) + 1, 0)).toISOString().slice(0, 10);
