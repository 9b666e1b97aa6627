/** Points of interconnection on the map, shown as rings around their requests. */
import type { CircleLayerSpecification } from "maplibre-gl";
import type { Reply } from "#libs/contract/index.ts";

export type Point = Reply<"listPois">["data"][number];

const goldenAngle = Math.PI * (3 - Math.sqrt(5));
/** Distance between adjacent points of a county (degrees): without it, all would be drawn at the county's center. */
const step = 0.03;

/** Creates the map features. Points with the same location are arranged in a spiral, which begins at its center. */
export function featuresOf(points: readonly Point[]): GeoJSON.GeoJSON {
	const places = Map.groupBy(points, ({ lat, lon }) => `${lat} ${lon}`);
	const features = [...places.values()].flatMap((atPlace) =>
		atPlace.flatMap(({ poi_id, lat, lon, active_mw }, at) => {
			if (lat === null || lon === null) return [];
			const [east, north] = [Math.cos(at * goldenAngle), Math.sin(at * goldenAngle)];
			const coordinates = [lon + step * Math.sqrt(at) * east, lat + step * Math.sqrt(at) * north];
			const geometry = { type: "Point" as const, coordinates };
			return [{ type: "Feature" as const, geometry, properties: { id: poi_id, active_mw } }];
		}),
	);
	return { type: "FeatureCollection", features };
}

/** The layer of rings. The area of a ring grows with the active MW of its point. */
export const pointLayer = (ink: string, page: string): CircleLayerSpecification => ({
	id: "points",
	type: "circle",
	source: "points",
	layout: { "circle-sort-key": ["-", 0, ["get", "active_mw"]] },
	paint: {
		"circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "active_mw"]], 0, 5, 50, 16],
		"circle-color": page,
		"circle-opacity": 0.35,
		"circle-stroke-width": 2,
		"circle-stroke-color": ink,
	},
});
