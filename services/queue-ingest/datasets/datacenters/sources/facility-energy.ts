/** Reads the list of facilities by brand and county with estimates of yearly electricity use (`datacenters.csv` of the pollution map). Pure. */
import { readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";
import { field, recordReader } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { locate } from "../../../sources/geography/geography.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { RawFile } from "../../../sources/source.ts";
import { createIdGenerator, emptyFacility, type FacilityRow, facilityList, stateOf, withHeaders } from "./facility.ts";

const required = [["Brand"], ["State"], ["County"], ["Low_MWh_year"], ["High_MWh_year"]];

export const facilityEnergy: Dataset<FacilityRow> = {
	...facilityList,
	feed: "datacenter-energy",
	title: "Data centers by brand and county with estimated use",
	layout: { formats: "CSV", verified: "2026-02" },
	unlicensed: true,
	maxBytes: 4 * 1024 * 1024,
	recognises: withHeaders("brand", "low_mwh_year", "high_mwh_year"),
	parse: async (file) => readFacilityEnergy(file),
};

/** Counties by what the list contains instead: a misspelling, or a town in the county (San Jose, Secaucus). */
const correctedCounties = new Map(
	Object.entries({
		Mecklenberg: "Mecklenburg",
		Tusla: "Tulsa",
		"San Jose": "Santa Clara",
		Secaucus: "Hudson",
	}),
);

const fields = {
	operator: field(known, "Brand"),
	state: field(stateOf, "State"),
	county: field(known, "County"),
	low: field(number, "Low_MWh_year"),
	high: field(number, "High_MWh_year"),
};

const maxUnexplainedShare = 0.05;

/**
 * Repeated rows are kept: each of the rows with the note "1 of 4 facilities" is one facility, and some repeats lack the note. The list's
 * coordinates are ignored, because they are those of a large town of the state or the middle of the country: the county's center is more exact.
 */
export function readFacilityEnergy({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(bytes, name), required, 1);
	const read = recordReader(table, fields);
	const noteAt = table.column("Note");
	table.ignore("latitude", "longitude");
	const account = new RowAccount<FacilityRow>();
	const createId = createIdGenerator("DC-E");
	const filed = dataRows(table);
	for (const row of filed) {
		const { operator, state, county, low, high } = read(row);
		const label = `${operator ?? "-"}, ${county ?? "-"}`;
		if (operator === null) account.drop("no brand", label, "malformed");
		else if (state === null) account.drop("no state of the US", label, "malformed");
		else {
			const place = locate(county === null ? null : (correctedCounties.get(county) ?? county), state, null);
			const isKnown = place.locationPrecision === "county";
			account.keep({
				...emptyFacility,
				id: createId(operator, county, state),
				...{ operator, state, county: place.county },
				...(isKnown && { lat: place.lat, lon: place.lon, location_precision: "county" as const }),
				...toRange(low, high),
			});
		}
	}
	const unexplained = countUnexplainedRepeats(filed, noteAt);
	const hasTooManyRepeats = unexplained > maxUnexplainedShare * filed.length;
	return {
		...{ edition: "current", publishedOn: null, ...account.file(table) },
		warnings: hasTooManyRepeats
			? [`${unexplained} of ${account.rowsIn} rows repeat others without a note that explains it`]
			: [],
	};
}

function countUnexplainedRepeats(filed: Cell[][], noteAt: number): number {
	const seen = new Map<string, number>();
	let unexplained = 0;
	for (const row of filed) {
		const rowText = JSON.stringify(row);
		const place = (seen.get(rowText) ?? 0) + 1;
		seen.set(rowText, place);
		if (place > Number(/\b1 of (\d+)\b/.exec(text(row[noteAt]) ?? "")?.[1] ?? 1)) unexplained++;
	}
	return unexplained;
}

/** Returns both ends of the range or neither: a range with swapped ends is not used. */
function toRange(low: number | null, high: number | null) {
	const isRange = low !== null && high !== null && low >= 0 && low <= high;
	return { energy_low_mwh_year: isRange ? low : null, energy_high_mwh_year: isRange ? high : null };
}
