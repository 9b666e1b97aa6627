import { useMemo, useState } from "preact/hooks";
import { useVirtualRows } from "../../../lib/elements/use-virtual-rows.ts";
import { ProjectLink } from "../../../lib/requests/project-link.tsx";
import { safeText } from "../../../lib/text/format.ts";
import type { Cell, Column, Result } from "../run.ts";
import { compare, isNumeric, isRequestId, textOf } from "./cells.ts";

const rowHeight = 33;

interface Sort {
	place: number;
	isDescending: boolean;
}

/** A table of all rows, which renders only the visible ones. A click on a heading sorts it. */
export function ResultTable({ result: { columns, rows } }: { result: Result }) {
	const [sort, setSort] = useState<Sort>();
	const sorted = useMemo(() => sortedRows(columns, rows, sort), [columns, rows, sort]);
	const widths = useMemo(() => columns.map((column, place) => widthOf(column, rows, place)), [columns, rows]);
	const { place, items, above, below } = useVirtualRows({ count: rows.length, height: rowHeight, overscan: 12 });
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
		<section class="rows" ref={place} tabIndex={0} aria-label="Rows of the result">
			<table aria-rowcount={rows.length + 1} style={{ width: `${widths.reduce((sum, each) => sum + each, 0)}ch` }}>
				<colgroup>
					{widths.map((width, place) => (
						<col key={place} style={{ width: `${width}ch` }} />
					))}
				</colgroup>
				<thead>
					<tr aria-rowindex={1}>
						{columns.map((column, place) => {
							const { name, type, unit, description } = column;
							const isDescending = sort?.place === place ? sort.isDescending : undefined;
							return (
								<th
									key={place}
									scope="col"
									class={isNumeric(column) ? "number" : undefined}
									aria-sort={isDescending === undefined ? "none" : isDescending ? "descending" : "ascending"}
								>
									<button
										type="button"
										title={[`${safeText(name, 400)}: ${type}`, description ?? []].flat().join(". ")}
										onClick={() => setSort(nextSort(column, place, isDescending))}
									>
										{safeText(name, 80)}
										{unit !== null && <span class="soft"> {unit}</span>}
										<span aria-hidden="true">{isDescending === undefined ? "" : isDescending ? " ↓" : " ↑"}</span>
									</button>
								</th>
							);
						})}
					</tr>
				</thead>
				<tbody>
					{above > 0 && <Gap height={above} columns={columns.length} />}
					{items.map(({ index }) => (
						<tr key={index} aria-rowindex={index + 2} data-row={index}>
							{sorted[index]?.map((cell, place) => (
								<Value key={place} cell={cell} column={columns[place]} />
							))}
						</tr>
					))}
					{below > 0 && <Gap height={below} columns={columns.length} />}
				</tbody>
			</table>
			{rows.length === 0 && <p>The statement returned no rows.</p>}
		</section>
	);
}

const Gap = ({ height, columns }: { height: number; columns: number }) => (
	<tr>
		<td class="gap" colSpan={columns} style={{ height: `${height}px` }} />
	</tr>
);

function Value({ cell, column }: { cell: Cell; column: Column | undefined }) {
	if (cell === null) return <td class="null">null</td>;
	const text = safeText(textOf(cell), 1_000);
	return (
		<td
			class={column !== undefined && isNumeric(column) ? "number" : undefined}
			title={text.length > 30 ? text : undefined}
		>
			{column !== undefined && isRequestId(column) ? <ProjectLink id={text} name={null} /> : text}
		</td>
	);
}

/** The order after a click: numbers are first sorted descending, other values ascending. The third click restores the order of the result. */
function nextSort(column: Column, place: number, isDescending: boolean | undefined): Sort | undefined {
	const isFirst = isNumeric(column);
	if (isDescending === undefined) return { place, isDescending: isFirst };
	return isDescending === isFirst ? { place, isDescending: !isFirst } : undefined;
}

function sortedRows(columns: Column[], rows: Cell[][], sort: Sort | undefined): Cell[][] {
	const column = columns[sort?.place ?? -1];
	if (sort === undefined || column === undefined) return rows;
	const order = compare(column);
	const { place, isDescending } = sort;
	return rows.toSorted((a, b) => (isDescending ? -1 : 1) * order(a[place] ?? null, b[place] ?? null));
}

/** A column's width in characters. Only the first rows are measured, so that the width does not change while scrolling. */
function widthOf({ name, unit }: Column, rows: Cell[][], place: number): number {
	const longest = rows.slice(0, 200).reduce((max, row) => Math.max(max, textOf(row[place] ?? null).length), 0);
	return Math.min(44, Math.max(7, longest + 1, Math.min(24, name.length + (unit === null ? 2 : unit.length + 3)))) + 2;
}
