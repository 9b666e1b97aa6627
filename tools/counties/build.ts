/**
 * Writes the centres, and the largest circle within each county, of `counties.psv` and `states.psv` in `libs/counties` from us-atlas (US
 * Census cartographic boundaries, 2017 edition, ISC licence). Run by hand when us-atlas changes: `node tools/counties/build.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { geoArea, geoCentroid } from "d3-geo";
import type { MultiPolygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { largestCircle } from "./largest-circle.ts";

type Shapes = GeometryCollection<{ name: string }>;
type Atlas = Topology<{ counties: Shapes; states: Shapes }>;

/** Two-letter postal codes by the first two digits of a FIPS code (FIPS PUB 5-2); us-atlas carries names only. */
const postalCodes: Record<string, string> = Object.fromEntries(
	(
		"01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI " +
		"27MN 28MS 29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT " +
		"51VA 53WA 54WV 55WI 56WY 60AS 66GU 69MP 72PR 78VI"
	)
		.split(" ")
		.map((entry) => [entry.slice(0, 2), entry.slice(2)]),
);

function postalCode(fips: string): string {
	const code = postalCodes[fips.slice(0, 2)];
	if (code === undefined) throw new Error(`no postal code for FIPS ${fips}`);
	return code;
}

function centres(atlas: Atlas, shapes: Shapes) {
	const found = feature(atlas, shapes).features.map((shape) => {
		const [lon, lat] = geoCentroid(shape);
		const fips = String(shape.id);
		const place = { lat: roundDegrees(lat), lon: roundDegrees(lon), radiusKm: radiusKm(geoArea(shape)) };
		const { geometry } = shape;
		const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : (geometry as MultiPolygon).coordinates;
		return { polygons, fips, state: postalCode(fips), name: shape.properties.name, ...place };
	});
	return found.sort((a, b) => a.fips.localeCompare(b.fips));
}

/** Four decimals: about ten metres, far finer than "somewhere in this county". */
function roundDegrees(degrees: number): number {
	return Math.round(degrees * 10_000) / 10_000;
}

const earthKm = 6_371.0088;

/** Radius of the circle that has the same area (steradians) as the shape. */
const radiusKm = (area: number): number => Math.round(Math.sqrt((area * earthKm ** 2) / Math.PI) * 10) / 10;

const atlasFile = createRequire(import.meta.url).resolve("us-atlas/counties-10m.json");
const atlas = JSON.parse(readFileSync(atlasFile, "utf8")) as Atlas;
const { states, counties } = atlas.objects;
const centreOf = new Map(
	centres(atlas, counties).map(({ fips, lat, lon, radiusKm, polygons }) => {
		const within = largestCircle(polygons, { lat, lon });
		const circle = `${roundDegrees(within.lat)}|${roundDegrees(within.lon)}|${Math.floor(within.radiusKm * 100) / 100}`;
		return [fips, `${lat}|${lon}|${radiusKm}|${circle}`];
	}),
);
const none = "|||||";
// The two parts of Valdez-Cordova are younger than the atlas.
for (const part of ["02063", "02066"]) centreOf.set(part, centreOf.get("02261") ?? none);

const folder = new URL("../../libs/counties/", import.meta.url);
const file = new URL("counties.psv", folder);
const [, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
const located = lines.map((line) => {
	const cells = line.split("|").slice(0, 5);
	return `${cells.join("|")}|${centreOf.get(cells[0] ?? "") ?? none}`;
});
writeFileSync(
	file,
	`${["fips|state|name|also|now|lat|lon|radius_km|within_lat|within_lon|within_km", ...located].join("\n")}\n`,
);
const stateLines = centres(atlas, states).map(
	({ state, name, lat, lon, radiusKm }) => `${state}|${name}|${lat}|${lon}|${radiusKm}`,
);
writeFileSync(new URL("states.psv", folder), `${["state|name|lat|lon|radius_km", ...stateLines].join("\n")}\n`);
