/** The map. Pages load this module when they need it. */
import "maplibre-gl/dist/maplibre-gl.css";
import {
	type GeoJSONSource,
	type LngLat,
	Map as MapLibre,
	NavigationControl,
	setWorkerUrl,
	type VectorTileSource,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?url";
import { feature, merge, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import countiesUrl from "us-atlas/counties-10m.json?url";
import statesUrl from "us-atlas/states-10m.json?url";
import type { Camera, Colouring } from "../view.ts";
import { colourOf } from "./colours.ts";
import { featuresOf, type Point } from "./points.ts";
import { coloured, placesZoom, type Scheme, styleOf } from "./style.ts";

setWorkerUrl(new URL(workerUrl, location.href).href);

export type Picked =
	| { kind: "request"; id: string }
	| { kind: "point"; id: string }
	| {
			kind: "place";
			county: string | null;
			state: string | null;
			fips: string | null;
			count: number;
			capacityMw: number;
	  };

/** A request under the pointer, with the properties in its tile. */
export interface Hovered {
	id: string;
	technology: string;
	status: string;
	/** Undefined if no capacity is filed. */
	capacityMw: number | undefined;
	/** Position from the map's top left corner (CSS pixels). */
	x: number;
	y: number;
}

export interface Circle {
	lat: number;
	lon: number;
	radiusKm: number;
}

/** Filters by location. */
export interface Limits {
	circle?: Circle | undefined;
	/** Longitude and latitude of each corner of an area. */
	corners?: [number, number][] | undefined;
}

export interface MapOptions {
	container: HTMLElement;
	/** URL template with `{z}`, `{x}` and `{y}`. */
	tiles: string;
	colour: Colouring;
	camera: Camera | undefined;
	/** Whether the map is a small part of a page, so that the wheel and one finger scroll the page. */
	isEmbedded?: true;
	moved(camera: Camera, bbox: string): void;
	picked(picked: Picked | undefined): void;
	hovered?(hovered: Hovered | undefined): void;
	/** Called if a tile could not be read. If `isFinal` is true, a retry would fail in the same way. */
	failed(isFinal: boolean): void;
}

export interface RequestMap {
	setTiles(tiles: string): void;
	setColour(colour: Colouring): void;
	select(id: string | undefined): void;
	showLimits(limits: Limits): void;
	/** Shows points of interconnection; those without coordinates are omitted. */
	showPoints(points: readonly Point[]): void;
	/**
	 * Lets the reader draw a circle, by dragging from its center to its edge or by clicking both. Returns a function that cancels the drawing.
	 */
	drawCircle(drawn: (limits: Limits) => void): () => void;
	/**
	 * Lets the reader draw an area by clicking each corner, and finally the first or the last one again. Returns a function that cancels the
	 * drawing.
	 */
	drawArea(drawn: (limits: Limits) => void): () => void;
	flyTo(target: { lat: number; lon: number; zoom: number }): void;
	remove(): void;
}

/** Bounds of the 48 contiguous states: west, south, east, north. */
const home: [number, number, number, number] = [-125, 24.2, -66.5, 49.6];
const dark = "(prefers-color-scheme: dark)";

type Atlas = Topology<{ states: GeometryCollection; counties: GeometryCollection }>;

export function createMap(options: MapOptions): RequestMap {
	let { tiles, colour } = options;
	const { container, camera } = options;
	const scheme = (): Scheme => (matchMedia(dark).matches ? "dark" : "light");
	const map = new MapLibre({
		container,
		style: styleOf(scheme(), tiles),
		...(camera === undefined
			? { bounds: home, fitBoundsOptions: { padding: 10 } }
			: { center: [camera.lon, camera.lat], zoom: camera.zoom }),
		cooperativeGestures: options.isEmbedded ?? false,
		minZoom: 2,
		maxZoom: 12,
		maxPitch: 0,
		dragRotate: false,
		pitchWithRotate: false,
		attributionControl: false,
		fadeDuration: 0,
	});
	map.touchZoomRotate.disableRotation();
	map.keyboard.disableRotation();
	map.addControl(new NavigationControl({ showCompass: false }), "top-right");
	let selected: string | undefined;
	let limits: Limits = {};
	let points: readonly Point[] = [];
	let isDrawing = false;
	let hasCounties = false;
	/** Counties with a shape in the atlas. */
	let knownCounties: ReadonlySet<string> = new Set();
	/** Counties that are currently shaded. */
	let shadedCounties = new Set<string>();
	const paint = () => {
		if (map.getLayer("selected") === undefined) return;
		for (const layer of coloured) map.setPaintProperty(layer, "circle-color", colourOf(colour));
		map.setPaintProperty("areas", "fill-color", colourOf(colour, "feature-state"));
		map.setFilter("selected", ["==", ["get", "id"], selected ?? ""]);
	};
	const reportPosition = () => {
		const { lng: lon, lat } = map.getCenter();
		const sides = map.getBounds();
		const box = [sides.getWest(), sides.getSouth(), sides.getEast(), sides.getNorth()];
		const max = [180, 85, 180, 85];
		const bbox = box.map((at, side) => Math.max(-(max[side] ?? 0), Math.min(max[side] ?? 0, at)).toFixed(3)).join(",");
		options.moved({ zoom: map.getZoom(), lat, lon }, bbox);
	};
	const showCounties = () => {
		if (hasCounties || map.getZoom() < placesZoom) return;
		hasCounties = true;
		void readAtlas(countiesUrl).then((atlas) => {
			setData(
				"counties",
				mesh(atlas, atlas.objects.counties, (one, other) => one !== other),
			);
			const shapes = feature(atlas, atlas.objects.counties).features.map((shape) => ({
				...shape,
				properties: { fips: String(shape.id) },
			}));
			knownCounties = new Set(shapes.map(({ properties }) => properties.fips));
			setData("areas", { type: "FeatureCollection", features: shapes });
			// Counties without a shape are shown as circles.
			map.setFilter("places-county", [
				...["all", ["==", ["get", "precision"], "county"]],
				["!", ["in", ["get", "fips"], ["literal", [...knownCounties]]]],
			] as never);
			shade();
		});
	};
	/** Shades counties according to their requests in the loaded tiles. */
	const shade = () => {
		if (knownCounties.size === 0 || map.getSource("areas") === undefined) return;
		const places = map.querySourceFeatures("requests", { sourceLayer: "places" });
		const states = new Map(
			places.flatMap(({ properties }) =>
				properties.precision === "county" && knownCounties.has(properties.fips) ? [[properties.fips, properties]] : [],
			) as [string, Record<string, unknown>][],
		);
		for (const fips of shadedCounties) if (!states.has(fips)) map.removeFeatureState({ source: "areas", id: fips });
		for (const [id, { score = null, ...state }] of states)
			map.setFeatureState({ source: "areas", id }, { ...state, score });
		shadedCounties = new Set(states.keys());
	};
	const setData = (source: string, data: GeoJSON.GeoJSON) => map.getSource<GeoJSONSource>(source)?.setData(data);
	const addData = () => {
		paint();
		hasCounties = false;
		knownCounties = new Set();
		shadedCounties = new Set();
		void readAtlas(statesUrl).then((atlas) => {
			const { states } = atlas.objects;
			setData("land", merge(atlas, states.geometries as never));
			setData("states", mesh(atlas, states));
		});
		setData("limits", outlineOf(limits));
		setData("points", featuresOf(points));
		showCounties();
	};
	map.on("style.load", addData);
	map.on("sourcedata", ({ sourceId, isSourceLoaded }) => {
		if (sourceId === "requests" && isSourceLoaded) shade();
	});
	map.on("load", reportPosition);
	map.on("moveend", () => {
		showCounties();
		reportPosition();
	});
	map.on("error", ({ error }) => {
		const status = "status" in error ? Number(error.status) : 0;
		options.failed(status >= 400 && status < 500 && status !== 429);
	});
	map.on("click", ({ point, lngLat }) => {
		if (isDrawing) return;
		const [feature] = map.queryRenderedFeatures(
			[
				[point.x - 4, point.y - 4],
				[point.x + 4, point.y + 4],
			],
			{ layers: ["points", "requests", "clusters"] },
		);
		if (feature?.layer.id === "clusters") map.easeTo({ center: lngLat, zoom: Math.min(map.getZoom() + 2, 12) });
		else if (feature !== undefined)
			options.picked({ kind: feature.layer.id === "points" ? "point" : "request", id: String(feature.properties.id) });
		else options.picked(placeAt(map, point));
	});
	const pointer = (cursor: string) => () => map.getCanvas().style.setProperty("cursor", cursor);
	map.on("mousemove", "areas", ({ features }) => pointer(features?.[0]?.state.count === undefined ? "" : "pointer")());
	map.on("mouseleave", "areas", pointer(""));
	for (const layer of ["points", "requests", "clusters", "places-county"]) {
		map.on("mouseenter", layer, pointer("pointer"));
		map.on("mouseleave", layer, pointer(""));
	}
	map.on("mousemove", "requests", ({ features, point: { x, y } }) => {
		const { id, technology, status, capacity_mw: capacityMw } = features?.[0]?.properties ?? {};
		if (!isDrawing) options.hovered?.({ id, technology, status, capacityMw, x, y });
	});
	map.on("mouseleave", "requests", () => options.hovered?.(undefined));
	/** Starts a drawing. @returns a function that ends it */
	const startDrawing = (handler: { enable(): void; disable(): void }, gestures: { unsubscribe(): void }[]) => {
		isDrawing = true;
		handler.disable();
		map.getCanvasContainer().style.setProperty("cursor", "crosshair");
		return () => {
			for (const { unsubscribe } of gestures.splice(0)) unsubscribe();
			handler.enable();
			map.getCanvasContainer().style.removeProperty("cursor");
			setData("limits", outlineOf(limits));
			// The click that ends the drawing must not select anything on the map.
			setTimeout(() => {
				isDrawing = false;
			});
		};
	};
	const drawCircle: RequestMap["drawCircle"] = (drawn) => {
		let middle: LngLat | undefined;
		const to = (edge: LngLat): Circle | undefined =>
			middle && { lat: middle.lat, lon: middle.lng, radiusKm: Math.min(maxKm, middle.distanceTo(edge) / 1_000) };
		const end = startDrawing(map.dragPan, [
			...(["mousedown", "touchstart"] as const).map((name) =>
				map.on(name, ({ lngLat }: { lngLat: LngLat }) => {
					middle ??= lngLat;
				}),
			),
			...(["mousemove", "touchmove"] as const).map((name) =>
				map.on(name, ({ lngLat }: { lngLat: LngLat }) => setData("limits", outlineOf({ circle: to(lngLat) }))),
			),
			...(["mouseup", "touchend"] as const).map((name) =>
				map.on(name, ({ lngLat }: { lngLat: LngLat }) => {
					const circle = to(lngLat);
					if (circle === undefined || circle.radiusKm < minKm) return;
					end();
					drawn({ circle });
				}),
			),
		]);
		return end;
	};
	const drawArea: RequestMap["drawArea"] = (drawn) => {
		const corners: [number, number][] = [];
		const show = (...further: LngLat[]) =>
			setData("limits", outlineOf({ corners: [...corners, ...further.map((at) => at.toArray())] }));
		const end = startDrawing(map.doubleClickZoom, [
			map.on("mousemove", ({ lngLat }) => show(lngLat)),
			map.on("click", ({ lngLat, point }) => {
				const isAt = (corner: [number, number] | undefined) =>
					corner !== undefined && map.project(corner).dist(point) < cornerPixels;
				const isLast = isAt(corners.at(-1));
				if (corners.length < 3 || !(isLast || isAt(corners[0]))) {
					// The second click of a double click does not add a corner.
					if (!isLast) corners.push(lngLat.wrap().toArray());
					show();
					if (corners.length < maxCorners) return;
				}
				end();
				drawn({ corners });
			}),
		]);
		return end;
	};
	const updateScheme = () => map.setStyle(styleOf(scheme(), tiles));
	const query = matchMedia(dark);
	query.addEventListener("change", updateScheme);
	return {
		setTiles(next) {
			tiles = next;
			map.getSource<VectorTileSource>("requests")?.setTiles([next]);
		},
		setColour(next) {
			colour = next;
			paint();
		},
		select(id) {
			selected = id;
			paint();
		},
		showLimits(next) {
			limits = next;
			setData("limits", outlineOf(limits));
		},
		showPoints(next) {
			points = next;
			setData("points", featuresOf(points));
		},
		drawCircle,
		drawArea,
		flyTo({ lat, lon, zoom }) {
			const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
			map.flyTo({ center: [lon, lat], zoom, ...(still && { duration: 0 }) });
		},
		remove() {
			query.removeEventListener("change", updateScheme);
			map.remove();
		},
	};
}

/** Minimum radius of a circle (km): a shorter drag counts as a click on the center. */
const minKm = 1;
/** Maximum radius that the API accepts (km). */
const maxKm = 2_000;
/** Maximum corners that the API accepts. */
const maxCorners = 100;
/** A click within this distance of a corner selects the corner (CSS pixels). */
const cornerPixels = 8;
const kmPerDegree = 111.2;

function outlineOf({ circle, corners = [] }: Limits): GeoJSON.GeoJSON {
	const [first] = corners;
	const coordinates = [first === undefined ? [] : [...corners, first], circle === undefined ? [] : ringOf(circle)];
	return { type: "MultiLineString", coordinates: coordinates.filter((line) => line.length > 0) };
}

function ringOf({ lat, lon, radiusKm }: Circle): [number, number][] {
	const degrees = radiusKm / kmPerDegree;
	return Array.from({ length: 97 }, (_, at) => {
		const angle = (at / 96) * 2 * Math.PI;
		return [lon + (degrees * Math.sin(angle)) / Math.cos((lat * Math.PI) / 180), lat + degrees * Math.cos(angle)];
	});
}

function placeAt(map: MapLibre, point: { x: number; y: number }): Picked | undefined {
	const features = map.queryRenderedFeatures([point.x, point.y], { layers: ["places-county", "areas"] });
	const place = features
		.map(({ layer, properties, state }) => (layer.id === "areas" ? state : properties))
		.find(({ count }) => count !== undefined);
	if (place === undefined) return undefined;
	const { county = null, state = null, fips = null, count, capacity_mw } = place;
	return { kind: "place", county, state, fips, count, capacityMw: capacity_mw };
}

const atlases = new Map<string, Promise<Atlas>>();

function readAtlas(url: string): Promise<Atlas> {
	const atlas = atlases.get(url) ?? fetch(url).then((response) => response.json() as Promise<Atlas>);
	atlases.set(url, atlas);
	return atlas;
}
