/** The lists that the backtest rests on, read from their files as the product reads them. */
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseFile, type StandardFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import type { Feed } from "../../services/queue-ingest/sources/source.ts";

/** A request of a list, with the identity that the list's source gives its number. */
export type Listed = StandardFile["requests"][number];

export interface List {
	feed: Feed;
	/** Below the data folder, or whole. */
	path: string;
	/** When the list was so, `YYYY-MM-DD`. */
	asOf: string;
}

export const list = (feed: Feed, asOf: string, path: string): List => ({ feed, path, asOf });

/** Berkeley Lab's "Queued Up": every operator's open requests as 2020 ended. */
export const queuedUp2020 = list("lbnl", "2020-12-31", "lbnl/lbnlisoqueues_2020.xlsx");

/**
 * Reads a list below `folder`. `cache`: a folder that keeps what was read from one run to the next, for trials; it does not notice that a
 * parser has changed. Throws `StructureError` for a broken one.
 */
export async function readList(folder: string, { feed, path, asOf }: List, cache = process.env.BACKTEST_CACHE) {
	const kept = cache && resolve(cache, `${feed}-${hash("sha256", `${path} ${asOf}`)}.json`);
	if (kept && existsSync(kept)) return JSON.parse(await readFile(kept, "utf8")) as Listed[];
	const bytes = await readFile(resolve(folder, path));
	const { requests } = await parseFile({ feed, name: basename(path), path, bytes, asOf: `${asOf}T00:00:00Z` });
	if (kept) await writeFile(kept, JSON.stringify(requests));
	return requests;
}
