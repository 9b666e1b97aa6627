/**
 * The planned units of the EIA's monthly form 860M with coordinates, as a JSON list derived from its workbook. It names no entity: its plant
 * ids lead to those of the other tables. Pure.
 */
import { stateOf } from "#libs/counties/codes.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { megawatts, text } from "#libs/files/values.ts";
import { dateInName } from "../../sources/as-of.ts";
import { degrees, field, generatorId, id, recordReader, stated, yearOf } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../sources/dataset.ts";
import { replaceEdition } from "../../sources/insert-rows.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { type UnitRow, unstatedUnit } from "./unit.ts";

export const eia860mPlanned: Dataset<UnitRow> = {
	feed: "eia860m-planned",
	database: "grid",
	title: "EIA-860M, planned units with coordinates",
	maxAgeHours: 2_400,
	maxBytes: 16 * 1024 * 1024,
	recognises: ({ name, bytes }) =>
		/\.json$/i.test(name) && /^\s*\[\s*\{\s*"id"\s*:\s*"eia-\d+-/.test(Buffer.from(bytes.subarray(0, 200)).toString()),
	parse: async (file) => readPlanned(file),
	write: replaceEdition("grid_units"),
};

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

const fields = {
	id: field(text, "id"),
	plant_name: field(stated, "name"),
	state: field((cell) => stateOf(text(cell) ?? "") ?? null, "stateId"),
	technology: field((cell) => text(cell) ?? "", "fuel"),
	capacity_mw: field(megawatts, "capacityMw"),
	// This column is the planned year of operation, despite its name.
	year: field(yearOf, "queueYear"),
	lat: field((cell) => degrees(cell, 15, 75), "lat"),
	lon: field((cell) => degrees(cell, -180, -60), "lon"),
};

export function readPlanned({ name, bytes }: RawFile): DatasetFile<UnitRow> {
	const month = dateInName(name)?.slice(0, 7);
	if (month === undefined) throw new StructureError(`${name}: the name does not say of which month it is`);
	const table = new HeadedTable(readJsonRecords(bytes, name), [["id"], ["lon"], ["lat"], ["fuel"], ["stateId"]], 1);
	// "status" and "iso" are the author's own mapping.
	table.ignore("status", "iso");
	const read = recordReader(table, fields);
	const account = new RowAccount<UnitRow>();
	const seen = new Set<string>();
	for (const row of dataRows(table)) {
		const { id: label, technology: fuel, ...unit } = read(row);
		const parts = /^eia-(\d+)-(.+)$/.exec(label ?? "");
		const plant_id = id(parts?.[1]);
		const generator_id = generatorId(parts?.[2]);
		if (plant_id === null || generator_id === null)
			account.drop("no plant and generator in the id", label, "malformed");
		else if (seen.has(label ?? "")) account.drop("a second row of the same unit", label);
		else {
			seen.add(label ?? "");
			if (!technologies.has(fuel)) account.unknown("fuel", fuel);
			account.keep({ ...unstatedUnit, ...unit, plant_id, generator_id, technology: technologies.get(fuel) ?? fuel });
		}
	}
	return { edition: month, publishedOn: `${month}-01`, ...account.file(table) };
}
