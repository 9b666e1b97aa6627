/**
 * The list of facilities by state with street addresses, from datacentermap.com (`Data_centers_divided_by_state.csv`). Pure.
 *
 * Left out: `power_usage_2023_kwh` and `power_usage_per_hour_2023_kwh`, which repeat one average of the state on each of its rows and
 * would be the load of a household if they were kWh.
 */

import type { PlacePrecision } from "#libs/contract/vocabulary.ts";
import { findState } from "#libs/counties/table.ts";
import { csvHeaderNames, readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import type { RawFile } from "../../../sources/source.ts";
import { addressKey, type FacilityRow, idsOf, nameKey, Rows, unstated } from "./facility.ts";
import { distanceKm, isInState, middleOf, type Point } from "./place.ts";
import { writeFacilities } from "./write.ts";

const required = [
	["Data_center"],
	["Data_center_address"],
	["Longitude_of_data_center"],
	["Latitude_of_data_center"],
	["states"],
];

export const facilityMap: Dataset<FacilityRow> = {
	feed: "datacenter-map",
	database: "datacenter",
	title: "Data centres by state with addresses (datacentermap.com)",
	maxAgeHours: 17_520,
	maxBytes: 8 * 1024 * 1024,
	recognises: (file) => {
		const names = csvHeaderNames(file.bytes);
		return names.has("data_center_address") && names.has("longitude_of_data_center");
	},
	parse: async (file) => readFacilityMap(file),
	keptIn: { table: "datacenter_facilities" },
	write: (tx, file, provenance) => writeFacilities(tx, facilityMap.feed, file, provenance),
};

/** `Is_it_accurate` is what the geocoder said of its own find; "GoogleMap" was placed by hand. */
const precisions = new Map(
	Object.entries<PlacePrecision>({
		ROOFTOP: "site",
		GoogleMap: "site",
		RANGE_INTERPOLATED: "street",
		GEOMETRIC_CENTER: "area",
		APPROXIMATE: "area",
	}),
);
/** A find along a street or in an area that is so far from the middle of its market is of another town. */
const marketKm = 100;

interface Read {
	facility: FacilityRow;
	point: Point | null;
	/** As filed. */
	accuracy: string;
}

export function readFacilityMap({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(utf8(bytes), name), required, 1);
	const at = {
		name: table.column("Data_center"),
		address: table.column("Data_center_address"),
		lon: table.column("Longitude_of_data_center"),
		lat: table.column("Latitude_of_data_center"),
		accuracy: table.column("Is_it_accurate"),
		market: table.column("market"),
		state: table.column("states"),
	};
	for (const unused of ["power_usage_2023_kwh", "power_usage_per_hour_2023_kwh"]) table.ignore(unused);
	table.ignore("Number_of_Market_Data_Centers", "Number_of_States_Data_Centers");
	const rows = new Rows<Read>();
	const ids = idsOf("DC-M");
	const seen = new Set<string>();
	const unknown = new Map<string, number>();
	for (const row of dataRows(table)) {
		const filed = nameOf(row[at.name]);
		const state = findState(text(row[at.state]) ?? "")?.state;
		const repeat = JSON.stringify(row);
		if (filed === null) rows.dropMalformed("no name", text(row[at.address]));
		else if (state === undefined) rows.dropMalformed("no state of the US", filed);
		else if (seen.has(repeat)) rows.drop("exact repeat of another row", filed);
		else {
			seen.add(repeat);
			const address = known(row[at.address]);
			const market = known(row[at.market]);
			const accuracy = known(row[at.accuracy]) ?? "";
			if (accuracy !== "" && precisions.get(accuracy) === undefined)
				unknown.set(accuracy, (unknown.get(accuracy) ?? 0) + 1);
			rows.keep({
				facility: {
					...unstated,
					id: ids(filed, address, state),
					...{ name: filed, name_key: nameKey(filed), address, address_key: addressKey(address), market, state },
				},
				point: pointOf(row[at.lat], row[at.lon], state),
				accuracy,
			});
		}
	}
	return {
		...{ edition: "current", publishedOn: null, rowsIn: rows.rowsIn, dropped: rows.account },
		rows: placed(rows.kept),
		unknownValues: [...unknown].map(([value, count]) => ({ field: "Is_it_accurate", value, count })),
		unknownColumns: table.leftovers(),
	};
}

/** Facilities with the coordinates that can be true: in their state, and not far from the others of their market. */
function placed(rows: readonly Read[]): FacilityRow[] {
	const markets = Map.groupBy(rows, ({ facility }) => `${facility.market}\n${facility.state}`);
	return [...markets.values()].flatMap((market) => {
		const isNamed = market[0]?.facility.market !== null;
		const middle = isNamed ? middleOf(market.flatMap(({ point }) => point ?? [])) : null;
		return market.map(({ facility, point, accuracy }) => {
			const precision = precisions.get(accuracy) ?? null;
			if (point === null || precision === null) return facility;
			const isAstray = precision !== "site" && middle !== null && distanceKm(point, middle) > marketKm;
			return isAstray ? facility : { ...facility, ...point, location_precision: precision };
		});
	});
}

/** Null for a coordinate outside the facility's state: one in five was found in another one. */
function pointOf(latitude: Cell, longitude: Cell, state: string): Point | null {
	const lat = degrees(latitude);
	const lon = degrees(longitude);
	return lat !== null && lon !== null && isInState({ lat, lon }, state) ? { lat, lon } : null;
}

/** One was copied with the comma before it: ", -105.09853273668338". */
const degrees = (cell: Cell): number | null => number(text(cell)?.replace(/^[\s,]+/, ""));

/** The list's maker notes after a name, in Chinese, that no coordinate was found ("（无）"). */
const nameOf = (cell: Cell): string | null => known(known(cell)?.replace(/\s*（[^）]*）\s*无?\s*$/u, ""));

/** The file was saved in China: GB 18030, unless it is converted one day. */
function utf8(bytes: Uint8Array): Uint8Array {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return bytes;
	} catch {
		return Buffer.from(new TextDecoder("gb18030").decode(bytes));
	}
}
