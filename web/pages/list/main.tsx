/** The page of a list: filters, a sortable table, a map of the rows with a location, the rows as a file, and the API call that returns them. */
import "../../style/base.css";
import "../../style/charts.css";
import "../../style/code.css";
import "../../style/map.css";
import "../../style/meter.css";
import "./list.css";
import { useEffect } from "preact/hooks";
import { programOf } from "#libs/contract/documents/programs.ts";
import { pageReach, pageRows } from "#libs/contract/vocabulary.ts";
import { readAllPages } from "../../lib/api/all-pages.ts";
import { read } from "../../lib/api/request.ts";
import { Problem, useAction } from "../../lib/api/use-action.tsx";
import { useAddress } from "../../lib/api/use-address.ts";
import { Failed, useRead } from "../../lib/api/use-read.tsx";
import { Lazy } from "../../lib/elements/lazy.tsx";
import { mount, Section } from "../../lib/elements/page.tsx";
import { Pager } from "../../lib/elements/pager.tsx";
import { type Column, Metered, Table } from "../../lib/elements/table.tsx";
import { Code } from "../../lib/text/code.tsx";
import { csvOf, saveFile } from "../../lib/text/csv.ts";
import { count, counted, power, safeText } from "../../lib/text/format.ts";
import { cellOf, headingOf, lookOf } from "./cells.tsx";
import { FilterForm, type Query } from "./filter-form.tsx";
import { type AnyList, lists, type Page } from "./lists.tsx";
import { type Declared, readDeclared } from "./registry.ts";
import { Sources, useSources } from "./sources.tsx";

type Row = Page["data"][number];

interface ListProps {
	list: AnyList;
	declared: Declared;
}

/** Parameters in the URL that are not filters. */
const viewParams = ["sort", "order", "page"];

function List({ list, declared }: ListProps) {
	const { path, params, row: fields } = declared;
	const [query, choose] = useAddress<Query>({ read: queryOf, write: searchOf });
	const set = (name: string, value: string) => {
		const dropped = [name, "page", ...(list.replaces?.[name as never] ?? [])];
		const rest = Object.fromEntries(Object.entries(query).filter(([other]) => !dropped.includes(other)));
		choose(value === "" ? rest : { ...rest, [name]: value });
	};
	const state = useRead(searchOf(query), (signal) => readRows(list, path, query, signal));
	const sources = useSources(list.datasets);
	const found = state.isStale ? undefined : state.data;
	const total = found?.meta.total;
	const isInitial = list.initial !== undefined && searchOf(query) === searchOf(list.initial);
	const opening = found && isInitial && total === 0 ? list.opensOn?.(found) : undefined;
	useEffect(() => {
		if (opening === undefined) return;
		// The entry in the history is replaced, so that Back leads to the previous page instead of the empty list.
		history.replaceState(null, "", `${location.pathname}${searchOf(opening)}`);
		choose(opening);
	}, [opening && searchOf(opening)]);
	const faults = Object.keys(state.fields ?? {});
	const areFaultsShown = faults.length > 0 && faults.every((name) => name in params);
	const page = Number(query.page ?? 1);
	const places = "lat" in fields ? placesOf(list, state.data?.data ?? []) : [];
	return (
		<>
			<FilterForm
				params={without(params, sortsByHeading(params) ? viewParams : ["page"])}
				frequent={list.filters}
				labels={list.labels ?? {}}
				query={without(query, viewParams)}
				faults={state.fields ?? {}}
				set={set}
				clear={() => choose({})}
			/>
			{!areFaultsShown && <Failed state={state} />}
			<p role="status" class="soft" data-rows={total}>
				{total === undefined
					? state.failure === undefined && "Reading…"
					: total === 0
						? `No ${list.noun} matches the filters. `
						: `${counted(total, list.noun)}. `}
				{found && sources.newest !== undefined && (
					<>
						<a href="#sources">Sources</a> of {sources.oldest === sources.newest ? "" : `${sources.oldest} to `}
						{sources.newest}.
					</>
				)}
			</p>
			{state.data && (
				<div class={state.isStale ? "stale" : undefined} aria-busy={state.isStale === true}>
					{list.before?.(state.data, query, sources.titles)}
					{state.data.data.length > 0 && (
						<Table
							scrolls={`${list.noun}s, sorted`}
							rows={state.data.data}
							attributes={() => ({ "data-row": "" })}
							columns={columnsOf(list, declared, state.data.data, query, (sort, order) =>
								choose({ ...without(query, ["page"]), sort, order }),
							)}
						/>
					)}
					<Pager
						page={page}
						total={state.data.meta.total}
						perPage={pageRows}
						go={(page) => set("page", String(page))}
					/>
					{places.some(({ lat }) => Number.isFinite(lat)) && (
						<Lazy
							name="map"
							load={async () => (await import("../../lib/charts/places-map.tsx")).PlacesMap}
							props={{ places }}
						/>
					)}
					<Download {...{ list, declared, query }} />
					<Sources {...sources} />
				</div>
			)}
		</>
	);
}

function queryOf(search: string): Query {
	return Object.fromEntries([...new URLSearchParams(search)].filter(([, value]) => value !== ""));
}

function searchOf(query: Query): string {
	const text = new URLSearchParams(query).toString().replaceAll("%2C", ",");
	return text && `?${text}`;
}

const without = <T,>(values: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
	Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

const readRows = (list: AnyList, path: string, query: Query, signal?: AbortSignal): Promise<Page> =>
	read(list.operation, path, { per_page: pageRows, ...query }, signal) as Promise<unknown> as Promise<Page>;

/** Whether the list is sorted by clicking column headings. This requires both parameters; other lists have a field for sorting instead. */
const sortsByHeading = ({ sort, order }: Declared["params"]): boolean => sort !== undefined && order !== undefined;

function columnsOf(
	{ columns, measure }: AnyList,
	{ params, row: fields }: Declared,
	rows: Row[],
	query: Query,
	choose: (sort: string, order: string) => void,
): Column<Row>[] {
	const max = Math.max(0, ...rows.map((row) => numberIn(row, measure) || 0));
	const { sort = String(params.sort?.default), order = String(params.order?.default) } = query;
	return columns.map(([name, heading, cell = (row: Row) => cellOf(row[name], fields[name])], at) => {
		const look = lookOf(fields[name]);
		const measured = (row: Row) => <Metered text={cell(row)} value={numberIn(row, measure) || 0} max={max} />;
		const isSorted = sortsByHeading(params) && params.sort?.enum?.includes(name);
		return [
			headingOf(heading, fields[name]),
			at === 0 && max > 0 ? measured : cell,
			look ?? (at === 0 ? "wrapped" : undefined),
			isSorted
				? {
						order: sort === name ? (order as "asc" | "desc") : undefined,
						first: look === "number" ? "desc" : "asc",
						choose: (order) => choose(name, order),
					}
				: undefined,
		];
	});
}

const numberIn = (row: Row, name: string | undefined): number => {
	const value = name === undefined ? undefined : row[name];
	return typeof value === "number" ? value : Number.NaN;
};

/** Minimum size of a place relative to the largest, so that places without a size are drawn too. */
const minSize = 0.02;
const vague = ["city", "county", "state"];

function placesOf({ columns: [first], measure }: AnyList, rows: Row[]) {
	const max = Math.max(1, ...rows.map((row) => numberIn(row, measure) || 0));
	return rows.map((row) => {
		const size = numberIn(row, measure);
		const name = safeText(String(row[first?.[0] ?? ""] ?? ""));
		return {
			...{ lon: numberIn(row, "lon"), lat: numberIn(row, "lat"), size: Math.max(size || 0, max * minSize) / max },
			isVague: vague.includes(String(row.location_precision)),
			title: Number.isNaN(size) ? name : `${name}: ${power(size)}`,
		};
	});
}

interface DownloadProps extends ListProps {
	query: Query;
}

/** Offers the rows as a file, and shows the API call that returns them. */
function Download({ list, declared: { path, row }, query }: DownloadProps) {
	const action = useAction();
	const names = Object.keys(row);
	const filters = without(query, viewParams);
	const save = () =>
		action.run(async () => {
			const readPage = (page: number) => readRows(list, path, { ...query, page: String(page) });
			const { rows } = await readAllPages(readPage, pageReach / pageRows);
			const cells = rows.map((row) => names.map((name) => listText(row[name])));
			const csv = csvOf({ columns: names.map((name) => ({ name })), rows: cells });
			saveFile(`${path.slice(1).replaceAll("/", "-")}.csv`, new Blob([csv], { type: "text/csv;charset=utf-8" }));
		});
	const call = { method: "GET", body: undefined, secret: undefined, answer: "text" } as const;
	return (
		<Section id="take" title="Download, or call the API">
			<Problem action={action} />
			<p>
				<button type="button" class="plain" disabled={action.isBusy} onClick={save}>
					{action.isBusy ? "Reading the rows…" : "Save as CSV"}
				</button>{" "}
				<span class="soft">The first {count(pageReach)} rows, with every column.</span>
				{list.file !== undefined && (
					<>
						{" "}
						All rows:{" "}
						<a href={`${list.file}.csv${searchOf(filters)}`} download>
							CSV
						</a>
						,{" "}
						<a href={`${list.file}.parquet${searchOf(filters)}`} download>
							Parquet
						</a>
						. <span class="soft">Each file counts as one of your calls.</span>
					</>
				)}
			</p>
			<Code
				name="the command"
				text={programOf.curl({ ...call, address: `${path}${searchOf(query)}` }, location.origin)}
			/>
		</Section>
	);
}

/** Joins lists as the API's files do. */
const listText = (value: unknown): unknown => (Array.isArray(value) ? value.join("; ") : value);

const declared = readDeclared();
const list = lists[declared.path];
if (list !== undefined) {
	if (location.search === "" && list.initial !== undefined)
		history.replaceState(null, "", `${location.pathname}${searchOf(list.initial)}`);
	mount(<List list={list} declared={declared} />);
}
