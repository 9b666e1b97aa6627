/** Ten exports at once, of the real processes: one reader is slow, one leaves midway. A million rows each: export-memory.long.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAtOnce, fillMadeUp, lengthOf, measured } from "../bench/export-memory.ts";
import { type Bench, startBench } from "../bench/system.ts";

const path = "/export/projects";
/**
 * Most that a service may hold meanwhile (MB): ten answers of more than 20 MB each, held whole, would be 200 beside the 140, of the gateway
 * 190, that it has without them. Not how much it grows: of what is dead V8 lets up to 64 MB of buffers lie before it looks, sometimes all
 * of it here.
 */
const mostMb = { gateway: 290, "queue-ingest": 240 };
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
		expect([name, Math.round(growth[name].most)]).toEqual([
			name,
			expect.toSatisfy((held: number) => held < mostMb[name]),
		]);
	}
});
