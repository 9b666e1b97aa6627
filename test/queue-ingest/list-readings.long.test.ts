/** Every archived list, read without the product: as many requests of each status as its adapter finds, with as many MW, of the same day. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { regions } from "#libs/contract/vocabulary.ts";
import { parseFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { recogniseAny } from "../../services/queue-ingest/queues/jobs/files/recognise.ts";
import { realData } from "../../tools/bench/real-data.ts";
import { archivedLists, foldLists, totalsOf } from "./support/archived-lists.ts";

const lists = archivedLists([realData, resolve(realData, "../archive")], regions);
if (lists.length === 0)
	console.warn(`Skipped: readings of archived lists, as ${realData} holds none (set REAL_DATA_DIR).`);

describe.skipIf(!existsSync(join(realData, "miso")))("the archived lists", () => {
	test("lists are read by the adapters as by an independent reader", async () => {
		for (const list of lists) {
			const bytes = await readFile(list.path);
			const name = basename(list.path);
			const source = await recogniseAny({ name, bytes });
			if (source === undefined) throw new Error(`${list.path} is not recognised`);
			const parsed = await parseFile({ feed: source.feed, name, path: list.path, bytes, asOf: null });
			const { requests, asOf, unknownValues, unknownColumns } = parsed;
			if (source.region === "PJM") expect([list.path, unknownValues, unknownColumns]).toEqual([list.path, [], []]);
			const read = requests.map(({ statusStd, capacityMw }) => ({
				region: list.region,
				status: statusStd,
				megawatts: capacityMw ?? 0,
			}));
			const alone = await foldLists([list]);
			expect({ path: list.path, day: asOf.slice(0, 10), totals: totalsOf(read) }).toEqual({
				path: list.path,
				day: list.day,
				totals: totalsOf(alone(list.day)),
			});
		}
	}, 600_000);
});
