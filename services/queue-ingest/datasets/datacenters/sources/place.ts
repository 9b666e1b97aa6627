/** Can a coordinate be what a list says it is? Geocoders take a street of another state for the one that was meant. Pure. */
import { allCounties, type County } from "#libs/counties/table.ts";

export interface Point {
	lat: number;
	lon: number;
}

const kmPerDegree = 111.195;

/** Great-circle distance (km). */
export function distanceKm(a: Point, b: Point): number {
	const radians = Math.PI / 180;
	const square =
		Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
		Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lon - a.lon) * radians) / 2) ** 2;
	return 2 * 6_371 * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Counties reach this far from their centre in the lower 48 states, at most (San Bernardino, Nye). */
const countyReachKm = 200;
/** How much nearer the centre of a county across the border may be: Umatilla in Oregon, Fairless Hills in Pennsylvania. */
const borderKm = 23;

/** Is the point in this state, as far as the centres of counties can tell? */
export function isInState(point: Point, state: string): boolean {
	// Alaska's boroughs and Hawaii's counties are too large for their centres to tell anything.
	if (state === "AK") return point.lat > 51 && point.lon < -129;
	if (state === "HI") return point.lat > 18 && point.lat < 23 && point.lon > -161 && point.lon < -154;
	const within = (county: County) => Math.abs(county.lat - point.lat) * kmPerDegree < countyReachKm;
	let inside = countyReachKm;
	let anywhere = countyReachKm;
	for (const county of allCounties) {
		if (!within(county)) continue;
		const km = distanceKm(point, county);
		anywhere = Math.min(anywhere, km);
		if (county.state === state) inside = Math.min(inside, km);
	}
	return inside < countyReachKm && inside - anywhere < borderKm;
}

/** The middle of points, unmoved by a few that are far off; null for fewer than three. */
export function middleOf(points: readonly Point[]): Point | null {
	if (points.length < 3) return null;
	return { lat: median(points.map(({ lat }) => lat)), lon: median(points.map(({ lon }) => lon)) };
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const at = Math.floor(sorted.length / 2);
	const upper = sorted[at] ?? 0;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[at - 1] ?? upper)) / 2;
}
