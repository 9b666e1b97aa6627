/** Places on a map of the United States in the Albers projection. */
import { geoAlbersUsa, geoPath } from "d3-geo";
import type { ComponentChildren } from "preact";
import { mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import states from "us-atlas/states-albers-10m.json";
import { count } from "../text/format.ts";

const width = 975;
const height = 610;
const project = geoAlbersUsa()
	.scale(1_300)
	.translate([width / 2, height / 2]);

export type Named = GeometryCollection<{ name: string }>;
export const stateShapes = states as unknown as Topology<{ states: Named; nation: Named }>;
export const shapePath = geoPath();
const nation = shapePath(mesh(stateShapes, stateShapes.objects.nation)) ?? "";
export const stateBorders =
	shapePath(mesh(stateShapes, stateShapes.objects.states, (one, other) => one !== other)) ?? "";

export const MapFrame = ({ label, children }: { label: string; children: ComponentChildren }) => (
	<svg class="map" role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`}>
		<path class="land" d={nation} />
		{children}
	</svg>
);

export interface MapPoint {
	/** Degrees; NaN if unknown. */
	lon: number;
	lat: number;
	/** Relative area of the point's circle, 0 to 1. */
	size: number;
	/** Whether only the county or state of the location is known. */
	isVague: boolean;
	title: string;
}

/** Map of the country with one marked place. */
export function Locator({ lon, lat, label }: Pick<MapPoint, "lon" | "lat"> & { label: string }) {
	const at = project([lon, lat]);
	return (
		<MapFrame label={label}>
			<path class="border" d={stateBorders} />
			{at && <circle class="spot" cx={at[0]} cy={at[1]} r={14} />}
		</MapFrame>
	);
}

/** A map of places. `note` is shown after the number of places drawn. */
export function PlacesMap({ places, note }: { places: readonly MapPoint[]; note?: string | undefined }) {
	const shapes = places.flatMap((place) => {
		const at = project([place.lon, place.lat]);
		return at?.every(Number.isFinite) ? [{ ...place, at }] : [];
	});
	// Small circles are drawn above large ones.
	shapes.sort((one, other) => other.size - one.size);
	const vague = shapes.filter(({ isVague }) => isVague).length;
	return (
		<>
			<MapFrame label={`${count(shapes.length)} places; the rows are in the table`}>
				<path class="border" d={stateBorders} />
				{shapes.map(({ at: [x, y], size, isVague, title }, shape) => (
					<circle
						key={shape}
						class={isVague ? "vague" : "point"}
						cx={x}
						cy={y}
						r={(isVague ? 5 : 2) + 12 * Math.sqrt(size)}
					>
						<title>{title}</title>
					</circle>
				))}
			</MapFrame>
			<p class="soft">
				{count(shapes.length)} of {count(places.length)} rows have a place on this map.
				{vague > 0 && ` Faded circles (${count(vague)}): only the county or state is known.`}
				{note !== undefined && ` ${note}`}
			</p>
		</>
	);
}
