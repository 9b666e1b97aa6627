/** Cells of lists that were asked about, in memory: a list is read once, not for each of its rows. */
import { inflateRawSync } from "node:zlib";
import type { Cell } from "#libs/files/values.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { DamagedArchive, type PackedTable, readCells, rowsOfBlock } from "./read-rows.ts";
import type { StatingList } from "./stating-lists.ts";

/** Of all kept lists together: the largest takes 2 MB. */
const maxBytes = 48 * 1024 * 1024;

export type RowCells = Pick<KeptCells, "row">;

export class KeptCells {
	readonly #sql: Sql;
	/** By SHA-256, the least recently used first. */
	readonly #lists = new Map<string, { tables: PackedTable[]; bytes: number }>();
	readonly #reading = new Map<string, Promise<PackedTable[]>>();
	#bytes = 0;

	constructor(sql: Sql) {
		this.#sql = sql;
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
			tables = await this.#tables(list);
		} catch (error) {
			if (error instanceof DamagedArchive) return undefined;
			throw error;
		}
		const block = tables[table]?.find(([at]) => at === Math.floor(row / rowsOfBlock))?.[1];
		if (block === undefined) return undefined;
		return (JSON.parse(inflateRawSync(block).toString()) as Record<number, Cell[]>)[row];
	}

	async #tables(list: StatingList): Promise<PackedTable[]> {
		const kept = this.#lists.get(list.sha256);
		if (kept !== undefined) {
			this.#lists.delete(list.sha256);
			this.#lists.set(list.sha256, kept);
			return kept.tables;
		}
		const reading = this.#reading.get(list.sha256) ?? readCells(this.#sql, list);
		this.#reading.set(list.sha256, reading);
		try {
			const tables = await reading;
			if (!this.#lists.has(list.sha256)) this.#keep(list.sha256, tables);
			return tables;
		} finally {
			this.#reading.delete(list.sha256);
		}
	}

	#keep(sha256: string, tables: PackedTable[]): void {
		const bytes = tables.flat().reduce((sum, [, block]) => sum + block.length, 0);
		this.#lists.set(sha256, { tables, bytes });
		this.#bytes += bytes;
		for (const [oldest, kept] of this.#lists) {
			if (this.#bytes <= maxBytes || oldest === sha256) break;
			this.#lists.delete(oldest);
			this.#bytes -= kept.bytes;
		}
	}
}
