/**
 * Reads the planned units of the EIA's monthly form 860M, and those cancelled or postponed: a CSV with entities, or one of two JSON lists with
 * coordinates, whose ids contain the numbers of plant and generator. Pure.
 */
import { stateOf } from "#libs/counties/codes.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { readJsonRecords } from "#libs/files/json.ts";
import { StructureError } from "#libs/files/structure-error.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { megawatts, text } from "#libs/files/values.ts";
import { dateInName } from "../../sources/as-of.ts";
import { degrees, field, generatorId, id, recordReader, stateCode, stated, yearOf } from "../../sources/cells.ts";
import { dataRows } from "../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../sources/dataset.ts";
import { replaceEdition } from "../../sources/insert-rows.ts";
import { RowAccount } from "../../sources/row-account.ts";
import type { RawFile } from "../../sources/source.ts";
import { type UnitRow, unstatedUnit } from "./unit.ts";

const tableColumns = ["entity_id", "entity_name", "plant_id", "generator_id", "energy_source", "nameplate_mw"];

function isUnitCsv({ name, bytes }: RawFile, { planned }: { planned: boolean }): boolean {
	if (!/\.csv$/i.test(name)) return false;
	const headers = csvHeaderNames(bytes);
	return tableColumns.every((column) => headers.has(column)) && headers.has("planned_month") === planned;
}

const isUnitList = ({ name, bytes }: RawFile): boolean =>
	/\.json$/i.test(name) && /^\s*\[\s*\{\s*"id"\s*:\s*"eia-\d+-/i.test(Buffer.from(bytes.subarray(0, 200)).toString());

const shared = {
	database: "grid",
	maxAgeHours: 2_400,
	maxBytes: 16 * 1024 * 1024,
	parse: async (file: RawFile) => readPlanned(file),
	write: replaceEdition("grid_units"),
} as const;

export const eia860mPlanned: Dataset<UnitRow> = {
	...shared,
	feed: "eia860m-planned",
	title: "EIA-860M, planned units",
	layout: { formats: "CSV, JSON", verified: "2026-08" },
	recognises: (file) => isUnitList(file) || isUnitCsv(file, { planned: true }),
};

export const eia860mCancelled: Dataset<UnitRow> = {
	...shared,
	feed: "eia860m-cancelled",
	title: "EIA-860M, units cancelled or postponed",
	layout: { formats: "CSV", verified: "2026-08" },
	recognises: (file) => isUnitCsv(file, { planned: false }),
};

/** Technologies by the EIA's codes of energy sources, and by the values of the JSON lists. */
const technologies = new Map(
	Object.entries({
		...{ solar: "Solar Photovoltaic", SUN: "Solar Photovoltaic" },
		...{ offshore: "Offshore Wind Turbine", wind: "Wind Turbine", WND: "Wind Turbine" },
		...{ storage: "Batteries", battery: "Batteries", MWH: "Batteries" },
		...{ gas: "Natural Gas", NG: "Natural Gas", oil: "Petroleum Liquids", DFO: "Petroleum Liquids" },
		...{ nuclear: "Nuclear", NUC: "Nuclear", hydro: "Conventional Hydroelectric", WAT: "Conventional Hydroelectric" },
		...{ GEO: "Geothermal", MSW: "Municipal Solid Waste", other: "All Other", OTH: "All Other", WH: "All Other" },
		...{
			AB: "Other Waste Biomass",
			OBG: "Other Waste Biomass",
			OBL: "Other Waste Biomass",
			OBS: "Other Waste Biomass",
		},
		H2: "All Other",
	}),
);

const month = /^(\d{4})(?:-(\d{2})(?:-\d{2})?)?$/;

const fields = {
	id: field(text, "id"),
	plant_id: field(id, "plant_id"),
	generator_id: field(generatorId, "generator_id"),
	entity_id: field(id, "entity_id"),
	entity_name: field(stated, "entity_name"),
	plant_name: field(stated, "plant_name", "name"),
	state: field((cell) => stateOf(text(cell) ?? "") ?? stateCode(cell), "state", "stateId"),
	technology: field((cell) => text(cell) ?? "", "energy_source", "fuel_type", "fuel"),
	capacity_mw: field(megawatts, "nameplate_mw", "capacity_mw", "capacityMw"),
	/** The EIA's code, alone or in brackets before its meaning. Null for other values, which a list's author assigned. */
	status: field(
		(cell) =>
			/^(?:([PLTUV]|TS|OT)$|\(([A-Z]{1,2})\))/
				.exec(text(cell) ?? "")
				?.slice(1)
				.find(Boolean) ?? null,
		"status_code",
		"status",
	),
	/** "queueYear" is the planned year of operation, despite its name. */
	year: field((cell) => yearOf(month.exec(text(cell) ?? "")?.[1]), "planned_month", "estimated_cod", "queueYear"),
	month: field((cell) => Number(month.exec(text(cell) ?? "")?.[2]) || null, "planned_month", "estimated_cod"),
	lat: field((cell) => degrees(cell, 15, 75), "lat"),
	lon: field((cell) => degrees(cell, -180, -60), "lon"),
};

export function readPlanned(file: RawFile): DatasetFile<UnitRow> {
	const { name, bytes } = file;
	const edition = dateInName(name)?.slice(0, 7);
	if (edition === undefined) throw new StructureError(`${name}: the file's name does not state the month (YYYY-MM)`);
	const isCsv = /\.csv$/i.test(name);
	const required = isCsv
		? tableColumns.map((column) => [column])
		: [["id"], ["lon"], ["lat"], ["fuel", "fuel_type"], ["stateId", "state"]];
	const table = new HeadedTable(isCsv ? readCsv(bytes, name) : readJsonRecords(bytes, name), required, 1);
	// Columns that the lists' authors added, and the balancing authority, which form 860 states again once the plant operates.
	table.ignore("iso", "type", "queue_date", "latlon_from", "balancing_authority");
	const read = recordReader(table, fields);
	const account = new RowAccount<UnitRow>();
	const seen = new Set<string>();
	for (const row of dataRows(table)) {
		const { id: label, technology: fuel, ...unit } = read(row);
		const parts = /^eia-(\d+)-(.+)$/i.exec(label ?? "");
		const plant_id = unit.plant_id ?? id(parts?.[1]);
		const generator_id = unit.generator_id ?? generatorId(parts?.[2]);
		const key = `${plant_id} ${generator_id}`;
		if (plant_id === null || generator_id === null) account.drop("no plant and generator", label ?? key, "malformed");
		else if (seen.has(key)) account.drop("a second row of the same unit", key);
		else {
			seen.add(key);
			if (!technologies.has(fuel)) account.unknown("fuel", fuel);
			account.keep({ ...unstatedUnit, ...unit, plant_id, generator_id, technology: technologies.get(fuel) ?? fuel });
		}
	}
	return { edition, publishedOn: `${edition}-01`, ...account.file(table) };
}
