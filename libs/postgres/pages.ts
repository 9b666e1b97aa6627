/** Pages by number of the lists that are read again and again: each begins where one before it ended, and what is unchanged is not counted again. */
import { PageStarts, type Start } from "./page-starts.ts";
import { type Reading, Totals } from "./totals.ts";

interface Asked {
	/** What the total follows from. */
	filters: object;
	/** Order and length of its pages, as far as they differ. */
	order: string;
	page: number;
	/** Whether to begin where a page before ended; where that gains nothing, the list is read from its own beginning. */
	seeks: boolean;
}

interface Page<After> {
	/** Null where it was not counted. */
	total: number | null;
	version: number;
	/** What the next page's first row comes after; null where there is none, or none is known. */
	last: After | null;
}

export class Pages<After> {
	readonly #totals = new Totals();
	readonly #starts = new PageStarts<After>();

	/** Reads a page, once more where what was known of it is of another data version. See `Totals.read`. */
	async read<P extends Page<After>>(
		{ filters, order, page, seeks }: Asked,
		read: (reading: Reading<Start<After>>) => Promise<P>,
	): Promise<P & { total: number }> {
		const list = `${JSON.stringify(filters)} ${order}`;
		const start = seeks ? this.#starts.before(list, page) : undefined;
		const found = await this.#totals.read(filters, start, read);
		if (found.last !== null) this.#starts.set(list, found.version, { page: page + 1, after: found.last });
		return found;
	}
}
