import type { ComponentChildren } from "preact";
import { pageReach } from "#libs/contract/vocabulary.ts";
import { count } from "../text/format.ts";

/** `look` is the class of its cells; headings of numbers are aligned with them. */
export type Column<T> = [
	heading: string,
	cell: (row: T) => ComponentChildren,
	look?: "number" | "day" | "wrapped" | "actions",
];

interface TableProps<T> {
	caption?: ComponentChildren;
	/** The first column names the row. */
	columns: readonly Column<T>[];
	rows: readonly T[];
	attributes?(row: T): { [name: `data-${string}`]: unknown; id?: string };
	class?: string;
	/** Names a table that may be wider than a phone: it then scrolls sideways. */
	scrolls?: string;
}

export function Table<T>({ caption, columns, rows, attributes, class: look, scrolls }: TableProps<T>) {
	const table = (
		<table class={look}>
			{caption && <caption>{caption}</caption>}
			<thead>
				<tr>
					{columns.map(([heading, , kind], at) => (
						<th key={at} scope="col" class={kind === "number" ? kind : undefined}>
							{heading}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((row, at) => (
					<tr key={at} {...attributes?.(row)}>
						{columns.map(([, cell, kind], column) =>
							column === 0 ? (
								<th key={column} scope="row" class={kind}>
									{cell(row)}
								</th>
							) : (
								<td key={column} class={kind}>
									{cell(row)}
								</td>
							),
						)}
					</tr>
				))}
			</tbody>
		</table>
	);
	return scrolls === undefined ? table : <Scroll label={scrolls}>{table}</Scroll>;
}

/** Content that may be wider than a phone. It takes the focus, so that the keyboard can scroll it. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
	<section class="scroll" aria-label={label} tabIndex={0}>
		{children}
	</section>
);

interface PagerProps {
	page: number;
	/** Rows of all pages. */
	total: number;
	perPage: number;
	labels?: [previous: string, next: string];
	go(page: number): void;
}

/** Buttons to the pages that the API serves; nothing if there is only one. */
export function Pager({ page, total, perPage, labels: [previous, next] = ["Before", "Next"], go }: PagerProps) {
	const last = Math.ceil(Math.min(total, pageReach) / perPage);
	if (last <= 1) return null;
	return (
		<p>
			<button type="button" disabled={page === 1} onClick={() => go(page - 1)}>
				{previous}
			</button>{" "}
			Page {count(page)} of {count(last)}{" "}
			<button type="button" disabled={page === last} onClick={() => go(page + 1)}>
				{next}
			</button>{" "}
			<BeyondReach total={total} />
		</p>
	);
}

export const BeyondReach = ({ total }: { total: number }) =>
	total > pageReach && (
		<span data-beyond>
			Pages show the first {count(pageReach)} rows: narrow the filters, or read the others by the API.
		</span>
	);
