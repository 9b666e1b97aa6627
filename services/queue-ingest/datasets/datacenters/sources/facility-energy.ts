/** The list of facilities by brand and county with estimates of their yearly use (`datacenters.csv` of the pollution map). Pure. */

import { findState } from "#libs/counties/table.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { locate } from "../../../sources/geography/geography.ts";
import type { RawFile } from "../../../sources/source.ts";
import { type FacilityRow, idsOf, Rows, unstated } from "./facility.ts";
import { writeFacilities } from "./write.ts";

const required = [["Brand"], ["State"], ["County"], ["Low_MWh_year"], ["High_MWh_year"]];

export const facilityEnergy: Dataset<FacilityRow> = {
	feed: "datacenter-energy",
	database: "datacenter",
	title: "Data centres by brand and county with estimated use",
	maxAgeHours: 17_520,
	maxBytes: 4 * 1024 * 1024,
	recognises: (file) => {
		const names = csvHeaderNames(file.bytes);
		return names.has("brand") && names.has("low_mwh_year") && names.has("high_mwh_year");
	},
	parse: async (file) => readFacilityEnergy(file),
	keptIn: { table: "datacenter_facilities" },
	write: (tx, file, provenance) => writeFacilities(tx, facilityEnergy.feed, file, provenance),
};

/** Counties by the list's spelling; two are towns. */
const misspelt = new Map(
	Object.entries({
		Mecklenberg: "Mecklenburg",
		Tusla: "Tulsa",
		"San Jose": "Santa Clara",
		Secaucus: "Hudson",
	}),
);

/** More rows than this share that repeat another one beyond what their notes explain: the list was put together twice. */
const repeatShare = 0.05;

/**
 * Rows of one brand in one county that say "1 of 4 facilities" are as many facilities, and a few say the same without a note: none is
 * dropped as a repeat. The list's own coordinates are those of a large town of the state or of the middle of the country: the centre of
 * the county says more.
 */
export function readFacilityEnergy({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(bytes, name), required, 1);
	const at = {
		brand: table.column("Brand"),
		state: table.column("State"),
		county: table.column("County"),
		low: table.column("Low_MWh_year"),
		high: table.column("High_MWh_year"),
	};
	const noteAt = table.column("Note");
	table.ignore("latitude", "longitude");
	const rows = new Rows<FacilityRow>();
	const ids = idsOf("DC-E");
	const filed = dataRows(table);
	for (const row of filed) {
		const operator = known(row[at.brand]);
		const state = findState(text(row[at.state]) ?? "")?.state;
		const label = `${operator ?? "-"}, ${text(row[at.county]) ?? "-"}`;
		if (operator === null) rows.dropMalformed("no brand", label);
		else if (state === undefined) rows.dropMalformed("no state of the US", label);
		else {
			const county = known(row[at.county]);
			const place = locate(county === null ? null : (misspelt.get(county) ?? county), state, null);
			const isKnown = place.locationPrecision === "county";
			rows.keep({
				...unstated,
				id: ids(operator, county, state),
				...{ operator, state, county: place.county },
				...(isKnown && { lat: place.lat, lon: place.lon, location_precision: "county" as const }),
				...rangeOf(row[at.low], row[at.high]),
			});
		}
	}
	const unexplained = unexplainedIn(filed, noteAt);
	const isDoubled = unexplained > repeatShare * filed.length;
	return {
		...{ edition: "current", publishedOn: null, rowsIn: rows.rowsIn, rows: rows.kept, dropped: rows.account },
		...{ unknownValues: [], unknownColumns: table.leftovers() },
		...{ doubts: isDoubled ? [`${unexplained} of ${rows.rowsIn} rows repeat others, and no note says why`] : [] },
	};
}

/** How many rows repeat another one beyond what their notes explain. */
function unexplainedIn(filed: Cell[][], noteAt: number): number {
	const seen = new Map<string, number>();
	let unexplained = 0;
	for (const row of filed) {
		const said = JSON.stringify(row);
		const place = (seen.get(said) ?? 0) + 1;
		seen.set(said, place);
		if (place > Number(/\b1 of (\d+)\b/.exec(text(row[noteAt]) ?? "")?.[1] ?? 1)) unexplained++;
	}
	return unexplained;
}

/** Both ends or neither: a range whose low end is above its high end says nothing. */
function rangeOf(low: Cell, high: Cell): Pick<FacilityRow, "energy_low_mwh_year" | "energy_high_mwh_year"> {
	const from = number(low);
	const to = number(high);
	const isRange = from !== null && to !== null && from >= 0 && from <= to;
	return { energy_low_mwh_year: isRange ? from : null, energy_high_mwh_year: isRange ? to : null };
}
