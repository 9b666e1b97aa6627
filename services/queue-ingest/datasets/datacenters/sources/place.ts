/** Checks whether coordinates are plausible, because geocoders confuse streets of the same name in different states. Pure. */
import { allCounties, type County } from "#libs/counties/table.ts";
import { type Coordinates, distanceKm } from "../../../plants/link-pair.ts";

const kmPerDegree = 111.195;

/** Maximum distance of a point from the center of its county in the lower 48 states (San Bernardino, Nye). */
const maxCountyKm = 200;
/** How much nearer a point may be to a county's center in a neighboring state than to any in its own (Umatilla in Oregon, Fairless Hills in Pennsylvania). */
const maxBorderKm = 23;

/** Whether the point is in this state, judged by the centers of counties. */
export function isInState(point: Coordinates, state: string): boolean {
	// Alaska's boroughs and Hawaii's counties are too large to be judged by their centers.
	if (state === "AK") return point.lat > 51 && point.lon < -129;
	if (state === "HI") return point.lat > 18 && point.lat < 23 && point.lon > -161 && point.lon < -154;
	const isWithinReach = (county: County) => Math.abs(county.lat - point.lat) * kmPerDegree < maxCountyKm;
	let kmInState = maxCountyKm;
	let kmAnywhere = maxCountyKm;
	for (const county of allCounties) {
		if (!isWithinReach(county)) continue;
		const km = distanceKm(point, county);
		kmAnywhere = Math.min(kmAnywhere, km);
		if (county.state === state) kmInState = Math.min(kmInState, km);
	}
	return kmInState < maxCountyKm && kmInState - kmAnywhere < maxBorderKm;
}

/** Returns the median of the points, which a few outliers do not move; null for fewer than three points. */
export function medianPoint(points: readonly Coordinates[]): Coordinates | null {
	if (points.length < 3) return null;
	return { lat: median(points.map(({ lat }) => lat)), lon: median(points.map(({ lon }) => lon)) };
}

function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const at = Math.floor(sorted.length / 2);
	const upper = sorted[at] ?? 0;
	return sorted.length % 2 === 1 ? upper : (upper + (sorted[at - 1] ?? upper)) / 2;
}
