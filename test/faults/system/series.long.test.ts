/** A series of faults sees what a system did not get over, and goes on with a new one. */
import { afterAll, expect, test } from "vitest";
import { openSeries } from "./campaign.ts";
import type { Constellation } from "./constellation.ts";
import type { Fault } from "./trial.ts";

const series = openSeries({ holdMs: 1_000, rate: 30 });
afterAll(() => series[Symbol.asyncDispose](), 120_000);

/** Those that a fault was begun on, one after the other; the same is there once. */
const systems = new Set<string>();
const fault = (begin: (system: Constellation) => unknown): Fault => ({
	name: "of this test",
	refuses: [],
	begin(system) {
		systems.add(system.directory);
		return begin(system);
	},
});

test("computed rows that differ when computed again are reported, and the system is not reused", async () => {
	const { violations } = await series.try(fault(({ sql }) => sql`update scoring.scores set grade = 'none'`));
	expect(violations).toEqual([expect.stringMatching(/^\d+ of \d+ computed rows are others .* such as score /)]);
	expect(systems.size).toBe(1);
});

test("computed rows that are missing when computed again are reported, and the system is not reused", async () => {
	const spoil = fault(
		({ sql }) => sql`
			insert into scoring.scores
			select (jsonb_populate_record(s, '{"score_version": 999}')).* from scoring.scores s order by project_id limit 1`,
	);
	const { violations } = await series.try(spoil);
	expect(violations).toEqual([expect.stringMatching(/^1 of \d+ computed rows are others .* such as score .* 999$/)]);
	expect(systems.size).toBe(2);
});

test("a system that does not recover is not reused, and an intact one is", async () => {
	const broken = fault(() => Promise.reject(new Error("broken for good")));
	await expect(series.try(broken)).rejects.toThrow("broken for good");
	for (let times = 0; times < 2; times++) {
		const { violations, findings } = await series.try(fault(() => {}));
		expect(violations).toEqual([]);
		expect(findings).toMatchObject({ lost: [], doubled: [] });
	}
	expect(systems.size).toBe(4);
});
