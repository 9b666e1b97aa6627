import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { isScoreSort, pageReach } from "#libs/contract/vocabulary.ts";
import type { Query } from "../../lib/api/request.ts";
import { Failed } from "../../lib/api/use-read.tsx";
import { CheckBox } from "../../lib/elements/fields.tsx";
import { BeyondReach } from "../../lib/elements/pager.tsx";
import { Heading, type Sorting } from "../../lib/elements/table.tsx";
import { useVirtualRows } from "../../lib/elements/use-virtual-rows.ts";
import { ProjectLink } from "../../lib/requests/project-link.tsx";
import { counted, safeText } from "../../lib/text/format.ts";
import { type Shade, shadeOfScore, shadeOfStatus, shadeOfTechnology } from "./map/colours.ts";
import { Swatch } from "./totals.tsx";
import { type Row, usePages } from "./use-pages.ts";
import type { View } from "./view.ts";

interface RequestTableProps extends Pick<View, "as_of" | "sort" | "order" | "hidden"> {
	/** The filters. When they change, the table returns to the first row. */
	query: Query;
	/** A value that changes when the rows must be reloaded. */
	version: string;
	/** A sentence about selected days that no list covers; empty if there are none. */
	note: string;
	selected: string | undefined;
	choose(sort: string, order: View["order"]): void;
	hide(columns: string[]): void;
	show(row: Row): void;
}

/** CSS pixels. */
const rowHeight = 36;
const debounceMs = 100;

interface RequestColumn {
	/** Name of the sort column in the API. */
	id: string;
	heading: string;
	/** Width of the column (rem). */
	width: number;
	cell(row: Row, day: string | undefined): ComponentChildren;
}

const none = <span class="soft">–</span>;
/** A cell whose column may be too narrow for the text. A tooltip shows the whole text. */
const text = (value: string | null, longest: number) =>
	value === null ? none : <span title={safeText(value)}>{safeText(value, longest)}</span>;

const colouredText = ({ colour }: Shade, text: ComponentChildren) => (
	<>
		<Swatch colour={colour} /> {text}
	</>
);

/** The columns. The first twelve are the ones that lenders compare; they fit on a screen of 1,440 pixels. */
const columns: RequestColumn[] = [
	{
		...{ id: "name", heading: "Request", width: 13 },
		cell: ({ id, name, queue_id }, day) => <ProjectLink {...{ id, name, day, fallback: queue_id, longest: 60 }} />,
	},
	{ ...{ id: "region", heading: "Operator", width: 5.5 }, cell: ({ region }) => region },
	{ ...{ id: "state", heading: "State", width: 4 }, cell: ({ state }) => text(state, 20) },
	{ ...{ id: "county", heading: "County", width: 7 }, cell: ({ county }) => text(county, 40) },
	{
		...{ id: "type_std", heading: "Technology", width: 9.4 },
		cell: ({ type_std }) => colouredText(shadeOfTechnology(type_std), safeText(type_std, 40)),
	},
	{
		...{ id: "status_std", heading: "Status", width: 7.6 },
		cell: ({ status_std }) => colouredText(shadeOfStatus(status_std), status_std),
	},
	{
		...{ id: "capacity_mw", heading: "MW", width: 5 },
		cell: ({ capacity_mw: mw }) => mw?.toLocaleString("en-US", { maximumFractionDigits: 1 }) ?? none,
	},
	{
		...{ id: "investability_score", heading: "Score", width: 5 },
		cell: ({ investability_score: score }) => (score === null ? none : colouredText(shadeOfScore(score), score)),
	},
	{ ...{ id: "cod", heading: "COD", width: 6.5 }, cell: ({ cod }) => cod ?? none },
	{ ...{ id: "queue_date", heading: "Queued", width: 6.5 }, cell: ({ queue_date }) => queue_date ?? none },
	{ ...{ id: "poi", heading: "Point of interconnection", width: 13.5 }, cell: ({ poi }) => text(poi, 80) },
	{
		...{ id: "developer", heading: "Developer", width: 13 },
		cell: ({ developer_canonical, developer }) => text(developer_canonical ?? developer, 60),
	},
	{ ...{ id: "study_phase", heading: "Study phase", width: 12 }, cell: ({ study_phase }) => text(study_phase, 60) },
	{ ...{ id: "queue_id", heading: "Number", width: 9 }, cell: ({ queue_id }) => safeText(queue_id, 40) },
];

const mapWidth = 3.5;
const numbers = new Set(["capacity_mw", "investability_score"]);
/** Columns by which the API cannot sort. */
const unsorted = new Set(["poi", "study_phase"]);

/** A table of the filtered requests, up to the last page that the API serves. Only visible rows are read and rendered. */
export function RequestTable(props: RequestTableProps) {
	const { query, version, note, selected, as_of, sort, order, hidden, choose, hide, show } = props;
	const shown = columns.filter(({ id }) => !hidden.includes(id));
	const width = shown.length + 1;
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
		// The read is delayed, so that rows that are only scrolled past are not read.
		const timer = setTimeout(() => pages.need(first, last), debounceMs);
		return () => clearTimeout(timer);
	}, [key, first, last, total]);
	const sortingOf = (id: string): Sorting | undefined => {
		if (unsorted.has(id) || (as_of !== undefined && isScoreSort(id))) return undefined;
		const first = numbers.has(id) ? "desc" : "asc";
		return { order: sort === id ? order : undefined, first, choose: (next) => choose(id, next) };
	};
	return (
		<>
			<Failed state={pages} />
			<p class="soft" aria-live="polite" data-rows={pages.total}>
				{pages.total === undefined
					? pages.failure === undefined && "Reading…"
					: total === 0
						? `No request matches the filters. ${note}`
						: `${counted(total, "request")}. A row's button shows it on the map.`}
				{total > 0 && as_of !== undefined && " Scores are those that were published on that day."}{" "}
				<BeyondReach total={total} />
			</p>
			{total > 0 && (
				<a class="skip" href="#take">
					Skip the rows
				</a>
			)}
			<details class="column-choice">
				<summary>Columns</summary>
				<fieldset>
					<legend>Shown in the table</legend>
					{columns.slice(1).map(({ id, heading }) => (
						<CheckBox
							key={id}
							label={heading}
							value={!hidden.includes(id)}
							set={(isShown) => hide(isShown ? hidden.filter((name) => name !== id) : [...hidden, id])}
						/>
					))}
				</fieldset>
			</details>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard */}
			<section class="rows" ref={place} tabIndex={0} aria-label="Requests, sorted; scrolls">
				<table
					aria-rowcount={reached + 1}
					style={{ minWidth: `${shown.reduce((sum, { width }) => sum + width, mapWidth)}rem` }}
				>
					<colgroup>
						<col style={{ width: `${mapWidth}rem` }} />
						{shown.map(({ id, width }) => (
							<col key={id} style={{ width: `${width}rem` }} />
						))}
					</colgroup>
					<thead>
						<tr aria-rowindex={1}>
							<th scope="col">Map</th>
							{shown.map(({ id, heading }) => (
								<Heading
									key={id}
									text={heading}
									look={numbers.has(id) ? "number" : undefined}
									sorting={sortingOf(id)}
								/>
							))}
						</tr>
					</thead>
					<tbody>
						<Space height={above} width={width} />
						{items.map(({ index }) => {
							const row = pages.row(index);
							if (row === undefined)
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
											title={row.lat === null ? "Its location is not known" : "Show on the map"}
											aria-label={`Show ${safeText(row.name ?? row.queue_id, 60)} on the map`}
											onClick={() => show(row)}
										>
											◎
										</button>
									</td>
									{shown.map(({ id, cell }) => (
										<td key={id} class={numbers.has(id) ? "number" : undefined}>
											{cell(row, as_of)}
										</td>
									))}
								</tr>
							);
						})}
						<Space height={below} width={width} />
					</tbody>
				</table>
			</section>
		</>
	);
}

/** Fills the space of rows that are not rendered. */
const Space = ({ height, width }: { height: number; width: number }) =>
	height > 0 ? (
		<tr class="space">
			<td colSpan={width} style={{ height: `${height}px` }} />
		</tr>
	) : null;
