/** Requests on a map, in totals and in a table. The whole state of the page is in its URL. */
import "../../style/base.css";
import "../../style/charts.css";
import "../../style/chips.css";
import "../../style/columns.css";
import "../../style/meter.css";
import "./explore.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Reply } from "#libs/contract/index.ts";
import { isScoreSort, pageRows } from "#libs/contract/vocabulary.ts";
import { read } from "../../lib/api/request.ts";
import { useAddress } from "../../lib/api/use-address.ts";
import { Failed, useOperation, useRead } from "../../lib/api/use-read.tsx";
import { CheckBox } from "../../lib/elements/fields.tsx";
import { mount } from "../../lib/elements/page.tsx";
import { coverageGapText } from "../../lib/requests/coverage.ts";
import { activeFilters, type Filters, filtersFor } from "../../lib/requests/filters.ts";
import { minSearchLength } from "../../lib/requests/search-box.tsx";
import { count } from "../../lib/text/format.ts";
import { ExportPanel } from "./export-panel.tsx";
import { FilterForm } from "./filter-form.tsx";
import { type Group, GroupsTable } from "./groups-table.tsx";
import { MapPanel } from "./map/panel.tsx";
import type { Circle, Limits, Picked, RequestMap } from "./map/view.ts";
import { RequestTable } from "./request-table.tsx";
import { Selection } from "./selection.tsx";
import { TimeSlider } from "./time-slider.tsx";
import { Legend, type Totals, TotalsPanel } from "./totals.tsx";
import { defaultSort, type ListName, lists, readView, type View, writeView } from "./view.ts";

const everyMs = 30_000;
const debounceMs = 400;
const maxGroups = 25;
const searchedHits = 10;

const listTitles: Record<ListName, string> = {
	requests: "Requests",
	counties: "Counties",
	points: "Points of interconnection",
};

function Explore() {
	const [view, setView] = useAddress({ read: readView, write: writeView, loose: ["camera"] });
	const change = (part: Partial<View>) => setView((before) => ({ ...before, ...part }));
	const [bbox, setBbox] = useState<string>();
	const [picked, setPicked] = useState<Picked>();
	const [map, setMap] = useState<RequestMap>();
	const moving = useRef<ReturnType<typeof setTimeout>>(undefined);
	const { as_of, colour, list, order, hidden, isInView, hasPoints } = view;
	const chosen = filtersFor(as_of, view.filters);
	const search = useSearch(chosen.q, as_of);
	const filters = search?.corrected === undefined ? chosen : { ...chosen, q: search.corrected };
	const sort = as_of !== undefined && isScoreSort(view.sort) ? defaultSort : view.sort;
	const setFilters = (filters: Filters) => change({ filters });
	const inView = isInView ? bbox : undefined;
	const query = useMemo(
		() => ({ ...activeFilters(filters), as_of, bbox: inView ?? filters.bbox }),
		[JSON.stringify(activeFilters(filters)), as_of, inView],
	);
	const totals = useTotals(query);
	// The map and the table are reloaded when the totals change.
	const queryKey = JSON.stringify(query);
	const version = useVersion(queryKey, totals.isStale ? undefined : totals.data?.response);
	const coverage = totals.isStale ? undefined : totals.data?.status.meta.coverage;
	const note = coverageGapText(coverage, query, new Date().toISOString().slice(0, 10));
	const circle = circleIn(filters, totals.isStale ? undefined : totals.data?.status.meta.near);
	/** The place that the map already shows. If the URL contains a camera position, the map does not fly to the place in the URL. */
	const shownPlace = useRef(view.camera && filters.near);
	useEffect(() => {
		if (filters.near === undefined) shownPlace.current = undefined;
		if (map === undefined || circle === undefined || filters.near === shownPlace.current) return;
		shownPlace.current = filters.near;
		const { lat, lon, radiusKm } = circle;
		if (filters.near !== undefined) map.flyTo({ lat, lon, zoom: Math.min(9, Math.log2(12_000 / radiusKm)) });
	}, [map, circle?.lat, circle?.lon, filters.near]);
	const points = usePoints(hasPoints ? bbox : undefined);
	useEffect(() => map?.showPoints(points.data?.data ?? []), [map, points.data]);
	const show = ({ lat, lon, location_precision }: Pick<Group, "lat" | "lon" | "location_precision">) => {
		if (lat === null || lon === null) return;
		const zoom = { poi: 11, county: 8, state: 5.5 }[location_precision ?? "state"];
		map?.flyTo({ lat, lon, zoom });
		document.querySelector(".map-frame")?.scrollIntoView({ block: "nearest" });
	};
	return (
		<div class="explore">
			<details class="filter-panel" open={innerWidth > 900}>
				<summary>Filters</summary>
				<FilterForm filters={chosen} search={search} isPast={as_of !== undefined} choose={setFilters} />
			</details>
			<div class="shown">
				<div class="map-area">
					<MapPanel
						tiles={tilesOf(filters, as_of)}
						version={version}
						as_of={as_of}
						limits={{ circle, corners: cornersIn(filters) }}
						choose={(limits) => setFilters(withLimits(filters, limits))}
						colour={colour}
						camera={view.camera}
						selected={picked?.kind === "request" ? picked.id : undefined}
						ready={setMap}
						moved={(camera, box) => {
							clearTimeout(moving.current);
							moving.current = setTimeout(() => {
								change({ camera });
								setBbox(box);
							}, debounceMs);
						}}
						picked={setPicked}
					/>
					{picked !== undefined && (
						<Selection
							key={JSON.stringify(picked)}
							picked={picked}
							as_of={as_of}
							points={points.data?.data ?? []}
							chooseCounty={(fips) => setFilters({ ...filters, fips })}
							close={() => setPicked(undefined)}
						/>
					)}
				</div>
				<Legend colour={colour} choose={(colour) => change({ colour })} />
				<TimeSlider as_of={as_of} listsOf={coverage} choose={(as_of) => change({ as_of })} />
				<CheckBox
					label="Count and list only what the map shows"
					value={isInView}
					set={(isInView) => change({ isInView })}
				/>
				<CheckBox label="Show points of interconnection" value={hasPoints} set={(hasPoints) => change({ hasPoints })} />
				<Failed state={points} />
				{points.data && <p class="soft">{pointsNote(points.data.meta.total, as_of)}</p>}
				<Failed state={totals} />
				{totals.data && <TotalsPanel totals={totals.data} {...{ as_of, note }} isStale={totals.isStale === true} />}
			</div>
			<section class="lists" aria-label="Lists">
				<div class="tabs" role="tablist" aria-label="Lists">
					{lists.map((name) => (
						<button
							key={name}
							type="button"
							role="tab"
							id={`tab-${name}`}
							aria-selected={name === list}
							aria-controls="list"
							tabIndex={name === list ? 0 : -1}
							onClick={() => change({ list: name })}
							onKeyDown={({ key }) => {
								const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
								const next = lists[(lists.indexOf(name) + step + lists.length) % lists.length];
								if (step === 0 || next === undefined) return;
								change({ list: next });
								document.getElementById(`tab-${next}`)?.focus();
							}}
						>
							{listTitles[name]}
						</button>
					))}
				</div>
				<div id="list" role="tabpanel" aria-labelledby={`tab-${list}`}>
					{list === "requests" ? (
						<RequestTable
							query={query}
							version={version}
							selected={picked?.kind === "request" ? picked.id : undefined}
							{...{ note, as_of, sort, order, hidden }}
							hide={(hidden) => change({ hidden })}
							choose={(sort, order) => change({ sort, order })}
							show={(row) => {
								setPicked({ kind: "request", id: row.id });
								show(row);
							}}
						/>
					) : (
						<GroupsTable
							by={list === "counties" ? "county" : "poi"}
							query={query}
							version={version}
							show={show}
							choose={({ fips, value }) =>
								setFilters(list === "counties" ? { ...filters, fips: fips ?? "" } : { ...filters, poi: value ?? "" })
							}
						/>
					)}
				</div>
			</section>
			<ExportPanel request={{ origin: location.origin, filters, as_of, bbox: inView ?? filters.bbox }} />
		</div>
	);
}

/** Searches for the filters' text; undefined until the result is read. */
function useSearch(q: string | undefined, as_of: string | undefined): Reply<"search"> | undefined {
	const path = q === undefined || q.length < minSearchLength ? undefined : "/search";
	const state = useOperation("search", path, { q, as_of, per_page: searchedHits });
	return state.isStale ? undefined : state.data;
}

function useTotals(query: Record<string, string | undefined>) {
	const queryKey = JSON.stringify(query);
	const run = async (signal: AbortSignal): Promise<Totals & { response: string }> => {
		const groupBy = (by: keyof Totals) =>
			read("groupProjects", "/projects/groups", { ...query, by, per_page: maxGroups }, signal);
		const [status, technology, location_precision, queue_year, cod_year] = await Promise.all([
			groupBy("status"),
			groupBy("technology"),
			groupBy("location_precision"),
			groupBy("queue_year"),
			groupBy("cod_year"),
		]);
		const response = JSON.stringify([status.meta.requests, status.data]);
		return { status, technology, location_precision, queue_year, cod_year, response };
	};
	return useRead(queryKey, run, everyMs);
}

/** Reads the points in the visible part of the map with the most active MW. */
const usePoints = (bbox: string | undefined) =>
	useOperation("listPois", bbox === undefined ? undefined : "/pois", { bbox, sort: "active_mw", per_page: pageRows });

function pointsNote(total: number, as_of: string | undefined): string {
	const shown = total > pageRows ? `The ${pageRows} of ${count(total)} points here with the most active MW.` : "";
	return `${shown} All requests of a point are counted, whatever the filters${as_of === undefined ? "" : " and the day"}.`;
}

/** Returns a version that changes whenever the response to the same query changes. The first response to a query does not change it. */
function useVersion(queryKey: string, response: string | undefined): string {
	const last = useRef({ queryKey, response, version: 0 });
	if (last.current.queryKey !== queryKey) last.current = { ...last.current, queryKey, response: undefined };
	if (response !== undefined && response !== last.current.response) {
		const { response: before, version } = last.current;
		last.current = { queryKey, response, version: before === undefined ? version : version + 1 };
	}
	return String(last.current.version);
}

/** The circle of the filters; undefined unless its center and radius are known. */
function circleIn(
	{ lat, lon, radius_km }: Filters,
	near: { lat: number; lon: number } | undefined,
): Circle | undefined {
	const circle = { lat: near?.lat ?? Number(lat), lon: near?.lon ?? Number(lon), radiusKm: Number(radius_km) };
	return Object.values(circle).every(Number.isFinite) ? circle : undefined;
}

/** The corners of the area; undefined unless there are three or more pairs of numbers. */
function cornersIn({ polygon = "" }: Filters): [number, number][] | undefined {
	const degrees = polygon.split(",").map(Number);
	if (degrees.length < 6 || !degrees.every(Number.isFinite)) return undefined;
	return degrees.flatMap((lon, at) => (at % 2 === 0 ? [[lon, degrees[at + 1] ?? 0]] : []));
}

function withLimits(filters: Filters, limits: Limits): Filters {
	if ("corners" in limits) {
		const { polygon: _, ...others } = filters;
		const degrees = limits.corners?.flat().map((each) => each.toFixed(3));
		return degrees === undefined ? others : { ...others, polygon: degrees.join() };
	}
	const { near: _, lat: __, lon: ___, radius_km: ____, ...others } = filters;
	if (limits.circle === undefined) return others;
	const { lat, lon, radiusKm } = limits.circle;
	return { ...others, lat: lat.toFixed(3), lon: lon.toFixed(3), radius_km: radiusKm.toFixed(1) };
}

function tilesOf(filters: Filters, as_of: string | undefined): string {
	const query = new URLSearchParams({ ...activeFilters(filters), ...(as_of !== undefined && { as_of }) }).toString();
	return `${location.origin}/web/data/tiles/{z}/{x}/{y}.mvt${query && "?"}${query}`;
}

mount(<Explore />);
