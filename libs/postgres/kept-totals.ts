/** Totals of lists that take longer to count than to show: each is counted once for a data version, whichever page is read. */
import { LRUCache } from "lru-cache";
import type { Fragment, Sql } from "./connect.ts";

export class KeptTotals {
	readonly #kept = new LRUCache<string, { dataVersion: number; total: number }>({ max: 1_000 });

	/** The query of a total: of the data version that it was counted for the number itself, else `count`. */
	query(sql: Sql, filters: object, count: Fragment): Fragment {
		const kept = this.#kept.get(JSON.stringify(filters));
		if (kept === undefined) return count;
		return sql`select case when (select version from data_version) = ${kept.dataVersion}::bigint then ${kept.total}::bigint else (${count}) end`;
	}

	/** Keeps what `filters` were found to be. */
	keep(filters: object, dataVersion: number, total: number): void {
		this.#kept.set(JSON.stringify(filters), { dataVersion, total });
	}
}
