import { createSortedRowModel, rowSortingFeature, tableFeatures, useTable } from "@tanstack/preact-table";
import { useMemo } from "preact/hooks";
import { useVirtualRows } from "../../../lib/elements/use-virtual-rows.ts";
import { safeText } from "../../../lib/text/format.ts";
import type { Cell, Column, Result } from "../run.ts";
import { compare, isNumeric, textOf } from "./cells.ts";

const rowHeight = 33;
const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });

/** All rows, of which only the visible ones are rendered. A click on a heading sorts them. */
export function ResultTable({ result: { columns, rows } }: { result: Result }) {
	const definitions = useMemo(() => columns.map(definitionOf), [columns]);
	const widths = useMemo(() => columns.map((column, place) => widthOf(column, rows, place)), [columns, rows]);
	const table = useTable({ features, columns: definitions, data: rows });
	const shown = table.getRowModel().rows;
	const { place, items, above, below } = useVirtualRows({ count: shown.length, height: rowHeight, overscan: 12 });
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
						{table.getHeaderGroups()[0]?.headers.map(({ column }, place) => {
							const { name, type, unit, description } = columns[place] ?? none;
							const sorted = column.getIsSorted();
							return (
								<th
									key={column.id}
									scope="col"
									class={isNumeric({ type }) ? "number" : undefined}
									aria-sort={sorted === false ? "none" : sorted === "asc" ? "ascending" : "descending"}
								>
									<button
										type="button"
										title={[`${safeText(name, 400)}: ${type}`, description ?? []].flat().join(". ")}
										onClick={column.getToggleSortingHandler()}
									>
										{safeText(name, 80)}
										{unit !== null && <span class="soft"> {unit}</span>}
										<span aria-hidden="true">{sorted === false ? "" : sorted === "asc" ? " ↑" : " ↓"}</span>
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
							{shown[index]?.original.map((cell, place) => (
								<Value key={place} cell={cell} column={columns[place]} />
							))}
						</tr>
					))}
					{below > 0 && <Gap height={below} columns={columns.length} />}
				</tbody>
			</table>
			{rows.length === 0 && <p>The statement gave no row.</p>}
		</section>
	);
}

const none = { name: "", type: "", unit: null, description: null };

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
			{text}
		</td>
	);
}

const definitionOf = (column: Column, place: number) => {
	const order = compare(column);
	return {
		id: String(place),
		accessorFn: (row: Cell[]) => row[place] ?? null,
		sortFn: (one: { original: Cell[] }, other: { original: Cell[] }) =>
			order(one.original[place] ?? null, other.original[place] ?? null),
		sortDescFirst: isNumeric(column),
	};
};

/** Width in characters, by the first rows, so that it does not change while scrolling. */
function widthOf({ name, unit }: Column, rows: Cell[][], place: number): number {
	const longest = rows.slice(0, 200).reduce((most, row) => Math.max(most, textOf(row[place] ?? null).length), 0);
	return Math.min(44, Math.max(7, longest + 1, Math.min(24, name.length + (unit === null ? 2 : unit.length + 3)))) + 2;
}
