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

/** Reads a list below `folder`. Throws `StructureError` for a broken one. */
export const readList = (folder: string, { feed, path, asOf }: List): Promise<Listed[]> =>
	cached(`${feed} ${path} ${asOf}`, async () => {
		const bytes = await readFile(resolve(folder, path));
		return (await parseFile({ feed, name: basename(path), path, bytes, asOf: `${asOf}T00:00:00Z` })).requests;
	});

/** `folder`: keeps what was read from one run to the next, for trials; it does not notice that a parser has changed. */
export async function cached<Read>(
	name: string,
	read: () => Promise<Read>,
	folder = process.env.BACKTEST_CACHE,
): Promise<Read> {
	const kept = folder && resolve(folder, `${hash("sha256", name)}.json`);
	if (kept && existsSync(kept)) return JSON.parse(await readFile(kept, "utf8")) as Read;
	const found = await read();
	if (kept) await writeFile(kept, JSON.stringify(found));
	return found;
}
