/** Finds the largest circle within a shape on a Mercator map: a point drawn in it never lies outside the shape. Pure. */

/** Degrees. */
type Position = number[];

export interface Circle {
	lat: number;
	lon: number;
	radiusKm: number;
}

type Point = [x: number, y: number];

const earthKm = 6_371.0088;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
/** Steps of the grid per side, and how often a finer grid is laid around the best point. */
const gridSteps = 24;
const refinements = 6;

/** `polygons`: as in GeoJSON, rings of positions (lon, lat), the outer one first. `near`: any point close to the shape. */
export function largestCircle(polygons: readonly Position[][][], near: { lat: number; lon: number }): Circle {
	const rings = polygons.flat().map((ring) => ring.map((position) => projectPoint(position, near.lon)));
	const all = rings.flat();
	let [left, right] = boundsOf(all.map(([x]) => x));
	let [bottom, top] = boundsOf(all.map(([, y]) => y));
	let best: { point: Point; distance: number } = { point: [0, 0], distance: Number.NEGATIVE_INFINITY };
	for (let round = 0; round < refinements; round++) {
		const step: Point = [(right - left) / gridSteps, (top - bottom) / gridSteps];
		for (let column = 0; column <= gridSteps; column++)
			for (let row = 0; row <= gridSteps; row++) {
				const point: Point = [left + column * step[0], bottom + row * step[1]];
				const distance = distanceInside(point, rings);
				if (distance > best.distance) best = { point, distance };
			}
		const [x, y] = best.point;
		[left, right, bottom, top] = [x - 2 * step[0], x + 2 * step[0], y - 2 * step[1], y + 2 * step[1]];
	}
	const [x, y] = best.point;
	const lat = degrees(Math.atan(Math.sinh(y)));
	return { lat, lon: near.lon + degrees(x), radiusKm: best.distance * earthKm * Math.cos(radians(lat)) };
}

/** Mercator position in radians of the equator, east of `meridian`, even across the 180th. */
function projectPoint([lon = Number.NaN, lat = Number.NaN]: Position, meridian: number): Point {
	const east = ((lon - meridian + 540) % 360) - 180;
	return [radians(east), Math.asinh(Math.tan(radians(lat)))];
}

function boundsOf(values: readonly number[]): [number, number] {
	let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
	for (const value of values) {
		least = Math.min(least, value);
		most = Math.max(most, value);
	}
	return [least, most];
}

/** Distance from the nearest side; below zero outside. */
function distanceInside([x, y]: Point, rings: readonly Point[][]): number {
	let isInside = false;
	let nearest = Number.POSITIVE_INFINITY;
	for (const ring of rings)
		for (let at = 1; at < ring.length; at++) {
			const [[x1, y1], [x2, y2]] = [ring[at - 1] ?? [0, 0], ring[at] ?? [0, 0]];
			if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
			const length = (x2 - x1) ** 2 + (y2 - y1) ** 2;
			const part = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
			nearest = Math.min(nearest, (x1 + part * (x2 - x1) - x) ** 2 + (y1 + part * (y2 - y1) - y) ** 2);
		}
	return (isInside ? 1 : -1) * Math.sqrt(nearest);
}
