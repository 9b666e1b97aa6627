import type { ComponentChildren } from "preact";
import { pageReach } from "#libs/contract/vocabulary.ts";
import { count } from "../text/format.ts";

/** The heading of a column of numbers, which stands at its right. */
export const number = (text: string): { number: string } => ({ number: text });

/** The head of a table, a heading for each column. */
export const Head = ({ columns }: { columns: readonly (string | { number: string })[] }) => (
	<thead>
		<tr>
			{columns.map((column, at) => {
				const [text, look] = typeof column === "string" ? [column] : [column.number, "number"];
				return (
					<th key={`${at} ${text}`} scope="col" class={look}>
						{text}
					</th>
				);
			})}
		</tr>
	</thead>
);

/** What may be wider than a phone, and is scrolled sideways there; also with the keyboard. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
	// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
	<section class="scroll" aria-label={label} tabIndex={0}>
		{children}
	</section>
);

interface PagerProps {
	page: number;
	/** Rows of all pages. */
	total: number;
	atOnce: number;
	/** What the buttons say. */
	words: { before: string; next: string };
	go(page: number): void;
}

/** From page to page, as far as pages reach; nothing where there is one. */
export function Pager({ page, total, atOnce, words, go }: PagerProps) {
	const last = Math.ceil(Math.min(total, pageReach) / atOnce);
	if (last <= 1) return null;
	return (
		<p>
			<button type="button" disabled={page === 1} onClick={() => go(page - 1)}>
				{words.before}
			</button>{" "}
			Page {count(page)} of {count(last)}{" "}
			<button type="button" disabled={page === last} onClick={() => go(page + 1)}>
				{words.next}
			</button>{" "}
			<BeyondReach total={total} />
		</p>
	);
}

/** What becomes of the rows that pages do not reach. */
export const BeyondReach = ({ total }: Pick<PagerProps, "total">) =>
	total > pageReach && (
		<span data-beyond>
			Pages show the first {count(pageReach)} rows: narrow the filters, or read the others by the API.
		</span>
	);
