/**
 * The short list of large facilities with capacity and status (`data/datacenters.csv` of the data-centre guide). Pure.
 *
 * Only the columns up to `year_opened` are read: behind them some rows have one cell more than the header, so that no reader can tell
 * what the later cells are.
 */

import type { DatacenterStatus } from "#libs/contract/vocabulary.ts";
import { findState } from "#libs/counties/table.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { known, megawatts, number, text } from "#libs/files/values.ts";
import { yearOf } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { type FacilityRow, nameKey, Rows, unstated } from "./facility.ts";
import { isInState } from "./place.ts";
import { writeFacilities } from "./write.ts";

const required = [["id"], ["name"], ["operator"], ["city"], ["state"], ["status"], ["capacity_mw"]];

export const facilityGuide: Dataset<FacilityRow> = {
	feed: "datacenter-guide",
	database: "datacenter",
	title: "Large data centres with capacity and status",
	maxAgeHours: 17_520,
	maxBytes: 4 * 1024 * 1024,
	recognises: (file) => {
		const names = csvHeaderNames(file.bytes);
		return names.has("facility_type") && names.has("year_opened") && names.has("size_sqft");
	},
	parse: async (file) => readFacilityGuide(file),
	keptIn: { table: "datacenter_facilities" },
	write: (tx, file, provenance) => writeFacilities(tx, facilityGuide.feed, file, provenance),
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

export function readFacilityGuide({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(bytes, name, { spareCells: 1 }), required, 1);
	const at = {
		id: table.column("id"),
		name: table.column("name"),
		operator: table.column("operator"),
		city: table.column("city"),
		state: table.column("state"),
		lat: table.column("latitude"),
		lon: table.column("longitude"),
		status: table.column("status"),
		capacity: table.column("capacity_mw"),
		type: table.column("facility_type"),
		year: table.column("year_opened"),
	};
	const rows = new Rows<FacilityRow>();
	const seen = new Set<string>();
	const unknown = new Map<string, number>();
	for (const row of dataRows(table)) {
		const id = text(row[at.id]);
		const filed = known(row[at.name]);
		const state = findState(text(row[at.state]) ?? "")?.state;
		if (id === null || !/^\d{1,9}$/.test(id) || filed === null) rows.dropMalformed("no number or no name", filed ?? id);
		else if (state === undefined) rows.drop("not in the US", filed);
		else if (seen.has(id)) rows.drop("a second row of the same number", filed);
		else {
			seen.add(id);
			const status = known(row[at.status]);
			if (status !== null && statuses.get(status.toLowerCase()) === undefined)
				unknown.set(status, (unknown.get(status) ?? 0) + 1);
			const lat = number(row[at.lat]);
			const lon = number(row[at.lon]);
			const isPlaced = lat !== null && lon !== null && isInState({ lat, lon }, state);
			rows.keep({
				...unstated,
				...{ id: `DC-G${id}`, name: filed, name_key: nameKey(filed), state },
				operator: known(row[at.operator]),
				city: known(row[at.city]),
				...(isPlaced && { lat, lon, location_precision: "city" as const }),
				status_filed: status,
				status: statuses.get(status?.toLowerCase() ?? "") ?? null,
				capacity_mw: megawatts(row[at.capacity]),
				facility_type: known(row[at.type]),
				year_opened: yearOf(row[at.year]),
			});
		}
	}
	return {
		...{ edition: "current", publishedOn: null, rowsIn: rows.rowsIn, rows: rows.kept, dropped: rows.account },
		unknownValues: [...unknown].map(([value, count]) => ({ field: "status", value, count })),
		// Columns of the guide that say nothing of power or place; not distinguished in the rows that are too wide.
		unknownColumns: [],
	};
}
