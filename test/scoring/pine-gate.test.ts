/** A bankruptcy as the news reported it, from headlines to the responses that lenders read. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { enqueueAll } from "../../services/scoring/tables/recompute-queue.ts";
import { storeArticles } from "../../services/signals/news/store-articles.ts";
import { article } from "../signals/support/records.ts";
import { eventually } from "../support/eventually.ts";
import { startWorld, type World } from "../support/world.ts";
import { pineGateHeadlines } from "./support/pine-gate.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld({ data: "none" });
	await world.settled();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

interface Profile {
	distress_signal: { level: string; score: number; components: { bankruptcy: boolean } | null };
	needs_capital: boolean;
	needs_capital_reasons: string[];
	signal_events: { distress_events: number };
}

/** The profile of a developer on a day, when the headlines up to it have arrived. */
async function on(day: string, developer: string): Promise<Profile> {
	world.clock.now = new Date(`${day}T23:00:00Z`);
	await storeArticles(
		world.signalsSql,
		pineGateHeadlines
			.filter((headline) => headline.on <= day)
			.map(({ on: published, title, domain }) => article({ title, domain, publishedAt: `${published}T09:00:00Z` })),
	);
	// The day may be an earlier one than the last: everything is computed anew.
	await world.scoringSql.begin((tx) => enqueueAll(tx));
	await world.settled();
	const response = await fetch(`${world.url}/developers/${encodeURIComponent(developer)}/capital`);
	expect([developer, response.status]).toEqual([developer, 200]);
	return (await response.json()) as Profile;
}

test("Pine Gate is not High on rumours, is High from the day two outlets report the filing, and needs capital before", async () => {
	const before = await on("2025-09-20", "Pine Gate Renewables");
	expect(before.distress_signal.level).not.toBe("High");
	const rumours = await on("2025-11-05", "Pine Gate Renewables");
	expect(rumours.distress_signal.components?.bankruptcy).toBe(false);
	expect(rumours.distress_signal.level).not.toBe("High");
	expect(rumours.signal_events.distress_events).toBeGreaterThan(before.signal_events.distress_events);
	expect(rumours.needs_capital).toBe(true);
	expect(rumours.needs_capital_reasons.join(" ")).toContain("seeks buyers");
	const after = await on("2025-11-06", "Pine Gate Renewables");
	expect(after.distress_signal).toMatchObject({ level: "High", components: { bankruptcy: true } });
	expect(after.distress_signal.score).toBeGreaterThanOrEqual(85);
	const row = await eventually(async () => {
		const response = await fetch(`${world.url}/developers?q=Pine%20Gate&needs_capital=true`);
		const { data } = (await response.json()) as { data: { canonical_name: string }[] };
		return data.find(({ canonical_name }) => canonical_name === "Pine Gate Renewables");
	});
	expect(row).toMatchObject({ needs_capital: true });
	const leaders = await fetch(`${world.url}/capital/leaderboard?sort=distress&limit=1`);
	expect(((await leaders.json()) as { data: { developer: string }[] }).data[0]?.developer).toBe("Pine Gate Renewables");
	// Two years on the filing is history.
	const history = await on("2027-12-31", "Pine Gate Renewables");
	expect(history.distress_signal).toMatchObject({ level: "unknown", score: 0 });
});

test("a large healthy utility is not in distress, whatever headlines mention it", async () => {
	const titles = [
		"Duke Energy closes $1.2 billion green bond",
		"Duke Energy wins approval for solar farm",
		"Contractor of Duke Energy files for Chapter 11 bankruptcy",
		"Supplier to Duke Energy enters Chapter 11 bankruptcy",
		"Duke Energy announces quarterly dividend",
	];
	world.clock.now = new Date("2026-11-20T12:00:00Z");
	await storeArticles(
		world.signalsSql,
		titles.map((title, at) => article({ title, domain: `outlet${at}.example`, publishedAt: "2026-10-01T09:00:00Z" })),
	);
	const utility = await on("2026-11-20", "Duke Energy");
	// No list of requests is loaded, so that the headlines alone do not make it Low.
	expect(utility.distress_signal).toMatchObject({ level: "unknown", judged: true });
	expect(utility.distress_signal.components?.bankruptcy).not.toBe(true);
});
