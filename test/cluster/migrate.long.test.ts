/** A migration of a million rows beside readers and writers. */
import { expect, test } from "vitest";
import { migrate } from "#libs/postgres/migrate.ts";
import { eventually } from "../support/eventually.ts";
import { gentle, makeBigTable, schema, startTraffic } from "./support/big-table.ts";

test("a column, an index and a constraint are added to a million rows without blocking readers or writers", async () => {
	await using big = await makeBigTable(1_000_000);
	await using traffic = startTraffic(big.url, 5_000);
	await eventually(() => traffic.reads > 10 && traffic.writes > 5);
	const started = performance.now();
	expect(await migrate(big.url, schema, big.folder(gentle))).toEqual(Object.keys(gentle));
	const ms = Math.round(performance.now() - started);
	console.log(`migrated in ${ms} ms beside ${traffic.reads} reads and ${traffic.writes} writes`);
	expect(traffic.failures).toEqual([]);
	expect(traffic.reads).toBeGreaterThan(100);
});
