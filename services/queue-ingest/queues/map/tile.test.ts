import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";
import { expect, test } from "vitest";
import { groupByPlace, type PlacedRow, toMercator } from "./places.ts";
import { makeTile, type TileAddress } from "./tile.ts";

/** Harris County, Texas. */
const [lat, lon] = [29.8578, -95.3925];

const ofCounty = (count: number, more: Partial<Record<"technology" | "status", string>> = {}): PlacedRow[] =>
	Array.from({ length: count }, (_, at) => [
		...([lat, lon, "county", "48201", "TX", "Harris"] as const),
		...([`R-${at}`, more.technology ?? "Solar", more.status ?? "Active", at === 0 ? 60 : null, 100 - at] as const),
	]);
const ofPoint: PlacedRow = [lat + 1, lon, "poi", "48471", "TX", "Walker", "P-1", "Wind", "Withdrawn", null, null];
const ofState: PlacedRow = [31.4, -99.3, "state", null, "TX", null, "S-1", "Gas", "Active", 40, 20.25];

type Properties = Partial<Record<string, unknown>> & { count?: number; radius?: number };

/** The tile at a zoom that contains a position. */
function tileAt(z: number, at = toMercator(lat, lon)): TileAddress {
	return { z, x: Math.floor(at.x * 2 ** z), y: Math.floor(at.y * 2 ** z) };
}

function read(rows: PlacedRow[], address: TileAddress) {
	const { layers } = new VectorTile(new PbfReader(makeTile(groupByPlace(rows), address)));
	const features = (name: string) => {
		const layer = layers[name];
		return Array.from({ length: layer?.length ?? 0 }, (_, at) => {
			const feature = layer?.feature(at);
			const { x = Number.NaN, y = Number.NaN } = feature?.loadGeometry()[0]?.[0] ?? {};
			const properties: Properties = { ...feature?.properties };
			return { ...properties, at: { x, y } };
		});
	};
	return { names: Object.keys(layers), features };
}

test("a tile without requests is empty", () => {
	expect(makeTile(groupByPlace(ofCounty(3)), { z: 6, x: 0, y: 0 })).toHaveLength(0);
	expect(makeTile([], { z: 0, x: 0, y: 0 })).toHaveLength(0);
});

test("at low zoom requests form clusters whose sums are equal at every zoom", () => {
	const rows = [...ofCounty(7), ofPoint, ofState];
	for (const z of [0, 2, 4]) {
		const tiles = z === 0 ? [{ z, x: 0, y: 0 }] : everyTile(z);
		const clusters = tiles.flatMap((tile) => read(rows, tile).features("clusters"));
		expect(clusters.reduce((sum, { count }) => sum + Number(count), 0)).toBe(9);
	}
	const [cluster] = read(rows, { z: 0, x: 0, y: 0 }).features("clusters");
	expect(cluster).toMatchObject({ count: 9, capacity_mw: 699.3, technology: "Solar", status: "Active", score: 50 });
});

const everyTile = (z: number): TileAddress[] =>
	Array.from({ length: 4 ** z }, (_, at) => ({ z, x: at % 2 ** z, y: Math.floor(at / 2 ** z) }));

test("a county is a disc of its size, and its requests stay within it", () => {
	const { features } = read(ofCounty(200), tileAt(6));
	const [county] = features("places");
	expect(county).toMatchObject({ precision: "county", fips: "48201", county: "Harris", count: 200 });
	// 37.9 km where a pixel at zoom 0 is 68 km.
	expect(county?.radius).toBeCloseTo(0.56, 1);
	// The largest circle within Harris County, which is not round.
	const { circle } = groupByPlace(ofCounty(1))[0] ?? {};
	const units = 4_096 * 2 ** 6;
	const reach = Number(circle?.radius) * units;
	const { x, y } = tileAt(6);
	const center = { x: Number(circle?.x) * units - x * 4_096, y: Number(circle?.y) * units - y * 4_096 };
	expect(reach).toBeLessThan(Number(county?.radius) * 2 ** 6 * 8);
	const requests = features("requests");
	expect(new Set(requests.map(({ at }) => `${at.x} ${at.y}`)).size).toBe(200);
	for (const { at } of requests) {
		expect(Math.hypot(at.x - center.x, at.y - center.y)).toBeLessThan(reach);
	}
});

test("a request with coordinates is a point at them", () => {
	const { features } = read([ofPoint], tileAt(8, toMercator(lat + 1, lon)));
	const [place] = features("places");
	expect(place).toMatchObject({ precision: "poi", radius: 0 });
	expect(features("requests")).toEqual([
		{ id: "P-1", precision: "poi", technology: "Wind", status: "Withdrawn", at: place?.at },
	]);
});

test("requests that are located only by state are not placed", () => {
	const { features } = read([ofState], tileAt(6, toMercator(31.4, -99.3)));
	expect(features("places")).toMatchObject([{ precision: "state", state: "TX", count: 1, score: 40 }]);
	expect(features("requests")).toEqual([]);
});

test("a disc across the side of a tile is in both tiles", () => {
	const at = tileAt(10);
	const beside = { ...at, x: at.x + 1 };
	expect(read(ofCounty(1), beside).features("places")).toHaveLength(1);
});
