/** Every fault of `npm run faults`, each for longer: nightly. */
import { afterAll, describe, expect, test } from "vitest";
import { openSeries, type Series } from "./campaign.ts";
import { faults, fullDisks, oneOfThree } from "./faults.ts";
import { whyNoSmallDisk } from "./small-disk.ts";
import type { Fault } from "./trial.ts";

const held = { holdMs: 20_000, rate: 45, everyMs: 3_000 };

async function expectHarmless(series: Series, fault: Fault): Promise<void> {
	const { violations, findings } = await series.try(fault);
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
}

describe("during load and a running ingest", () => {
	const series = openSeries(held);
	afterAll(() => series[Symbol.asyncDispose](), 120_000);

	test.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => expectHarmless(series, fault));
});

describe("on a cluster of NATS", () => {
	const series = openSeries({ ...held, natsNodes: 3 });
	afterAll(() => series[Symbol.asyncDispose](), 120_000);

	test.each(oneOfThree.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => expectHarmless(series, fault));
});

const reason = whyNoSmallDisk();
describe.skipIf(reason !== undefined)(`on a small disk${reason === undefined ? "" : ` (SKIPPED: ${reason})`}`, () => {
	const series = openSeries({ ...held, diskMb: 700 });
	afterAll(() => series[Symbol.asyncDispose](), 120_000);

	test.each(fullDisks.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => expectHarmless(series, fault));
});
