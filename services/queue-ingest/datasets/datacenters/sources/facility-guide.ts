/**
 * Reads the short list of large facilities with capacity and status (`data/datacenters.csv` of the data-center guide). Pure.
 *
 * Only the columns up to `year_opened` are read: some rows have one more cell than the header, so the meaning of later cells is unknown.
 */
import type { DatacenterStatus } from "#libs/contract/vocabulary.ts";
import { readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { known, megawatts, number, text } from "#libs/files/values.ts";
import { field, recordReader, yearOf } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { RawFile } from "../../../sources/source.ts";
import { emptyFacility, type FacilityRow, facilityList, nameKey, stateOf, withHeaders } from "./facility.ts";
import { isInState } from "./place.ts";

const required = [["id"], ["name"], ["operator"], ["city"], ["state"], ["status"], ["capacity_mw"]];

export const facilityGuide: Dataset<FacilityRow> = {
	...facilityList,
	feed: "datacenter-guide",
	title: "Large data centers with capacity and status",
	layout: { formats: "CSV", verified: "2025-10" },
	maxBytes: 4 * 1024 * 1024,
	recognises: withHeaders("facility_type", "year_opened", "size_sqft"),
	parse: async (file) => readFacilityGuide(file),
};

const statuses = new Map(
	Object.entries<DatacenterStatus>({
		existing: "operating",
		operational: "operating",
		"under construction": "construction",
		permitted: "approved",
		planned: "proposed",
		proposed: "proposed",
	}),
);

const fields = {
	id: field(text, "id"),
	name: field(known, "name"),
	operator: field(known, "operator"),
	city: field(known, "city"),
	state: field(stateOf, "state"),
	lat: field(number, "latitude"),
	lon: field(number, "longitude"),
	status_filed: field(known, "status"),
	capacity_mw: field(megawatts, "capacity_mw"),
	facility_type: field(known, "facility_type"),
	year_opened: field(yearOf, "year_opened"),
};

export function readFacilityGuide({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(bytes, name, { spareCells: 1 }), required, 1);
	const read = recordReader(table, fields);
	const account = new RowAccount<FacilityRow>();
	const seen = new Set<string>();
	for (const row of dataRows(table)) {
		const { id, name: filed, state, lat, lon, ...stated } = read(row);
		if (id === null || !/^\d{1,9}$/.test(id) || filed === null)
			account.drop("no number or no name", filed ?? id, "malformed");
		else if (state === null) account.drop("not in the US", filed);
		else if (seen.has(id)) account.drop("a second row with the same number", filed);
		else {
			seen.add(id);
			const status = statuses.get(stated.status_filed?.toLowerCase() ?? "") ?? null;
			if (stated.status_filed !== null && status === null) account.unknown("status", stated.status_filed);
			const isPlausible = lat !== null && lon !== null && isInState({ lat, lon }, state);
			account.keep({
				...{ ...emptyFacility, ...stated, status, state, id: `DC-G${id}`, name: filed, name_key: nameKey(filed) },
				...(isPlausible && { lat, lon, location_precision: "city" as const }),
			});
		}
	}
	// Unread columns are not reported: they concern neither power nor location, and are ambiguous in rows with too many cells.
	return { edition: "current", publishedOn: null, ...account.file(table), unknownColumns: [] };
}
