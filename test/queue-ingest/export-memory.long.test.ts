/** A million rows, ten readers at once, one of them slow and one leaving midway: memory of the real processes stays flat. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAtOnce, fillMadeUp, lengthOf, measured } from "../../tools/bench/export-memory.ts";
import { type Bench, startBench } from "../../tools/bench/system.ts";

const rows = Number(process.env.ROWS ?? 1_000_000);
let bench: Bench;
beforeAll(async () => {
	bench = await startBench(console.log);
	await fillMadeUp(bench.sql, rows);
}, 1_800_000);
afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

test.each(["csv", "parquet"])(
	`memory grows by less than 50 MB while ten clients export ${rows} rows as %s`,
	async (format) => {
		const path = `/export/projects?format=${format}`;
		await lengthOf(bench.url + path);
		const growth = await exportAtOnce(bench, path);
		console.log(format, JSON.stringify(growth));
		for (const name of measured) {
			const { before, most } = growth[name];
			expect([name, Math.round(most - before)]).toEqual([name, expect.toSatisfy((grown: number) => grown < 50)]);
		}
	},
);
