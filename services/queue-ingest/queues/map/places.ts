/** Groups requests by place. Requests that are located only by county share the county's center. Pure. */
import type { LocationPrecision } from "#libs/contract/vocabulary.ts";
import { byFips, findState } from "#libs/counties/table.ts";
import { addRequest, type CountedRequest, newStatistics, type Statistics } from "./statistics.ts";

interface PlacedRequest extends CountedRequest {
	id: string;
}

export interface MapPlace {
	/** Web Mercator coordinates: `x` is 0 in the west and 1 in the east, `y` is 0 in the north and 1 in the south. */
	x: number;
	y: number;
	precision: LocationPrecision;
	/** The requests are within this radius, on the same scale; 0 for a point. */
	radius: number;
	/** Circle inside the place's shape, in which the requests are drawn. */
	circle: { x: number; y: number; radius: number };
	state: string | null;
	county: string | null;
	fips: string | null;
	/** Sorted by capacity, the largest first. */
	requests: PlacedRequest[];
	statistics: Statistics;
}

/** A row of the query: a place, then a request. The rows of a place are consecutive, the largest request first. */
export type PlacedRow = [
	lat: number,
	lon: number,
	precision: LocationPrecision,
	fips: string | null,
	state: string | null,
	county: string | null,
	...request: [id: string, technology: string, status: string, score: number | null, capacity: number | null],
];

export function groupByPlace(rows: Iterable<PlacedRow>): MapPlace[] {
	const places: MapPlace[] = [];
	let last: { key: string; place: MapPlace } | undefined;
	for (const [lat, lon, precision, fips, state, county, id, technology, status, score, capacity] of rows) {
		const key = `${lat} ${lon} ${precision} ${fips}`;
		if (last?.key !== key) {
			last = { key, place: newPlace({ lat, lon, precision, fips, state, county }) };
			places.push(last.place);
		}
		const request = { id, technology, status, score, capacity };
		last.place.requests.push(request);
		addRequest(last.place.statistics, request);
	}
	return places;
}

type Location = { lat: number; lon: number } & Pick<MapPlace, "precision" | "fips" | "state" | "county">;

function newPlace({ lat, lon, precision, fips, state, county }: Location): MapPlace {
	const center = toMercator(lat, lon);
	const radius = kmToMercator(radiusKm(precision, fips, state), lat);
	return {
		...center,
		...{ precision, fips, state, county, radius },
		circle: (precision === "county" ? findCircle(fips) : undefined) ?? { ...center, radius },
		requests: [],
		statistics: newStatistics(),
	};
}

/** Radius of a county or state without a shape (km). */
const defaultCountyKm = 25;
const defaultStateKm = 200;

function radiusKm(precision: LocationPrecision, fips: string | null, state: string | null): number {
	if (precision === "poi") return 0;
	if (precision === "state") return (state === null ? null : findState(state))?.radiusKm ?? defaultStateKm;
	return (fips === null ? undefined : byFips.get(fips))?.radiusKm || defaultCountyKm;
}

/** Undefined if the county has no shape. */
function findCircle(fips: string | null): MapPlace["circle"] | undefined {
	const { lat, lon, radiusKm } = (fips === null ? undefined : byFips.get(fips))?.within ?? {};
	if (lat === undefined || lon === undefined || radiusKm === undefined || Number.isNaN(radiusKm)) return undefined;
	return { ...toMercator(lat, lon), radius: kmToMercator(radiusKm, lat) };
}

const equatorKm = 40_075.016_686;
/** Latitude at which Web Mercator ends (degrees). */
const maxLatitude = 85.051_128;

const kmToMercator = (km: number, lat: number): number => km / (equatorKm * Math.cos((lat * Math.PI) / 180));

export function toMercator(lat: number, lon: number): { x: number; y: number } {
	const phi = (Math.max(-maxLatitude, Math.min(maxLatitude, lat)) * Math.PI) / 180;
	return { x: (lon + 180) / 360, y: 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI) };
}
