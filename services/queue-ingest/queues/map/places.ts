/** Groups requests by place. Requests of a county share its centre and are not drawn more exactly. Pure. */
import type { LocationPrecision } from "#libs/contract/vocabulary.ts";
import { byFips, findState } from "#libs/counties/table.ts";
import { addRequest, newStatistics, type Statistics } from "./statistics.ts";

interface PlacedRequest {
	id: string;
	technology: string;
	status: string;
	/** Null if it is not scored. */
	score: number | null;
	/** MW. */
	capacity: number | null;
}

export interface MapPlace {
	/** Web Mercator: 0 to 1 from the west and from the north. */
	x: number;
	y: number;
	precision: LocationPrecision;
	/** Radius within which the requests are, on the same scale; 0 for a point. */
	radius: number;
	/** Circle in which its requests are drawn, which lies within the place's shape. */
	within: { x: number; y: number; radius: number };
	state: string | null;
	county: string | null;
	fips: string | null;
	/** The largest first. */
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

interface Location {
	lat: number;
	lon: number;
	precision: LocationPrecision;
	fips: string | null;
	state: string | null;
	county: string | null;
}

function newPlace({ lat, lon, precision, fips, state, county }: Location): MapPlace {
	const centre = toMercator(lat, lon);
	const radius = kmToMercator(radiusKm(precision, fips, state), lat);
	return {
		...centre,
		...{ precision, fips, state, county, radius },
		within: (precision === "county" ? circleIn(fips) : undefined) ?? { ...centre, radius },
		requests: [],
		statistics: newStatistics(),
	};
}

/** Used for a county without a shape. */
const usualCountyKm = 25;
const usualStateKm = 200;

function radiusKm(precision: LocationPrecision, fips: string | null, state: string | null): number {
	if (precision === "poi") return 0;
	if (precision === "state") return (state === null ? null : findState(state))?.radiusKm ?? usualStateKm;
	return (fips === null ? undefined : byFips.get(fips))?.radiusKm || usualCountyKm;
}

/** Undefined for a county without a shape of its own. */
function circleIn(fips: string | null): MapPlace["within"] | undefined {
	const { lat, lon, radiusKm } = (fips === null ? undefined : byFips.get(fips))?.within ?? {};
	if (lat === undefined || lon === undefined || radiusKm === undefined || Number.isNaN(radiusKm)) return undefined;
	return { ...toMercator(lat, lon), radius: kmToMercator(radiusKm, lat) };
}

const equatorKm = 40_075.016_686;
/** Latitude at which Web Mercator ends (degrees). */
const mostNorth = 85.051_128;

const kmToMercator = (km: number, lat: number): number => km / (equatorKm * Math.cos((lat * Math.PI) / 180));

export function toMercator(lat: number, lon: number): { x: number; y: number } {
	const phi = (Math.max(-mostNorth, Math.min(mostNorth, lat)) * Math.PI) / 180;
	return { x: (lon + 180) / 360, y: 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI) };
}
