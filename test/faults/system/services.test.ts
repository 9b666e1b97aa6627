/** Services are killed, paused and cut off under load and a running ingest: the short form of `npm run faults`. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Campaign, openCampaign } from "./campaign.ts";
import { faultNamed } from "./faults.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let campaign: Campaign;
beforeAll(async () => {
	campaign = await openCampaign({ holdMs: 3_500, rate: 30 });
});
afterAll(() => campaign?.[Symbol.asyncDispose]());

test.each([
	["queue-ingest: paused", ["503"]],
	["billing: cut off", ["503"]],
	["gateway: kill -9", ["broken"]],
])("%s: others go on, and nothing is lost or doubled", async (name, how) => {
	const { refused, violations, findings } = await campaign.try(faultNamed(name));
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
	expect(Object.keys(refused)).toEqual(how);
});
