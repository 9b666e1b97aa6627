/** Reads archived files again: single rows as facts, or the cells of all rows. */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { inflateRawSync, zstdDecompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import { ConcurrencyLimit } from "#libs/bus/concurrency-limit.ts";
import { unavailable } from "#libs/contract/errors.ts";
import { readInThread } from "#libs/files/in-thread.ts";
import type { Cell } from "#libs/files/values.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import type { Feed } from "../sources/source.ts";
import type { MappedWord } from "../sources/vocabulary.ts";
import type { StatingList } from "./stating-lists.ts";

export interface RowTask {
	feed: Feed;
	name: string;
	bytes: Uint8Array;
	/** ISO time of the list, as of which values that depend on the day are computed. */
	asOf: string;
	mapped: readonly MappedWord[];
	rows: { table: number; row: number }[] | "cells";
}

export interface ReadRow {
	table: number;
	row: number;
	facts: Record<string, unknown>;
}

/** Blocks of rows by number, each deflated JSON of cells by row. */
export type PackedTable = [block: number, bytes: Uint8Array][];
export const rowsOfBlock = 64;

export class DamagedArchive extends Error {}

const decompress = promisify(zstdDecompress);

/** Maximum files read at once. Reading a list takes a second or two of one core. */
const readLimit = new ConcurrencyLimit(2);

export async function readArchivedBytes(sql: Sql, sha256: string): Promise<Uint8Array> {
	const [row] = await sql<{ bytes: Buffer; size: number }[]>`
		select bytes, size_bytes::float8 as size from raw_files where sha256 = ${sha256}`;
	if (row === undefined) throw new DamagedArchive(`${sha256} is not in the archive`);
	const bytes = await decompress(row.bytes, { maxOutputLength: row.size + 1 }).catch(() => undefined);
	if (bytes === undefined || hash("sha256", bytes, "hex") !== sha256)
		throw new DamagedArchive(`the archived bytes of ${sha256} do not match the hash`);
	return bytes;
}

type ListFile = Pick<StatingList, "feed" | "name" | "sha256" | "asOf" | "mapped">;

function readFile<T>(sql: Sql, { feed, name, sha256, asOf, mapped }: ListFile, rows: RowTask["rows"]): Promise<T> {
	const worker = new URL("./read-rows-worker.ts", import.meta.url);
	const task = { feed, name, asOf, mapped: mapped ?? [], rows };
	return readArchived<T>(sql, sha256, worker, task);
}

/** Runs `task` in a worker on the archived bytes. @throws DamagedArchive, or AppError 503 while too many files are being read */
export async function readArchived<T>(sql: Sql, sha256: string, worker: URL, task: { name: string }): Promise<T> {
	if (!readLimit.acquire()) throw unavailable("other files are being read again; try again in a few seconds", 5);
	try {
		const bytes = await readArchivedBytes(sql, sha256);
		return await readInThread<T>(worker, task.name, { ...task, bytes });
	} finally {
		readLimit.release();
	}
}

export const readAgain = (sql: Sql, file: ListFile, rows: { table: number; row: number }[]): Promise<ReadRow[]> =>
	readFile<ReadRow[]>(sql, file, rows);

/** Maximum size of all cached lists together (bytes). The largest list takes 2 MB. */
const maxCacheBytes = 48 * 1024 * 1024;

export type CellReader = Pick<CellCache, "row">;

export class CellCache {
	readonly #lists: LRUCache<string, PackedTable[], StatingList>;

	constructor(sql: Sql) {
		this.#lists = new LRUCache({
			maxSize: maxCacheBytes,
			sizeCalculation: (tables) => tables.flat().reduce((sum, [, block]) => sum + block.length, 1),
			fetchMethod: (_sha256, _known, { context }) => readFile<PackedTable[]>(sql, context, "cells"),
			// A list that is evicted while it is read is still returned.
			ignoreFetchAbort: true,
		});
	}

	/** Returns a reader for one response. It reads a damaged file once, not for each field; the next response tries it again. */
	forOneResponse(): CellReader {
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
