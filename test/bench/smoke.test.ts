import { afterAll, beforeAll, expect, it } from "vitest";
import { findProgram } from "../../deploy/local/server-programs.ts";
import { checkRows, parts } from "../../tools/bench/parts.ts";
import { type Bench, smokeSize, startBench } from "../../tools/bench/system.ts";
import { hasBrowser } from "../web/browser.ts";

const hasPsql = findProgram("psql") !== undefined;
/** Programs that a part needs and not every machine has. */
const present: Record<string, boolean> = { map: hasBrowser, query: hasPsql, export: hasPsql };

/** They start several programs of their own: Chromium with several pages; two gateways with the networks that are paid by. */
const dear = ["map", "access"];

let bench: Bench;
beforeAll(async () => {
	bench = await startBench(() => {}, smokeSize);
});
afterAll(() => bench?.[Symbol.asyncDispose]());

/** Statements are measured late, because they wait until extracts are written again, which is every 30 seconds; scoring empties the table. */
const last = ["query", "scoring"];
const inOrder = Object.entries(parts).toSorted(([a], [b]) => last.indexOf(a) - last.indexOf(b));

for (const [name, measure] of inOrder)
	it.skipIf(present[name] === false)(
		`the benchmark of ${name} runs and yields figures`,
		{ timeout: 300_000, tags: dear.includes(name) ? ["campaign"] : [] },
		async () => {
			const rows = await measure(bench, () => {});
			expect(() => checkRows(name, rows)).not.toThrow();
		},
	);
