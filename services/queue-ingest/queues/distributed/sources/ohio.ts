/**
 * Distributed generation that Ohio's utility commission certified in the fifteen counties around Columbus, by area, year and fuel, in the
 * long table of the regional planning commission. A row states what was added in its year, in kilowatts.
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

/** Counties add up to the region; places lie across counties, and a township's rows repeat those of its namesakes in other counties. */
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
	const found = new RowAccount<DgRecord>();
	const ids = new Set<string>();
	const yearsOf = new Map<string, Set<number>>();
	for (const cells of dataRows(table)) {
		const label = text(cells[at[1] ?? -1]);
		addYear(yearsOf, text(cells[at[0] ?? -1]), yearOf(cells[at[3] ?? -1]));
		const read = recordOf(at.map((column) => cells[column]));
		if (typeof read === "string") found.drop(read, label, read === empty ? undefined : "malformed");
		else if (ids.has(read.id)) found.drop("repeat of another row", label, "malformed");
		else {
			if (read.technology === "Unknown") found.unknown("FUEL_TYPE", read.technology_filed ?? "");
			ids.add(read.id);
			found.keep(read);
		}
	}
	// The table states only years, so its day is unknown.
	return { ...found.file(table), edition: "current", publishedOn: null, warnings: warningsOf(yearsOf) };
}

function addYear(yearsOf: Map<string, Set<number>>, area: string | null, year: number | null): void {
	if (area === null || year === null) return;
	const years = yearsOf.get(area) ?? new Set();
	yearsOf.set(area, years.add(year));
}

/** The table has a row for every area and year, even if it is zero: if an area lacks a year, the file was cut off at the end of a line. */
function warningsOf(yearsOf: ReadonlyMap<string, ReadonlySet<number>>): string[] {
	const all = new Set([...yearsOf.values()].flatMap((years) => [...years]));
	const short = [...yearsOf].flatMap(([area, years]) => (years.size < all.size ? [area] : []));
	return short.length === 0
		? []
		: [`${short.length} of ${yearsOf.size} areas lack some of the ${all.size} years: ${short[0]}`];
}

const empty = "no facility and no capacity";

/** The record of a row, or why it has none. */
function recordOf([geoid, name, geotype, yearCell, fuelCell, facilitiesCell, kilowattsCell]: Cell[]):
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
	if (facilities === 0 && kilowatts === 0) return empty;
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
