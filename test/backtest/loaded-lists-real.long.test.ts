/** Facts read as of a day, from lists that the product has loaded, are those of the list of that day. */

import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { expect, test } from "vitest";
import { connect } from "../../libs/postgres/connect.ts";
import { schema } from "../../services/queue-ingest/migrate.ts";
import { parseFile } from "../../services/queue-ingest/queues/jobs/files/parse-file.ts";
import { factsOf } from "../../tools/backtest/cohorts.ts";
import { queuesOf } from "../../tools/backtest/dated-lists.ts";
import { type Listed, queuedUp2020, Reader } from "../../tools/backtest/lists.ts";
import { loadLists } from "../../tools/backtest/loaded-lists.ts";
import { haveRealData, realData } from "../../tools/bench/real-data.ts";
import { createDatabase } from "../support/database.ts";

test.skipIf(!haveRealData)("each list of NYISO as of its day, whichever came since", { timeout: 300_000 }, async () => {
	await using database = await createDatabase("queue-ingest");
	await using sql = connect(database.url, { schema, name: "test", max: 2, statementTimeoutMs: 0 });
	const lists = (queuesOf().NYISO ?? []).flatMap((queue) => queue.lists);
	expect(lists.length).toBeGreaterThan(2);
	const loaded = await loadLists(sql, realData, lists.toReversed());
	const reader = new Reader(realData, async () => loaded, undefined);
	for (const list of lists) {
		const bytes = await readFile(resolve(realData, list.path));
		const file = { feed: list.feed, name: basename(list.path), path: list.path, bytes, asOf: `${list.asOf}T00:00:00Z` };
		const filed = (await parseFile(file)).requests;
		const known = (rows: readonly Listed[]) =>
			rows.map((row) => JSON.stringify([row.key, { ...factsOf(row, "NYISO"), located: null }])).toSorted();
		expect(known(await reader.requests(list)), list.path).toEqual(known(filed));
	}
	// Berkeley Lab's is not an operator's list: it is read as it is.
	expect((await reader.requests(queuedUp2020)).length).toBeGreaterThan(1_000);
});
