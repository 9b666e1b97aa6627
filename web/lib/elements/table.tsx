import type { ComponentChildren } from "preact";

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

export const Noted = ({ text, note }: { text: ComponentChildren; note: ComponentChildren }) => (
	<>
		{text} <span class="soft">{note}</span>
	</>
);

interface MeteredProps {
	text: ComponentChildren;
	value: number;
	/** The value of the whole width. */
	most: number;
}

/** A text with a bar below it, which screen readers skip. */
export const Metered = ({ text, value, most }: MeteredProps) => (
	<>
		{text}
		<meter min={0} max={most} value={value} aria-hidden="true" />
	</>
);

/** Content that may be wider than a phone. It takes the focus, so that the keyboard can scroll it. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by the keyboard
	<section class="scroll" aria-label={label} tabIndex={0}>
		{children}
	</section>
);
