/** Every fault of `npm run faults`, each for longer: nightly. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Campaign, openCampaign } from "./campaign.ts";
import { faults, fullDisks } from "./faults.ts";
import { whyNoSmallDisk } from "./small-disk.ts";
import type { Fault } from "./trial.ts";

const held = { holdMs: 20_000, rate: 45, everyMs: 3_000 };
let campaign: Campaign;
afterAll(() => campaign?.[Symbol.asyncDispose]());

async function expectHarmless(fault: Fault): Promise<void> {
	const { violations, findings } = await campaign.try(fault);
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
}

describe("under load and a running ingest", () => {
	beforeAll(async () => {
		campaign = await openCampaign(held);
	}, 120_000);

	test.each(faults.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => expectHarmless(fault));

	test("what was scored meanwhile is what is computed from the copies again", async () => {
		expect((await campaign.computeAgain()).wrong).toBe(0);
	});
});

const reason = whyNoSmallDisk();
describe.skipIf(reason !== undefined)(`on a small disk${reason === undefined ? "" : ` (SKIPPED: ${reason})`}`, () => {
	beforeAll(async () => {
		await campaign?.[Symbol.asyncDispose]();
		campaign = await openCampaign({ ...held, diskMb: 700 });
	}, 120_000);

	test.each(fullDisks.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => expectHarmless(fault));
});
