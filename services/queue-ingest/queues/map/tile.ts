/** Makes a vector tile of requests: clusters at low zoom, else places and their requests. Pure. */
import { fromGeojsonVt } from "@maplibre/vt-pbf";
import { placesZoom } from "#libs/contract/operations/projects/tiles.ts";
import type { MapPlace } from "./places.ts";
import { merge, mostFrequent, newStatistics, type Statistics } from "./statistics.ts";

export interface TileAddress {
	z: number;
	x: number;
	y: number;
}

/** Length of a tile's edge (units). */
const extent = 4_096;
/** Margin around a tile (units). A feature that crosses an edge is in both tiles. */
const buffer = 128;
/** Length of a tile's edge (pixels). */
const tilePixels = 512;
/** Maximum clusters along a tile's edge. */
const clustersPerEdge = 8;
/** Maximum requests in a tile. Each place adds its largest requests first. */
const maxRequests = 25_000;

type Tags = Record<string, string | number>;

interface Feature {
	type: 1;
	geometry: [number, number][];
	tags: Tags;
}

/** Returns no bytes for an empty tile. */
export function makeTile(places: readonly MapPlace[], tile: TileAddress): Uint8Array {
	const layers =
		tile.z < placesZoom
			? { clusters: makeClusters(places, tile) }
			: { places: makePlaces(places, tile), requests: makeRequests(places, tile) };
	const filledLayers = Object.entries(layers).filter(([, features]) => features.length > 0);
	if (filledLayers.length === 0) return new Uint8Array();
	const entries = filledLayers.map(([name, features]) => [name, { features }]);
	return fromGeojsonVt(Object.fromEntries(entries), { version: 2, extent });
}

/** Converts a Web Mercator position to the tile's units. */
const toTileUnits = ({ z, x, y }: TileAddress, at: { x: number; y: number }): [number, number] => [
	(at.x * 2 ** z - x) * extent,
	(at.y * 2 ** z - y) * extent,
];

const toPoint = ([x, y]: [number, number]): [number, number][] => [[Math.round(x), Math.round(y)]];

const isWithinReach = ([x, y]: [number, number], reach = 0): boolean =>
	[x, y].every((at) => at >= -buffer - reach && at <= extent + buffer + reach);

/** Clusters requests by the cells of one grid for all tiles: each request is in one cluster, and each cluster is in one tile. */
function makeClusters(places: readonly MapPlace[], tile: TileAddress): Feature[] {
	const clusters = new Map<number, { statistics: Statistics; x: number; y: number }>();
	for (const place of places) {
		const [x, y] = toTileUnits(tile, place);
		if (x < 0 || y < 0 || x >= extent || y >= extent) continue;
		const cell =
			Math.floor((x * clustersPerEdge) / extent) * clustersPerEdge + Math.floor((y * clustersPerEdge) / extent);
		let cluster = clusters.get(cell);
		if (cluster === undefined) {
			cluster = { statistics: newStatistics(), x: 0, y: 0 };
			clusters.set(cell, cluster);
		}
		merge(cluster.statistics, place.statistics);
		cluster.x += x * place.statistics.count;
		cluster.y += y * place.statistics.count;
	}
	return [...clusters.values()]
		.sort((one, other) => other.statistics.count - one.statistics.count)
		.map(({ statistics, x, y }) => ({
			type: 1,
			geometry: toPoint([x / statistics.count, y / statistics.count]),
			tags: toTags(statistics),
		}));
}

function toTags(statistics: Statistics): Tags {
	const { count, capacity, technologies, statuses, scores } = statistics;
	return {
		count,
		capacity_mw: Math.round(capacity * 10) / 10,
		technology: mostFrequent(technologies),
		status: mostFrequent(statuses),
		...(scores.count > 0 && { score: Math.round(scores.sum / scores.count) }),
	};
}

/** Returns large places first, so that small places are drawn on top of them. */
function makePlaces(places: readonly MapPlace[], tile: TileAddress): Feature[] {
	return places
		.filter((place) => isWithinReach(toTileUnits(tile, place), place.radius * 2 ** tile.z * extent))
		.sort((one, other) => other.radius - one.radius)
		.map((place) => ({
			type: 1,
			geometry: toPoint(toTileUnits(tile, place)),
			tags: {
				precision: place.precision,
				radius: Math.round(place.radius * tilePixels * 1e6) / 1e6,
				...(place.fips !== null && { fips: place.fips }),
				...(place.county !== null && { county: place.county }),
				...(place.state !== null && { state: place.state }),
				...toTags(place.statistics),
			},
		}));
}

/** Leaves out requests that are located only by state. */
function makeRequests(places: readonly MapPlace[], tile: TileAddress): Feature[] {
	const features: Feature[] = [];
	for (const place of places) {
		if (place.precision === "state") continue;
		const { circle } = place;
		const [x, y] = toTileUnits(tile, circle);
		const reach = circle.radius * 2 ** tile.z * extent;
		if (!isWithinReach([x, y], reach)) continue;
		const offsetAt = createSpiral(place.requests.length, reach);
		for (const [at, request] of place.requests.entries()) {
			const [east, south] = offsetAt(at);
			const position: [number, number] = [x + east, y + south];
			if (!isWithinReach(position)) continue;
			if (features.length === maxRequests) return features;
			features.push({
				type: 1,
				geometry: toPoint(position),
				tags: {
					id: request.id,
					precision: place.precision,
					technology: request.technology,
					status: request.status,
					...(request.score !== null && { score: request.score }),
					...(request.capacity !== null && { capacity_mw: request.capacity }),
				},
			});
		}
	}
	return features;
}

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Share of the radius within which requests are laid out. */
const layoutShare = 0.85;
/** The spiral does not reach its full radius with fewer requests than this. */
const minFillingCount = 40;

/** Lays requests out on a sunflower spiral, which spaces them evenly. The returned function maps an index to the offset from the center. */
function createSpiral(count: number, radius: number): (at: number) => [number, number] {
	const step = (layoutShare * radius) / Math.sqrt(Math.max(count, minFillingCount));
	return (at) => {
		const distance = step * Math.sqrt(at);
		return [distance * Math.cos(at * goldenAngle), distance * Math.sin(at * goldenAngle)];
	};
}
