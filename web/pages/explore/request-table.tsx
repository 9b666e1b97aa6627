import { createColumnHelper, tableFeatures, useTable } from "@tanstack/preact-table";
import { useEffect, useMemo } from "preact/hooks";
import { isScoreSort, pageReach } from "#libs/contract/vocabulary.ts";
import type { Query } from "../../lib/api/request.ts";
import { Failed } from "../../lib/api/use-read.tsx";
import { BeyondReach } from "../../lib/elements/table.tsx";
import { useVirtualRows } from "../../lib/elements/use-virtual-rows.ts";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { count, safeText } from "../../lib/text/format.ts";
import { shadeOfScore, shadeOfStatus, shadeOfTechnology } from "./map/colours.ts";
import { Swatch } from "./totals.tsx";
import { type Row, usePages } from "./use-pages.ts";
import type { View } from "./view.ts";

interface RequestTableProps extends Pick<View, "as_of" | "sort" | "order"> {
	/** The table starts at the first row when it changes. */
	query: Query;
	/** Changes when the rows have to be read again. */
	version: string;
	selected: string | undefined;
	choose(sort: string, order: View["order"]): void;
	show(row: Row): void;
}

/** CSS pixels. */
const rowHeight = 36;
/** Waits until scrolling stops. */
const restMs = 100;

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, Row>();
const none = <span class="soft">–</span>;

/** Ids are names by which the API sorts. */
const columnsOf = (as_of: string | undefined) =>
	helper.columns([
		helper.accessor("name", {
			header: "Request",
			cell: ({ row: { original } }) => (
				<ProjectLink id={original.id} name={original.name} fallback={original.queue_id} day={as_of} longest={60} />
			),
		}),
		helper.accessor("region", { header: "Operator" }),
		helper.accessor("state", { header: "State", cell: ({ getValue }) => safeText(getValue() ?? "–", 20) }),
		helper.accessor("county", { header: "County", cell: ({ getValue }) => safeText(getValue() ?? "–", 40) }),
		helper.accessor("type_std", {
			header: "Technology",
			cell: ({ getValue }) => (
				<>
					<Swatch colour={shadeOfTechnology(getValue()).colour} /> {safeText(getValue(), 40)}
				</>
			),
		}),
		helper.accessor("status_std", {
			header: "Status",
			cell: ({ getValue }) => (
				<>
					<Swatch colour={shadeOfStatus(getValue()).colour} /> {getValue()}
				</>
			),
		}),
		helper.accessor("capacity_mw", {
			header: "MW",
			cell: ({ getValue }) => {
				const value = getValue();
				return value === null ? none : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
			},
		}),
		helper.accessor("investability_score", {
			header: "Score",
			cell: ({ getValue }) => {
				const value = getValue();
				return value === null ? (
					none
				) : (
					<>
						<Swatch colour={shadeOfScore(value).colour} /> {value}
					</>
				);
			},
		}),
		helper.accessor("queue_date", { header: "Queued", cell: ({ getValue }) => getValue() ?? none }),
		helper.accessor("poi", {
			header: "Point of interconnection",
			cell: ({ getValue }) => safeText(getValue() ?? "–", 60),
		}),
	]);
/** Columns with that of the map button. */
const width = columnsOf(undefined).length + 1;
const numbers = new Set(["capacity_mw", "investability_score"]);

/** The filtered requests, as far as pages reach. Only visible rows are read and rendered. */
export function RequestTable({ query, version, selected, as_of, sort, order, choose, show }: RequestTableProps) {
	const key = JSON.stringify([query, sort, order, version]);
	const pages = usePages(key, { ...query, sort, order });
	const total = pages.total ?? 0;
	const reached = Math.min(total, pageReach);
	const { place, items, above, below } = useVirtualRows({
		...{ count: reached, height: rowHeight, overscan: 8 },
		key: JSON.stringify([query, sort, order]),
	});
	const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
	useEffect(() => {
		if (total === 0) return;
		// Rows that are scrolled past are not read.
		const timer = setTimeout(() => pages.need(first, last), restMs);
		return () => clearTimeout(timer);
	}, [key, first, last, total]);
	const rows = items.flatMap(({ index }) => pages.row(index) ?? []);
	const columns = useMemo(() => columnsOf(as_of), [as_of]);
	const table = useTable({ features, columns, data: rows, getRowId: ({ id }) => id });
	const cells = new Map(table.getRowModel().rows.map((row) => [row.id, row]));
	return (
		<>
			<Failed state={pages} />
			<p class="soft" aria-live="polite" data-rows={pages.total}>
				{pages.total === undefined
					? pages.failure === undefined && "Reading…"
					: total === 0
						? "No request is like that."
						: `${count(total)} requests. A row's button shows it on the map.`}
				{total > 0 && as_of !== undefined && " Scores are those that stood published on that day."}{" "}
				<BeyondReach total={total} />
			</p>
			{total > 0 && (
				<a class="skip" href="#take">
					Skip the rows
				</a>
			)}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard */}
			<section class="rows" ref={place} tabIndex={0} aria-label="Requests, sorted; scrolls">
				<table aria-rowcount={reached + 1} class={as_of === undefined ? undefined : "of-day"}>
					<thead>
						{table.getHeaderGroups().map((group) => (
							<tr key={group.id} aria-rowindex={1}>
								<th scope="col">Map</th>
								{group.headers.map((header) => (
									<Header
										key={header.id}
										id={header.id}
										text={String(header.column.columnDef.header)}
										order={sort === header.id ? order : undefined}
										isSortable={header.id !== "poi" && (as_of === undefined || !isScoreSort(header.id))}
										choose={choose}
									/>
								))}
							</tr>
						))}
					</thead>
					<tbody>
						<Space height={above} />
						{items.map(({ index }) => {
							const row = pages.row(index);
							const shown = row === undefined ? undefined : cells.get(row.id);
							if (row === undefined || shown === undefined)
								return (
									<tr key={index} aria-rowindex={index + 2} class="waiting">
										<td colSpan={width}>…</td>
									</tr>
								);
							return (
								<tr key={index} aria-rowindex={index + 2} data-id={row.id} aria-selected={row.id === selected}>
									<td>
										<button
											type="button"
											class="plain"
											disabled={row.lat === null}
											title={row.lat === null ? "Its place is not known" : "Show on the map"}
											aria-label={`Show ${safeText(row.name ?? row.queue_id, 60)} on the map`}
											onClick={() => show(row)}
										>
											◎
										</button>
									</td>
									{shown.getAllCells().map((cell) => (
										<td key={cell.id} class={numbers.has(cell.column.id) ? "number" : undefined}>
											<table.FlexRender cell={cell} />
										</td>
									))}
								</tr>
							);
						})}
						<Space height={below} />
					</tbody>
				</table>
			</section>
		</>
	);
}

interface HeaderProps {
	id: string;
	text: string;
	isSortable: boolean;
	/** Undefined if the table is not sorted by it. */
	order: View["order"] | undefined;
	choose(sort: string, order: View["order"]): void;
}

function Header({ id, text, isSortable, order, choose }: HeaderProps) {
	const name = numbers.has(id) ? "number" : undefined;
	if (!isSortable)
		return (
			<th scope="col" class={name}>
				{text}
			</th>
		);
	const next = order === undefined ? (numbers.has(id) ? "desc" : "asc") : order === "asc" ? "desc" : "asc";
	const mark = order === undefined ? "" : order === "asc" ? " ↑" : " ↓";
	return (
		<th
			scope="col"
			class={name}
			{...(order !== undefined && { "aria-sort": order === "asc" ? "ascending" : "descending" })}
		>
			<button type="button" class="plain" onClick={() => choose(id, next)}>
				{text}
				<span aria-hidden="true">{mark}</span>
			</button>
		</th>
	);
}

/** Takes the place of rows that are not rendered. */
const Space = ({ height }: { height: number }) =>
	height > 0 ? (
		<tr class="space">
			<td colSpan={width} style={{ height: `${height}px` }} />
		</tr>
	) : null;
