/** The state of the page, which is stored in its URL: the filters, named as in the API, and the view. */
import { activeFilters, type Filters, filtersIn } from "../../lib/requests/filters.ts";

export const colourings = ["technology", "status", "score"] as const;
export type Colouring = (typeof colourings)[number];

export const lists = ["requests", "counties", "points"] as const;
export type ListName = (typeof lists)[number];

export interface Camera {
	zoom: number;
	lat: number;
	lon: number;
}

export interface View {
	filters: Filters;
	/** A past day; undefined: now. */
	as_of: string | undefined;
	colour: Colouring;
	list: ListName;
	sort: string;
	order: "asc" | "desc";
	/** Hidden columns of the table. */
	hidden: string[];
	/** Whether totals, table and files are limited to the visible part of the map. */
	isInView: boolean;
	/** Whether the map also shows points of interconnection. */
	hasPoints: boolean;
	/** Camera position of the map; undefined: the whole country. */
	camera: Camera | undefined;
}

export const defaultSort = "capacity_mw";

export function readView(search: string): View {
	const params = new URLSearchParams(search);
	const as_of = params.get("as_of") ?? "";
	return {
		filters: filtersIn(params),
		as_of: /^\d{4}-\d{2}-\d{2}$/.test(as_of) ? as_of : undefined,
		colour: oneOf(colourings, params.get("colour")),
		list: oneOf(lists, params.get("list")),
		sort: /^[a-z_]{2,40}$/.exec(params.get("sort") ?? "")?.[0] ?? defaultSort,
		order: params.get("order") === "asc" ? "asc" : "desc",
		hidden: splitValues(params.get("hide") || undefined),
		isInView: params.get("in_view") === "true",
		hasPoints: params.get("points") === "true",
		camera: readCamera(params.get("map") ?? ""),
	};
}

/** The query of the page's URL, with its question mark; empty for the default view. */
export function writeView({
	filters,
	as_of,
	colour,
	list,
	sort,
	order,
	hidden,
	isInView,
	hasPoints,
	camera,
}: View): string {
	const params = new URLSearchParams(activeFilters(filters));
	const set = (name: string, value: string | undefined, fallback: string) => {
		if (value !== undefined && value !== fallback) params.set(name, value);
	};
	set("as_of", as_of, "");
	set("colour", colour, colourings[0]);
	set("list", list, lists[0]);
	set("sort", sort, defaultSort);
	set("order", order, "desc");
	set("hide", hidden.join(), "");
	set("in_view", String(isInView), "false");
	set("points", String(hasPoints), "false");
	if (camera !== undefined)
		params.set("map", `${camera.zoom.toFixed(2)}/${camera.lat.toFixed(4)}/${camera.lon.toFixed(4)}`);
	const text = params.toString().replaceAll("%2C", ",").replaceAll("%2F", "/");
	return text === "" ? "" : `?${text}`;
}

/** Adds a value to comma-separated values, or removes it if they contain it. */
export function toggleValue(values: string | undefined, value: string): string | undefined {
	const known = splitValues(values);
	const left = known.includes(value) ? known.filter((one) => one !== value) : [...known, value];
	return left.join(",") || undefined;
}

export const splitValues = (text: string | undefined): string[] => (text === undefined ? [] : text.split(","));

function oneOf<const T extends readonly [string, ...string[]]>(values: T, value: string | null): T[number] {
	return values.find((one) => one === value) ?? values[0];
}

function readCamera(text: string): Camera | undefined {
	const parts = text.split("/");
	const [zoom = Number.NaN, lat = Number.NaN, lon = Number.NaN] = parts.map((part) =>
		part === "" ? Number.NaN : Number(part),
	);
	const isOne = parts.length === 3 && zoom >= 0 && zoom <= 22 && Math.abs(lat) <= 85 && Math.abs(lon) <= 180;
	return isOne ? { zoom, lat, lon } : undefined;
}
