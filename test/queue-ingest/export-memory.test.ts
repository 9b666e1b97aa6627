/** Ten exports at once, of the real processes: one reader is slow, one leaves midway. A million rows each: export-memory.long.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAtOnce, fillMadeUp, lengthOf, measured } from "../bench/export-memory.ts";
import { type Bench, startBench } from "../bench/system.ts";

const path = "/export/projects";
let bench: Bench;
beforeAll(async () => {
	bench = await startBench(() => {});
	await fillMadeUp(bench.sql, 60_000);
}, 180_000);
afterAll(() => bench?.[Symbol.asyncDispose](), 60_000);

test("memory stays flat while ten clients export at once, and each gets all of it", { timeout: 180_000 }, async () => {
	// What is compiled and opened at first is no growth.
	const length = await lengthOf(bench.url + path);
	expect(length).toBeGreaterThan(20_000_000);
	const growth = await exportAtOnce(bench, path);
	for (const name of measured) {
		const { before, most } = growth[name];
		expect([name, Math.round(most - before)]).toEqual([name, expect.toSatisfy((grown: number) => grown < 50)]);
	}
});
