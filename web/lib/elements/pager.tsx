import { pageReach } from "#libs/contract/vocabulary.ts";
import { count } from "../text/format.ts";

interface PagerProps {
	page: number;
	/** Number of rows on all pages. */
	total: number;
	perPage: number;
	labels?: [previous: string, next: string];
	go(page: number): void;
}

/** Buttons to the pages that the API serves; renders nothing if there is only one. */
export function Pager({ page, total, perPage, labels: [previous, next] = ["Previous", "Next"], go }: PagerProps) {
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
