/** Pages by number of the lists that are read again and again: each begins near where one before it ended, and what is unchanged is not counted again. */
import { PageStarts, type Start } from "./page-starts.ts";
import { type Reading, Totals } from "./totals.ts";

interface Asked {
	/** What the total follows from. */
	filters: object;
	/** Of its rows, as far as it differs. */
	order: string;
	/** Rows before the page. */
	row: number;
	/** Whether to begin at a known place; where that gains nothing, the list is read from its own beginning. */
	seeks: boolean;
}

interface Page<After> {
	/** Null where it was not counted. */
	total: number | null;
	version: number;
	/** Places that were met on the way; null for none. */
	starts: Start<After>[] | null;
}

export class Pages<After> {
	readonly #totals = new Totals();
	readonly #starts = new PageStarts<After>();

	/** Reads a page, once more where what was known of it is of another data version. See `Totals.read`. */
	async read<P extends Page<After>>(
		{ filters, order, row, seeks }: Asked,
		read: (reading: { counted: boolean; start: Start<After> | undefined }) => Promise<P>,
	): Promise<P & { total: number }> {
		const list = `${JSON.stringify(filters)} ${order}`;
		const known = seeks ? this.#starts.before(list, row) : undefined;
		const found = await this.#totals.read(filters, known, ({ counted, start }: Reading<typeof known>) =>
			read({ counted, start: start?.start }),
		);
		if (found.starts !== null) this.#starts.set(list, found.version, found.starts);
		return found;
	}
}
