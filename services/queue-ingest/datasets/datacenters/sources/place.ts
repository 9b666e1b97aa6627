/** Checks whether a coordinate can be right: geocoders confuse streets of the same name in different states. Pure. */
import { allCounties, type County } from "#libs/counties/table.ts";
import { type Coordinates, distanceKm } from "../../../plants/link-pair.ts";

const kmPerDegree = 111.195;

/** Longest distance of a point from the centre of its county in the lower 48 states (San Bernardino, Nye). */
const countyReachKm = 200;
/** A point may be nearer to the centre of a county in another state by up to this (Umatilla in Oregon, Fairless Hills in Pennsylvania). */
const borderKm = 23;

/** Whether the point is in this state, judged by the centres of counties. */
export function isInState(point: Coordinates, state: string): boolean {
	// Alaska's boroughs and Hawaii's counties are too large to be judged by their centres.
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

/** The median of points, so that a few outliers do not move it; null for fewer than three. */
export function middleOf(points: readonly Coordinates[]): Coordinates | null {
	if (points.length < 3) return null;
	return { lat: median(points.map(({ lat }) => lat)), lon: median(points.map(({ lon }) => lon)) };
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const at = Math.floor(sorted.length / 2);
	const upper = sorted[at] ?? 0;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[at - 1] ?? upper)) / 2;
}
