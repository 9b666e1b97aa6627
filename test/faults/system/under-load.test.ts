/** One fault under load and a running ingest, the short form of `npm run faults`. More of them: under-load.long.test.ts. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Campaign, openCampaign } from "./campaign.ts";
import { faultNamed } from "./faults.ts";

let campaign: Campaign;
beforeAll(async () => {
	campaign = await openCampaign({ holdMs: 2_000, rate: 30 });
});
afterAll(() => campaign?.[Symbol.asyncDispose]());

test("a power cut that takes the last seconds of NATS loses no event, usage, score or change, and doubles none", async () => {
	const { violations, findings } = await campaign.try(
		faultNamed("NATS: a power cut takes its last seconds, which no consumer had read"),
	);
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
});
