/** What was counted of recent filters, each true for one data version: a page of unchanged data is not counted again. */
import { keepRecent } from "#libs/contract/keep-recent.ts";

export interface Total<Count> {
	total: Count;
	version: number;
}

/** What one reading of a page may rely on. */
export interface Reading<Start> {
	/** The total must be found too. */
	counted: boolean;
	start: Start | undefined;
}

/** Most filters. */
const most = 2_000;

export class Totals<Count = number> {
	readonly #kept = new Map<string, Total<Count>>();

	get(filters: object): Total<Count> | undefined {
		return this.#kept.get(JSON.stringify(filters));
	}

	set(filters: object, { total, version }: Total<Count>): void {
		keepRecent(this.#kept, JSON.stringify(filters), { total, version }, most);
	}

	/**
	 * Reads without counting where the total is known, and from a beginning where one is; once more, counted and from the list's own
	 * beginning, where what was known is of another version than what was read. Throws where `read` was to count and answers null.
	 */
	async read<T extends { total: Count | null; version: number }, Start extends { version: number }>(
		filters: object,
		start: Start | undefined,
		read: (reading: Reading<Start>) => Promise<T>,
	): Promise<T & Total<Count>> {
		const kept = this.get(filters);
		let found = await read({ counted: kept === undefined, start });
		const stale = [kept, start].some((known) => known !== undefined && known.version !== found.version);
		if (stale) found = await read({ counted: true, start: undefined });
		const total = found.total ?? kept?.total;
		if (total === undefined) throw new Error("nothing was counted");
		this.set(filters, { total, version: found.version });
		return { ...found, total };
	}
}
