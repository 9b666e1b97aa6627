/**
 * The planned units of the EIA's monthly form 860M with coordinates, as a JSON list derived from its workbook. It names no entity: its plant
 * ids lead to those of the other tables. Pure.
 */
import { stateOf } from "#libs/counties/codes.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, megawatts, text } from "#libs/files/values.ts";
import { dateInName } from "../../sources/as-of.ts";
import { degrees, generatorId, id, stated, yearOf } from "../../sources/cells.ts";
import { Collector, dataRows } from "../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../sources/dataset.ts";
import type { RawFile } from "../../sources/source.ts";
import { type UnitRow, unstatedUnit, writeUnits } from "./unit.ts";

const feed = "eia860m-planned";

export const eia860mPlanned: Dataset<UnitRow> = {
	feed,
	database: "grid",
	title: "EIA-860M, planned units with coordinates",
	maxAgeHours: 2_400,
	maxBytes: 16 * 1024 * 1024,
	recognises: ({ name, bytes }) =>
		/\.json$/i.test(name) && /^\s*\[\s*\{\s*"id"\s*:\s*"eia-\d+-/.test(Buffer.from(bytes.subarray(0, 200)).toString()),
	parse: async (file) => readPlanned(file),
	write: writeUnits(feed),
};

/** The author's words, in those of the EIA's technologies. */
const technologies = new Map(
	Object.entries({
		solar: "Solar Photovoltaic",
		wind: "Onshore Wind Turbine",
		offshore: "Offshore Wind Turbine",
		storage: "Batteries",
		gas: "Natural Gas",
		nuclear: "Nuclear",
		hydro: "Conventional Hydroelectric",
	}),
);

/** Throws `StructureError` for what is no whole list of this kind. */
export function readPlanned({ name, bytes }: RawFile): DatasetFile<UnitRow> {
	const month = dateInName(name)?.slice(0, 7);
	if (month === undefined) throw new StructureError(`${name}: the name does not say of which month it is`);
	const table = new HeadedTable(readJsonRecords(bytes, name), [["id"], ["lon"], ["lat"], ["fuel"], ["stateId"]], 1);
	// "status" and "iso" are the author's own mapping.
	table.ignore("status", "iso");
	const at = {
		id: table.column("id"),
		name: table.column("name"),
		lon: table.column("lon"),
		lat: table.column("lat"),
		capacity: table.column("capacityMw"),
		fuel: table.column("fuel"),
		state: table.column("stateId"),
		// This column is the planned year of operation, despite its name.
		year: table.column("queueYear"),
	};
	const found = new Collector();
	const units = new Map<string, UnitRow>();
	const rows = dataRows(table);
	for (const row of rows) {
		const label = text(row[at.id]);
		const parts = /^eia-(\d+)-(.+)$/.exec(label ?? "");
		const plant_id = id(parts?.[1]);
		const generator_id = generatorId(parts?.[2]);
		if (plant_id === null || generator_id === null) found.drop("no plant and generator in the id", label, "malformed");
		else if (units.has(label ?? "")) found.drop("a second row of the same unit", label);
		else units.set(label ?? "", { ...unstatedUnit, plant_id, generator_id, ...stating(row, at, found) });
	}
	const { dropped, unknownValues } = found.parsed({ publishedOn: null, rowsIn: rows.length, unknownColumns: [] });
	return {
		edition: month,
		publishedOn: `${month}-01`,
		rowsIn: rows.length,
		rows: [...units.values()],
		dropped,
		unknownValues,
		unknownColumns: table.leftovers(),
	};
}

function stating(
	row: Cell[],
	at: Record<"name" | "lon" | "lat" | "capacity" | "fuel" | "state" | "year", number>,
	found: Collector,
): Partial<UnitRow> {
	const fuel = text(row[at.fuel]) ?? "";
	if (technologies.get(fuel) === undefined) found.unknown("fuel", fuel);
	return {
		plant_name: stated(row[at.name]),
		state: stateOf(text(row[at.state]) ?? "") ?? null,
		technology: technologies.get(fuel) ?? fuel,
		capacity_mw: megawatts(row[at.capacity]),
		year: yearOf(row[at.year]),
		lat: degrees(row[at.lat], 15, 75),
		lon: degrees(row[at.lon], -180, -60),
	};
}
