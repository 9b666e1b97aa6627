/** Facts that are delivered again, or differ only in name, are not published. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Delivery, developer, filing, news, project, raise } from "./support/deliver.ts";
import { developerEvent, filingEvent, named, newsEvent, projectEvent, raiseEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

const facts = (version: number): Delivery[] => [
	developer(developerEvent(1, version)),
	project({ ...projectEvent("ERCOT-1", version, { developer_id: 1 }), snapshot_id: version > 1 ? null : 7 }),
	project(projectEvent("ERCOT-2", version, { status_std: "Withdrawn" })),
	news(newsEvent(1, version, { developers: [named(1)] })),
	raise(raiseEvent("raise", version, { developer_id: 1 })),
	filing(filingEvent("filing", version, { developer_id: 1 })),
];

test("facts that are delivered again without a difference are not published", async () => {
	await service.deliver(...facts(1));
	await service.compute();
	expect(await service.outbox()).toHaveLength(2);
	const made = await service.made();
	const moments = await service.moments();
	await service.sql`delete from outbox`;
	for (const version of [1, 2]) await service.deliver(...facts(version));
	service.clock.now = new Date("2026-11-20T13:00:00Z");
	await service.compute();
	expect(await service.outbox()).toEqual([]);
	expect([await service.made(), await service.moments()]).toEqual([made, moments]);
});

test.each<[string, Delivery]>([
	["request", project(projectEvent("ERCOT-1", 2, { name: "Another", developer_id: 1 }))],
	["developer", developer(developerEvent(1, 2, { canonical_name: "Another" }))],
])("another name of a %s is not published, but changes responses", async (_, renamed) => {
	await service.deliver(...facts(1));
	await service.compute();
	await service.sql`delete from outbox`;
	const before = await service.dataVersion();
	const made = await service.made();
	await service.deliver(renamed);
	await service.compute();
	expect(await service.outbox()).toEqual([]);
	expect(await service.made()).toEqual(made);
	expect(await service.dataVersion()).toBeGreaterThan(before);
});

test.each<[string, Delivery]>([
	["a headline in passing", news(newsEvent(2, 1, { developers: [named(1)] }))],
	// An unknown capacity counts as 150 MW.
	["a gas plant without its capacity", project(projectEvent("ERCOT-3", 2, { type_std: "Gas", capacity_mw: null }))],
])("%s changes the inputs but not the result, and is not published", async (_, event) => {
	await service.deliver(...facts(1), project(projectEvent("ERCOT-3", 1, { type_std: "Gas", capacity_mw: 150 })));
	await service.compute();
	await service.sql`delete from outbox`;
	const made = await service.made();
	await service.deliver(event);
	await service.compute();
	expect(await service.made()).not.toEqual(made);
	expect(await service.outbox()).toEqual([]);
});

test("a request that the newest list lacks is not scored until a list contains it again", async () => {
	await service.deliver(...facts(1));
	await service.compute();
	const scored = () => service.rows<string>("select to_jsonb(project_id) as row from scores order by 1");
	expect(await scored()).toContain("ERCOT-1");
	for (const [at, listed] of (["missing", "disappeared", "listed"] as const).entries()) {
		await service.deliver(project(projectEvent("ERCOT-1", 2 + at, { developer_id: 1, listed })));
		await service.compute();
		const isListed = listed === "listed";
		expect((await scored()).includes("ERCOT-1")).toBe(isListed);
		const [payload] = await service.rows<{ investability_score: number | null; tax_credit_type: string | null }>(
			"select payload as row from published_scores where project_id = 'ERCOT-1'",
		);
		expect([payload?.investability_score !== null, payload?.tax_credit_type !== null]).toEqual([isListed, isListed]);
	}
});
