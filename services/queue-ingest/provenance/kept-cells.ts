/** Cells of lists that were asked about, in memory: a list is read once, not for each of its rows. */
import { inflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { Cell } from "#libs/files/values.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { DamagedArchive, type PackedTable, readCells, rowsOfBlock } from "./read-rows.ts";
import type { StatingList } from "./stating-lists.ts";

/** Limit for all cached lists together: the largest takes 2 MB. */
const maxBytes = 48 * 1024 * 1024;

export type RowCells = Pick<KeptCells, "row">;

export class KeptCells {
	/** By SHA-256. */
	readonly #lists: LRUCache<string, PackedTable[], StatingList>;

	constructor(sql: Sql) {
		this.#lists = new LRUCache({
			maxSize: maxBytes,
			sizeCalculation: (tables) => tables.flat().reduce((sum, [, block]) => sum + block.length, 1),
			fetchMethod: (_sha256, _known, { context }) => readCells(sql, context),
			// A list that is evicted while it is read is still returned.
			ignoreFetchAbort: true,
		});
	}

	/** The same for one request's answer: a damaged file is read once, not for each field, and is read anew for the next. */
	forOneAnswer(): RowCells {
		const damaged = new Set<string>();
		return {
			row: async (list, table, row) => {
				if (damaged.has(list.sha256)) return undefined;
				const cells = await this.row(list, table, row);
				if (cells === undefined && !this.#lists.has(list.sha256)) damaged.add(list.sha256);
				return cells;
			},
		};
	}

	/** The cells of a row; undefined where the archive is damaged. */
	async row(list: StatingList, table: number, row: number): Promise<Cell[] | undefined> {
		let tables: PackedTable[];
		try {
			tables = await this.#lists.forceFetch(list.sha256, { context: list });
		} catch (error) {
			if (error instanceof DamagedArchive) return undefined;
			throw error;
		}
		const block = tables[table]?.find(([at]) => at === Math.floor(row / rowsOfBlock))?.[1];
		if (block === undefined) return undefined;
		return (JSON.parse(inflateRawSync(block).toString()) as Record<number, Cell[]>)[row];
	}
}
