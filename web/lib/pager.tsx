import { count } from "./format.ts";

interface PagerProps {
	page: number;
	/** Rows of all pages. */
	total: number;
	atOnce: number;
	/** What the buttons say. */
	words: { before: string; next: string };
	go(page: number): void;
}

/** From page to page; nothing where there is one. */
export function Pager({ page, total, atOnce, words, go }: PagerProps) {
	const last = Math.ceil(total / atOnce);
	if (last <= 1) return null;
	return (
		<p>
			<button type="button" disabled={page === 1} onClick={() => go(page - 1)}>
				{words.before}
			</button>{" "}
			Page {count(page)} of {count(last)}{" "}
			<button type="button" disabled={page === last} onClick={() => go(page + 1)}>
				{words.next}
			</button>
		</p>
	);
}
