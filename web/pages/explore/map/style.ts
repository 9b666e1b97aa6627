/** The style of the map: boundaries of the United States, and requests, drawn as precisely as their locations are known. */

import type { ExpressionSpecification, LayerSpecification, StyleSpecification } from "maplibre-gl";
import { pointLayer } from "./points.ts";

export type Scheme = "light" | "dark";

interface Paint {
	sea: string;
	land: string;
	county: string;
	state: string;
	ink: string;
	page: string;
}

const paints: Record<Scheme, Paint> = {
	light: { sea: "#e3ebf0", land: "#fbfcfc", county: "#dde4e8", state: "#9fb0ba", ink: "#16232b", page: "#ffffff" },
	dark: { sea: "#0b1216", land: "#1a262d", county: "#2b3942", state: "#566873", ink: "#e8eff3", page: "#10191f" },
};

/** Maximum zoom level with tiles; beyond it, the tiles of this level are enlarged. */
const maxTileZoom = 8;
const font = ["system-ui", "sans-serif"];

/** A place's `radius` is in pixels at zoom 0, and doubles with each zoom level. */
const groundRadius: ExpressionSpecification = [
	"interpolate",
	["exponential", 2],
	["zoom"],
	0,
	["get", "radius"],
	22,
	["*", ["get", "radius"], 2 ** 22],
];

/** The opacity of a county, by its number of requests. */
const countyOpacity = (count: ExpressionSpecification): ExpressionSpecification => [
	"interpolate",
	["linear"],
	["sqrt", count],
	...[0, 0, 1, 0.16, 12, 0.42],
];

const megawatts: ExpressionSpecification = ["coalesce", ["get", "capacity_mw"], 0];

/** The radius of a request's circle, whose area grows with the MW. `radius` is the radius of 100 MW. */
const dotRadius = (radius: number): ExpressionSpecification => [
	"*",
	radius,
	["interpolate", ["linear"], ["sqrt", megawatts], ...[0, 0.6, 10, 1, 45, 3.2]],
];

const label = ["to-string", ["get", "count"]] as ExpressionSpecification;

export function styleOf(scheme: Scheme, tiles: string): StyleSpecification {
	const paint = paints[scheme];
	const empty = { type: "FeatureCollection" as const, features: [] };
	return {
		version: 8,
		sources: {
			land: { type: "geojson", data: empty },
			states: { type: "geojson", data: empty },
			counties: { type: "geojson", data: empty },
			areas: { type: "geojson", data: empty, promoteId: "fips" },
			limits: { type: "geojson", data: empty },
			points: { type: "geojson", data: empty },
			requests: { type: "vector", tiles: [tiles], minzoom: 0, maxzoom: maxTileZoom, promoteId: { requests: "id" } },
		},
		layers: [
			{ id: "sea", type: "background", paint: { "background-color": paint.sea } },
			{ id: "land", type: "fill", source: "land", paint: { "fill-color": paint.land } },
			{
				id: "areas",
				type: "fill",
				source: "areas",
				minzoom: placesZoom,
				paint: { "fill-opacity": countyOpacity(["coalesce", ["feature-state", "count"], 0]) },
			},
			{
				id: "counties",
				type: "line",
				source: "counties",
				minzoom: placesZoom,
				paint: { "line-color": paint.county, "line-width": ["interpolate", ["linear"], ["zoom"], 5, 0.5, 9, 1.2] },
			},
			{
				id: "states",
				type: "line",
				source: "states",
				paint: { "line-color": paint.state, "line-width": ["interpolate", ["linear"], ["zoom"], 3, 0.6, 8, 1.6] },
			},
			...requestLayers(paint),
			pointLayer(paint.ink, paint.page),
			{
				id: "limits",
				type: "line",
				source: "limits",
				paint: { "line-color": paint.ink, "line-width": 2, "line-dasharray": [2, 2] },
			},
		],
	};
}

function requestLayers(paint: Paint): LayerSpecification[] {
	const circles = (id: string, layer: string) =>
		({ id, type: "circle", source: "requests", "source-layer": layer }) as const;
	const texts = (id: string, layer: string) => ({ ...circles(id, layer), type: "symbol" }) as const;
	return [
		{
			...circles("places-state", "places"),
			filter: ["==", ["get", "precision"], "state"],
			paint: { "circle-radius": groundRadius, "circle-blur": 0.6, "circle-opacity": 0.07, "circle-color": paint.ink },
		},
		{
			...circles("places-county", "places"),
			filter: ["==", ["get", "precision"], "county"],
			paint: {
				"circle-radius": groundRadius,
				"circle-blur": 0.5,
				"circle-opacity": countyOpacity(["get", "count"]),
			},
		},
		{
			...circles("requests", "requests"),
			// Small circles are drawn above large ones.
			layout: { "circle-sort-key": ["-", 0, megawatts] },
			paint: {
				"circle-radius": [
					...["interpolate", ["exponential", 1.5], ["zoom"]],
					...[5, dotRadius(2), 8, dotRadius(4.5), 12, dotRadius(9)],
				] as ExpressionSpecification,
				"circle-opacity": ["match", ["get", "precision"], "poi", 1, 0.75],
				"circle-stroke-width": ["match", ["get", "precision"], "poi", 1.5, 0],
				"circle-stroke-color": paint.ink,
			},
		},
		{
			...circles("clusters", "clusters"),
			paint: {
				"circle-radius": ["interpolate", ["linear"], ["sqrt", ["get", "count"]], 1, 6, 12, 15, 60, 32],
				"circle-opacity": 0.85,
				"circle-stroke-width": 1.5,
				"circle-stroke-color": paint.page,
			},
		},
		{
			...circles("selected", "requests"),
			filter: ["==", ["get", "id"], ""],
			paint: {
				"circle-radius": [
					...["interpolate", ["linear"], ["zoom"]],
					...[5, ["+", 3, dotRadius(2)], 12, ["+", 5, dotRadius(9)]],
				] as ExpressionSpecification,
				"circle-opacity": 0,
				"circle-stroke-width": 3,
				"circle-stroke-color": paint.ink,
			},
		},
		{
			...texts("cluster-counts", "clusters"),
			filter: [">=", ["get", "count"], 10],
			layout: { "text-field": label, "text-font": font, "text-size": 12, "text-allow-overlap": true },
			paint: { "text-color": "#10191f", "text-halo-color": "#ffffff", "text-halo-width": 1.6 },
		},
		{
			...texts("place-names", "places"),
			minzoom: 6.5,
			filter: ["==", ["get", "precision"], "county"],
			layout: {
				"text-field": ["concat", ["get", "county"], " ", label],
				"text-font": font,
				"text-size": 12,
				"text-anchor": "bottom",
				"text-offset": [0, -0.8],
				"symbol-sort-key": ["-", 0, ["get", "count"]],
			},
			paint: { "text-color": paint.ink, "text-halo-color": paint.land, "text-halo-width": 1.5 },
		},
	];
}

/** From this zoom level on, tiles contain places instead of clusters (`libs/contract/operations/projects/tiles.ts`). */
export const placesZoom = 5;

/** Layers that are colored by technology, status or score. */
export const coloured = ["places-county", "requests", "clusters"] as const;
