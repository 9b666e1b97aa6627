/** Reads the cells about owners in archived workbooks of Form EIA-860. */
import { LRUCache } from "lru-cache";
import type { Sql } from "#libs/postgres/connect.ts";
import { headers } from "../plants/sources/schedule.ts";
import type { FoundCell } from "./cells-of-field.ts";
import { readArchived } from "./read-rows.ts";

type HeaderField = keyof typeof headers;
const fieldOrder = Object.keys(headers) as HeaderField[];

export interface ScheduleSheet {
	sheet: string;
	/** In the order of `headers`; null if the sheet lacks the column. */
	columns: ({ column: string; header: string | null } | null)[];
	rows: { plant: number; generator: string | null; row: number; texts: (string | null)[] }[];
}

export interface ScheduleRow {
	generator: string | null;
	cells: Partial<Record<HeaderField, FoundCell>>;
}

interface ScheduleFile {
	sha256: string;
	name: string;
}

export type ReadSchedule = (file: ScheduleFile) => Promise<ScheduleSheet[]>;

/** @throws DamagedArchive, or AppError 503 while too many files are being read */
export const readSchedule =
	(sql: Sql): ReadSchedule =>
	({ sha256, name }) =>
		readArchived<ScheduleSheet[]>(sql, sha256, new URL("./schedule-rows-worker.ts", import.meta.url), { name });

/** A file of plants has 13,000 rows, which take about 4 MB. */
const maxCachedFiles = 4;

export function cacheSchedules(read: ReadSchedule): ReadSchedule {
	const cache = new LRUCache<string, ScheduleSheet[], ScheduleFile>({
		max: maxCachedFiles,
		fetchMethod: (_sha256, _known, { context }) => read(context),
		// A file that is evicted while it is read is still returned.
		ignoreFetchAbort: true,
	});
	return (file) => cache.forceFetch(file.sha256, { context: file });
}

export function findPlantRows(sheets: readonly ScheduleSheet[], plant: number): ScheduleRow[] {
	return sheets.flatMap(({ sheet, columns, rows }) =>
		rows
			.filter((row) => row.plant === plant)
			.map(({ generator, row, texts }) => {
				const cells: ScheduleRow["cells"] = {};
				for (const [at, field] of fieldOrder.entries()) {
					const column = columns[at];
					if (column) cells[field] = { sheet, row, ...column, raw: texts[at] ?? null };
				}
				return { generator, cells };
			}),
	);
}
