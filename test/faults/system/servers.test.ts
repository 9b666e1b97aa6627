/** NATS and PostgreSQL are killed and cut off under load and a running ingest: the short form of `npm run faults`. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Campaign, openCampaign } from "./campaign.ts";
import { faultNamed } from "./faults.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let campaign: Campaign;
beforeAll(async () => {
	campaign = await openCampaign({ holdMs: 3_500, rate: 30 });
});
afterAll(() => campaign?.[Symbol.asyncDispose]());

test.each(["PostgreSQL: kill -9", "NATS: kill -9", "NATS: cut off"])(
	"%s: nothing is refused but what needs it, each refusal is a 503 that says when to come back, and nothing is lost or doubled",
	async (name) => {
		const { refused, violations, findings } = await campaign.try(faultNamed(name));
		expect(violations).toEqual([]);
		expect(findings).toMatchObject({ lost: [], doubled: [] });
		expect(findings.changes).toBeGreaterThan(0);
		expect(Object.keys(refused)).toEqual(["503"]);
	},
);

test("what was scored meanwhile is what is computed from the copies again", async () => {
	const { rows, wrong } = await campaign.computeAgain();
	expect(rows).toBeGreaterThan(100);
	expect(wrong).toEqual([]);
});
