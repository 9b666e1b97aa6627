/** Every request on a map, in totals and in a table that move together; the address says all of it. */
import "../../style/base.css";
import "../../style/chips.css";
import "../../style/columns.css";
import "../../style/meter.css";
import "./explore.css";
import { render } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { isScoreSort } from "#libs/contract/vocabulary.ts";
import { read } from "../../lib/api/request.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { type Filters, filtersFor, setOf } from "../../lib/requests/filters.ts";
import { ExportPanel } from "./export-panel.tsx";
import { FilterForm } from "./filter-form.tsx";
import { type Group, GroupsTable } from "./groups-table.tsx";
import { MapPanel } from "./map/panel.tsx";
import type { Picked, RequestMap } from "./map/view.ts";
import { RequestTable } from "./request-table.tsx";
import { Selection } from "./selection.tsx";
import { TimeSlider } from "./time-slider.tsx";
import { Legend, type Totals, TotalsPanel } from "./totals.tsx";
import { type ListName, lists, readView, usualSort, type View, writeView } from "./view.ts";

const everyMs = 30_000;
/** After the map has come to rest. */
const restMs = 400;
/** More than there are technologies. */
const mostGroups = 25;

const listTitles: Record<ListName, string> = {
	requests: "Requests",
	counties: "Counties",
	points: "Points of interconnection",
};

function Explore() {
	const [view, setView] = useState(() => readView(location.search));
	const change = useCallback((part: Partial<View>) => setView((before) => ({ ...before, ...part })), []);
	useEffect(() => {
		history.replaceState(null, "", `${location.pathname}${writeView(view)}`);
	}, [view]);
	const [bbox, setBbox] = useState<string>();
	const [picked, setPicked] = useState<Picked>();
	const map = useRef<RequestMap>(undefined);
	const moving = useRef<ReturnType<typeof setTimeout>>(undefined);
	const { as_of, colour, list, order, isInView } = view;
	const filters = filtersFor(as_of, view.filters);
	const sort = as_of !== undefined && isScoreSort(view.sort) ? usualSort : view.sort;
	const setFilters = (filters: Filters) => change({ filters });
	const inView = isInView ? bbox : undefined;
	const query = useMemo(
		() => ({ ...setOf(filters), as_of, bbox: inView ?? filters.bbox }),
		[JSON.stringify(setOf(filters)), as_of, inView],
	);
	const totals = useTotals(query);
	// What is shown is read anew when the totals are no longer those of before.
	const question = JSON.stringify(query);
	const version = useVersion(question, totals.data?.question === question ? totals.data.answer : undefined);
	const show = ({ lat, lon, location_precision }: Pick<Group, "lat" | "lon" | "location_precision">) => {
		if (lat === null || lon === null) return;
		const zoom = { poi: 11, county: 8, state: 5.5 }[location_precision ?? "state"];
		map.current?.flyTo({ lat, lon, zoom });
		document.querySelector(".map-frame")?.scrollIntoView({ block: "nearest" });
	};
	return (
		<div class="explore">
			<details class="filter-panel" open={innerWidth > 900}>
				<summary>Filters</summary>
				<FilterForm filters={filters} isPast={as_of !== undefined} choose={setFilters} />
			</details>
			<div class="shown">
				<div class="map-area">
					<MapPanel
						tiles={tilesOf(filters, as_of)}
						version={version}
						colour={colour}
						camera={view.camera}
						selected={picked?.kind === "request" ? picked.id : undefined}
						ready={(created) => {
							map.current = created;
						}}
						moved={(camera, box) => {
							clearTimeout(moving.current);
							moving.current = setTimeout(() => {
								change({ camera });
								setBbox(box);
							}, restMs);
						}}
						picked={setPicked}
					/>
					{picked !== undefined && (
						<Selection
							key={JSON.stringify(picked)}
							picked={picked}
							as_of={as_of}
							chooseCounty={(fips) => setFilters({ ...filters, fips })}
							close={() => setPicked(undefined)}
						/>
					)}
				</div>
				<Legend colour={colour} choose={(colour) => change({ colour })} />
				<TimeSlider as_of={as_of} listsOf={totals.data?.status.meta.coverage} choose={(as_of) => change({ as_of })} />
				<label class="choice">
					<input
						type="checkbox"
						checked={isInView}
						onChange={({ currentTarget }) => change({ isInView: currentTarget.checked })}
					/>
					Count and list only what the map shows
				</label>
				<Failed state={totals} />
				{totals.data && <TotalsPanel totals={totals.data} as_of={as_of} />}
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
							{...{ as_of, sort, order }}
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
			<ExportPanel asked={{ origin: location.origin, filters, as_of, bbox: inView ?? filters.bbox }} />
		</div>
	);
}

function useTotals(query: Record<string, string | undefined>) {
	const question = JSON.stringify(query);
	return useRead(
		question,
		async (signal): Promise<Totals & { question: string; answer: string }> => {
			const of = (by: keyof Totals) =>
				read("groupProjects", "/projects/groups", { ...query, by, per_page: mostGroups }, signal);
			const [status, technology, location_precision] = await Promise.all([
				of("status"),
				of("technology"),
				of("location_precision"),
			]);
			const answer = JSON.stringify([status.meta.requests, status.data]);
			return { status, technology, location_precision, question, answer };
		},
		everyMs,
	);
}

function tilesOf(filters: Filters, as_of: string | undefined): string {
	const query = new URLSearchParams({
		...setOf(filters),
		...(as_of !== undefined && { as_of }),
	}).toString();
	return `${location.origin}/web/data/tiles/{z}/{x}/{y}.mvt${query && "?"}${query}`;
}

/** Rises when what is known of the same question is no longer that of before: the answer to another question is no news. */
export function useVersion(question: string, known: string | undefined): string {
	const last = useRef({ question, known, version: 0 });
	if (last.current.question !== question) last.current = { ...last.current, question, known: undefined };
	if (known !== undefined && known !== last.current.known) {
		const { known: before, version } = last.current;
		last.current = { question, known, version: before === undefined ? version : version + 1 };
	}
	return String(last.current.version);
}

const root = document.getElementById("page");
if (root) render(<Explore />, root);
