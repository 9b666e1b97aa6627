/** The short version of kill-ingest.long.test.ts. SEED repeats a run. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { KillCampaign } from "./kill-ingest.ts";

const seed = Number(process.env.SEED ?? 2026);

describe(`an ingest (seed ${seed})`, () => {
	let campaign: KillCampaign;
	beforeAll(async () => {
		campaign = await KillCampaign.open({ seed, rows: 150 });
	});
	afterAll(() => campaign?.[Symbol.asyncDispose]());

	it("that is killed before it writes to the outbox leaves no partial data, and does not affect another operator's", async () => {
		await campaign.killAtTable("outbox");
		await campaign.check();
	});

	it("of the same file as a concurrent one changes nothing twice", async () => {
		await campaign.takeTwins();
		await campaign.check();
		expect(campaign.tally.changes).toBeGreaterThan(10);
	});

	it("that rebuilds all lists and is killed while it writes changes nothing, and repairs errors when it is run again", async () => {
		await campaign.killRebuild();
	});
});
