/** Kill -9 of the ingest at random points, 200 times. SEED repeats a campaign, as far as the machine's pace allows. */
import { expect, it } from "vitest";
import { KillCampaign, runCampaign, tables } from "./kill-ingest.ts";

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000));
const runs = Number(process.env.RUNS ?? 200);

it(`${runs} ingests killed at random (seed ${seed}) lose, duplicate or half-apply nothing`, async () => {
	console.log(`SEED=${seed} RUNS=${runs}`);
	const tally = await runCampaign({ runs, seed, rows: 600, checkEvery: 10 });
	console.log(JSON.stringify({ seed, ...tally }));
	expect(tally.runs).toBeGreaterThanOrEqual(runs);
	// Otherwise the moments were badly chosen and nothing was tried.
	expect(tally.killed).toBeGreaterThan(runs / 2);
	expect(tally.begun).toBeGreaterThan(0);
});

it(`an ingest killed before it writes to any of ${tables.length} tables leaves no partial data (seed ${seed})`, async () => {
	await using campaign = await KillCampaign.open({ seed, rows: 300 });
	for (const table of tables) {
		await campaign.killAtTable(table);
		await campaign.check();
	}
});
