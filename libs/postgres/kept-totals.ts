/** Totals of lists that take longer to count than to show: each is counted once for a data version, whichever page is read. */
import type { Fragment, Sql } from "./connect.ts";

const mostKept = 1_000;

export class KeptTotals {
	readonly #kept = new Map<string, { dataVersion: number; total: number }>();

	/** The query of a total: of the data version that it was counted for the number itself, else `count`. */
	query(sql: Sql, filters: object, count: Fragment): Fragment {
		const kept = this.#kept.get(JSON.stringify(filters));
		if (kept === undefined) return count;
		return sql`select case when (select version from data_version) = ${kept.dataVersion}::bigint then ${kept.total}::bigint else (${count}) end`;
	}

	/** Keeps what `filters` were found to be. */
	keep(filters: object, dataVersion: number, total: number): void {
		const key = JSON.stringify(filters);
		this.#kept.delete(key);
		this.#kept.set(key, { dataVersion, total });
		for (const oldest of this.#kept.keys()) if (this.#kept.size > mostKept) this.#kept.delete(oldest);
	}
}
