/** Faults one after the other on one system, under load and a running ingest. Every fault, each for longer: every-fault.long.test.ts. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { type Campaign, openCampaign } from "./campaign.ts";
import type { Constellation } from "./constellation.ts";
import { faultNamed } from "./faults.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let campaign: Campaign;
beforeAll(async () => {
	campaign = await openCampaign({ holdMs: 3_500, rate: 30 });
});
afterAll(() => campaign?.[Symbol.asyncDispose]());

test.each(["NATS: kill -9", "PostgreSQL: kill -9"])(
	"%s: only dependent requests are refused, by a 503 with Retry-After, and nothing is lost or duplicated",
	async (name) => {
		const { refused, violations, findings } = await campaign.try(faultNamed(name));
		expect(violations).toEqual([]);
		expect(findings).toMatchObject({ lost: [], doubled: [] });
		expect(findings.changes).toBeGreaterThan(0);
		expect(Object.keys(refused)).toEqual(["503"]);
	},
);

test("a power cut that loses the last seconds of NATS loses no event, usage, score or change, and duplicates none", async () => {
	const { violations, findings } = await campaign.try(
		faultNamed("NATS: a power cut takes its last seconds, which no consumer had read"),
	);
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
});

test.each([
	["queue-ingest: paused", ["503"]],
	["gateway: kill -9", ["broken"]],
])("%s: others continue, and nothing is lost or duplicated", async (name, how) => {
	const { refused, violations, findings } = await campaign.try(faultNamed(name));
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
	expect(Object.keys(refused)).toEqual(how);
});

test("rows computed during the faults equal those computed again", async () => {
	const { rows, wrong } = await campaign.computeAgain();
	expect(rows).toBeGreaterThan(100);
	expect(wrong).toEqual([]);
});

/** Requests that a service received once more. */
async function republished({ sql }: Constellation, schema: "scoring" | "signals"): Promise<number> {
	const received = await sql`
		select distinct event_id from ${sql(schema)}.inbox where event_id like 'project.changed:%:again:%'`;
	return received.count;
}

test("after redelivery of everything, nothing is refused, lost or duplicated", async () => {
	const requests = campaign.lists.model.projects.size;
	const { refused, violations, findings } = await campaign.try(
		faultNamed("everything is delivered again (npm run republish)"),
	);
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
	expect(refused).toEqual({});
	for (const schema of ["scoring", "signals"] as const)
		expect(await republished(campaign.system, schema)).toBeGreaterThanOrEqual(requests);
});

test("while scoring's clock is a day ahead, then an hour behind, others continue, and nothing is lost or duplicated", async () => {
	const fault = faultNamed("scoring: its clock a day ahead, then an hour behind");
	const scoredAhead = async ({ sql }: Constellation) =>
		(await sql`select from scoring.scores where scored_at > now() + interval '30 minutes' limit 1`).count === 1;
	const { refused, violations, findings } = await campaign.try({
		...fault,
		async end(system) {
			// Not before a list was scored by that clock.
			await eventually(() => scoredAhead(system), { withinMs: 60_000, everyMs: 200 });
			await fault.end?.(system);
		},
	});
	expect(violations).toEqual([]);
	expect(findings).toMatchObject({ lost: [], doubled: [] });
	expect(findings.changes).toBeGreaterThan(0);
	expect(Object.keys(refused)).toEqual(["503"]);
});

test("scores computed meanwhile equal those computed again from the copies", async () => {
	const { rows, wrong } = await campaign.computeAgain();
	expect(rows).toBeGreaterThan(100);
	expect(wrong).toEqual([]);
});
