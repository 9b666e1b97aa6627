/**
 * Reads the list of facilities by state with street addresses, from datacentermap.com (`Data_centers_divided_by_state.csv`). Pure.
 *
 * `power_usage_2023_kwh` and `power_usage_per_hour_2023_kwh` are ignored: they repeat an average of the state on each of its rows, and
 * as kWh would be the load of a household.
 */
import type { PlacePrecision } from "#libs/contract/vocabulary.ts";
import { readCsv } from "#libs/files/csv.ts";
import { HeadedTable } from "#libs/files/table.ts";
import { type Cell, known, number, text } from "#libs/files/values.ts";
import { type Coordinates, distanceKm } from "../../../plants/link-pair.ts";
import { field, recordReader } from "../../../sources/cells.ts";
import { dataRows } from "../../../sources/collector.ts";
import type { Dataset, DatasetFile } from "../../../sources/dataset.ts";
import { RowAccount } from "../../../sources/row-account.ts";
import type { RawFile } from "../../../sources/source.ts";
import {
	addressKey,
	createIdGenerator,
	emptyFacility,
	type FacilityRow,
	facilityList,
	nameKey,
	stateOf,
	withHeaders,
} from "./facility.ts";
import { isInState, medianPoint } from "./place.ts";

const fields = {
	/** Some names end with a note in Chinese that no coordinate was found ("（无）"); it is removed. */
	name: field((cell) => known(known(cell)?.replace(/\s*（[^）]*）\s*无?\s*$/u, "")), "Data_center"),
	address: field(known, "Data_center_address"),
	lon: field(parseDegrees, "Longitude_of_data_center"),
	lat: field(parseDegrees, "Latitude_of_data_center"),
	accuracy: field((cell) => known(cell) ?? "", "Is_it_accurate"),
	market: field(known, "market"),
	state: field(stateOf, "states"),
};
const required = [fields.name, fields.address, fields.lon, fields.lat, fields.state].map(({ headers }) => headers);

export const facilityMap: Dataset<FacilityRow> = {
	...facilityList,
	feed: "datacenter-map",
	title: "Data centers by state with addresses (datacentermap.com)",
	layout: { formats: "CSV", verified: "2024-11" },
	unlicensed: true,
	maxBytes: 8 * 1024 * 1024,
	recognises: withHeaders("data_center_address", "longitude_of_data_center"),
	parse: async (file) => readFacilityMap(file),
};

/** `Is_it_accurate` is the precision that the geocoder states; "GoogleMap" marks points placed by hand. */
const precisions = new Map(
	Object.entries<PlacePrecision>({
		ROOFTOP: "site",
		GoogleMap: "site",
		RANGE_INTERPOLATED: "street",
		GEOMETRIC_CENTER: "area",
		APPROXIMATE: "area",
	}),
);
/** Maximum distance from the center of the market. A geocoded street or area farther away is in a different town. */
const maxMarketKm = 100;

interface GeocodedFacility {
	facility: FacilityRow;
	point: Coordinates | null;
	accuracy: string;
}

export function readFacilityMap({ name, bytes }: RawFile): DatasetFile<FacilityRow> {
	const table = new HeadedTable(readCsv(toUtf8(bytes), name), required, 1);
	const read = recordReader(table, fields);
	table.ignore("power_usage_2023_kwh", "power_usage_per_hour_2023_kwh");
	table.ignore("Number_of_Market_Data_Centers", "Number_of_States_Data_Centers");
	const account = new RowAccount<GeocodedFacility>();
	const createId = createIdGenerator("DC-M");
	const seen = new Set<string>();
	for (const row of dataRows(table)) {
		const { name: filed, address, lat, lon, accuracy, market, state } = read(row);
		const repeat = JSON.stringify(row);
		if (filed === null) account.drop("no name", address, "malformed");
		else if (state === null) account.drop("no state of the US", filed, "malformed");
		else if (seen.has(repeat)) account.drop("exact repeat of another row", filed);
		else {
			seen.add(repeat);
			if (accuracy !== "" && !precisions.has(accuracy)) account.unknown("Is_it_accurate", accuracy);
			const keys = { name_key: nameKey(filed), address_key: addressKey(address) };
			// One in five coordinates is in another state.
			const isPlausible = lat !== null && lon !== null && isInState({ lat, lon }, state);
			account.keep({
				facility: {
					...emptyFacility,
					id: createId(filed, address, state),
					name: filed,
					address,
					market,
					state,
					...keys,
				},
				point: isPlausible ? { lat, lon } : null,
				accuracy,
			});
		}
	}
	return { edition: "current", publishedOn: null, ...account.file(table), rows: placeFacilities(account.kept) };
}

/** Adds coordinates to facilities if they are plausible: in the state, and not far from the other facilities of the market. */
function placeFacilities(rows: readonly GeocodedFacility[]): FacilityRow[] {
	const markets = Map.groupBy(rows, ({ facility }) => `${facility.market}\n${facility.state}`);
	return [...markets.values()].flatMap((market) => {
		const hasMarket = market[0]?.facility.market !== null;
		const center = hasMarket ? medianPoint(market.flatMap(({ point }) => point ?? [])) : null;
		return market.map(({ facility, point, accuracy }) => {
			const precision = precisions.get(accuracy) ?? null;
			if (point === null || precision === null) return facility;
			const isOutlier = precision !== "site" && center !== null && distanceKm(point, center) > maxMarketKm;
			return isOutlier ? facility : { ...facility, ...point, location_precision: precision };
		});
	});
}

/** Skips a leading comma, which one value has: ", -105.09853273668338". */
function parseDegrees(cell: Cell): number | null {
	return number(text(cell)?.replace(/^[\s,]+/, ""));
}

/** Converts the file to UTF-8 from GB 18030, unless it already is UTF-8. */
function toUtf8(bytes: Uint8Array): Uint8Array {
	try {
		new TextDecoder("utf-8", { fatal: true }).decode(bytes);
		return bytes;
	} catch {
		return Buffer.from(new TextDecoder("gb18030").decode(bytes));
	}
}
