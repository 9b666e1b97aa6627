import type { ComponentChildren } from "preact";

/** Sorting of a table by one of its columns. */
export interface Sorting {
	/** Undefined if the table is not sorted by this column. */
	order: "asc" | "desc" | undefined;
	/** The order that the first click chooses. */
	first: "asc" | "desc";
	choose(order: "asc" | "desc"): void;
}

/** A column. `look` is the CSS class of its cells; the headings of numeric columns are aligned with the numbers. */
export type Column<T> = [
	heading: string,
	cell: (row: T) => ComponentChildren,
	look?: "number" | "day" | "wrapped" | "actions" | undefined,
	sorting?: Sorting | undefined,
];

interface TableProps<T> {
	caption?: ComponentChildren;
	/** The cells of the first column are the headings of the rows. */
	columns: readonly Column<T>[];
	rows: readonly T[];
	attributes?(row: T): { [name: `data-${string}`]: unknown; id?: string };
	class?: string;
	/** Label of a table that scrolls sideways because it may be wider than a phone. */
	scrolls?: string;
}

export function Table<T>({ caption, columns, rows, attributes, class: look, scrolls }: TableProps<T>) {
	const table = (
		<table class={look}>
			{caption && <caption>{caption}</caption>}
			<thead>
				<tr>
					{columns.map(([heading, , kind, sorting], at) => (
						<Heading key={at} text={heading} look={kind === "number" ? kind : undefined} sorting={sorting} />
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

interface HeadingProps {
	text: string;
	look?: string | undefined;
	/** Undefined if the table cannot be sorted by the column. */
	sorting?: Sorting | undefined;
}

export function Heading({ text, look, sorting }: HeadingProps) {
	if (sorting === undefined)
		return (
			<th scope="col" class={look}>
				{text}
			</th>
		);
	const { order, first, choose } = sorting;
	const next = order === undefined ? first : order === "asc" ? "desc" : "asc";
	const mark = order === undefined ? "" : order === "asc" ? " ↑" : " ↓";
	return (
		<th scope="col" class={look} aria-sort={order && (order === "asc" ? "ascending" : "descending")}>
			<button type="button" class="plain" onClick={() => choose(next)}>
				{text}
				<span aria-hidden="true">{mark}</span>
			</button>
		</th>
	);
}

export const Noted = ({ text, note }: { text: ComponentChildren; note: ComponentChildren }) => (
	<>
		{text} <span class="soft">{note}</span>
	</>
);

interface MeteredProps {
	text: ComponentChildren;
	value: number;
	/** The value of the full width. */
	max: number;
}

/** A text with a bar below it, which screen readers skip. */
export const Metered = ({ text, value, max }: MeteredProps) => (
	<>
		{text}
		<meter min={0} max={max} value={value} aria-hidden="true" />
	</>
);

/** Content that may be wider than a phone. It can be focused, so that it can be scrolled with the keyboard. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
	<section class="scroll" aria-label={label} tabIndex={0}>
		{children}
	</section>
);
