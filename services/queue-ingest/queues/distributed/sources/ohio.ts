/**
 * Distributed generation that Ohio's utility commission certified in the fifteen counties around Columbus, by area, year and fuel, in the
 * long table of the regional planning commission. A row contains the kilowatts that were added in its year.
 */

import type { DgAreaType } from "#libs/contract/vocabulary.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";
import { yearOf } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { replaceEdition } from "../../../sources/insert-rows.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { RawFile } from "../../../sources/source.ts";
import { blankRecord, type DgRecord } from "./record.ts";

const columns = ["GEOIDFQ", "NAME", "GEOTYPE", "YEAR", "FUEL_TYPE", "FACILITIES", "CAPACITY"] as const;

export const pucoOhio: Dataset<DgRecord> = {
	feed: "puco-ohio-der",
	database: "dg",
	title: "Ohio distributed generation by area (PUCO, Central Ohio)",
	layout: { formats: "CSV", verified: "2025" },
	maxAgeHours: 9_600,
	maxBytes: 32 * 1024 * 1024,
	recognises: ({ bytes }) => {
		const names = csvHeaderNames(bytes);
		return columns.every((name) => names.has(name.toLowerCase()));
	},
	parse: async (file) => parseOhio(file),
	keptIn: { table: "dg_records", part: "area_type" },
	write: replaceEdition("dg_records"),
};

/** Only counties add up to the region: places cross county lines, and townships with the same name in several counties have the same rows. */
const areaTypes = new Map(
	Object.entries<DgAreaType>({
		COUNTY: "county",
		PLACE: "place",
		"COUNTY-TOWNSHIP-REMAINDER": "township",
		REGION15: "region",
	}),
);

const technologies = new Map(
	Object.entries({
		biofuel: "Biomass",
		"energy storage": "Storage",
		"natural gas/propane": "Gas",
		solar: "Solar",
		// The process is not stated.
		"waste gas": "Other",
		wind: "Wind",
	}),
);

function parseOhio({ bytes, name }: RawFile): DatasetFile<DgRecord> {
	const table = new HeadedTable(
		readCsv(bytes, name),
		columns.map((column) => [column]),
	);
	const at = columns.map((column) => table.column(column));
	const account = new RowAccount<DgRecord>();
	const ids = new Set<string>();
	const yearsByArea = new Map<string, Set<number>>();
	for (const cells of dataRows(table)) {
		const label = text(cells[at[1] ?? -1]);
		addYear(yearsByArea, text(cells[at[0] ?? -1]), yearOf(cells[at[3] ?? -1]));
		const result = toRecord(at.map((column) => cells[column]));
		if (typeof result === "string") account.drop(result, label, result === emptyReason ? undefined : "malformed");
		else if (ids.has(result.id)) account.drop("repeat of another row", label, "malformed");
		else {
			if (result.technology === "Unknown") account.unknown("FUEL_TYPE", result.technology_filed ?? "");
			ids.add(result.id);
			account.keep(result);
		}
	}
	// The table contains only years, so the day of publication is unknown.
	return { ...account.file(table), edition: "current", publishedOn: null, warnings: findIncompleteAreas(yearsByArea) };
}

function addYear(yearsByArea: Map<string, Set<number>>, area: string | null, year: number | null): void {
	if (area === null || year === null) return;
	const years = yearsByArea.get(area) ?? new Set();
	yearsByArea.set(area, years.add(year));
}

/** The table has a row for every area and year, even if it is zero: if an area lacks a year, the file was cut off at the end of a line. */
function findIncompleteAreas(yearsByArea: ReadonlyMap<string, ReadonlySet<number>>): string[] {
	const all = new Set([...yearsByArea.values()].flatMap((years) => [...years]));
	const short = [...yearsByArea].flatMap(([area, years]) => (years.size < all.size ? [area] : []));
	return short.length === 0
		? []
		: [`${short.length} of ${yearsByArea.size} areas lack some of the ${all.size} years: ${short[0]}`];
}

const emptyReason = "no facility and no capacity";

/** Returns the record of a row, or the reason why the row has none. */
function toRecord([geoid, name, geotype, yearCell, fuelCell, facilitiesCell, kilowattsCell]: Cell[]):
	| DgRecord
	| string {
	const place = /^(?:\d{7}US(\d{2})(\d*)|(M\w+))$/.exec(text(geoid) ?? "");
	const areaType = areaTypes.get((text(geotype) ?? "").toUpperCase());
	const year = yearOf(yearCell);
	const fuel = known(fuelCell);
	const facilities = number(facilitiesCell);
	const kilowatts = number(kilowattsCell);
	if (place === null || areaType === undefined) return "unknown area";
	if (year === null || fuel === null) return "no year or fuel";
	if (facilities === null || kilowatts === null || facilities < 0 || kilowatts < 0)
		return "no valid number of facilities or no valid capacity";
	if (facilities === 0 && kilowatts === 0) return emptyReason;
	const area = text(name);
	const isCounty = areaType === "county";
	return {
		...blankRecord,
		id: `PUCO-OH-${text(geoid)}-${year}-${fuel.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
		kind: "area_total",
		state: "OH",
		county: isCounty ? (area?.replace(/ County$/i, "") ?? null) : null,
		fips: isCounty ? `${place[1]}${place[2]}` : null,
		area,
		area_type: areaType,
		technology: technologies.get(fuel.toLowerCase()) ?? "Unknown",
		technology_filed: fuel,
		facilities: Math.round(facilities),
		capacity_mw: Math.round(kilowatts * 1000) / 1_000_000,
		in_totals: isCounty,
		year,
	};
}
