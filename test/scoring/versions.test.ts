/** Switching to the version of the score that the code computes, and computing everything again. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { operations as contract } from "#libs/contract/index.ts";
import { currentVersion } from "../../services/scoring/domain/score/version.ts";
import { isQueueEmpty, rescore, serveCurrentVersion } from "../../services/scoring/jobs/scoring-worker.ts";
import { operations } from "../../services/scoring/operations/index.ts";
import { random as randomBy } from "../support/file-formats.ts";
import { type Delivery, project } from "./support/deliver.ts";
import { pick, projectEvent } from "./support/history.ts";
import { openScoring, type TestScoring } from "./support/scoring.ts";

let service: TestScoring;
beforeAll(async () => {
	service = await openScoring();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => service.clear());

const request = (id: number): Delivery => {
	const random = randomBy(id);
	return project(
		projectEvent(`ERCOT-${String(id).padStart(5, "0")}`, 1, {
			construction_stage: pick(random, ["early", "mid", "late", "construction"] as const),
			ia_status: pick(random, ["System Impact Study", "Facility Study", "IA Executed"] as const),
			type_std: pick(random, ["Solar", "Wind", "Storage", "Gas"] as const),
		}),
	);
};
const requests = (from: number, to: number): Delivery[] =>
	Array.from({ length: to - from + 1 }, (_, at) => request(from + at));

test("a system that serves an older version switches to this one, and published scores remain", async () => {
	await service.deliver(...requests(1, 30));
	await service.compute();
	const made = await service.made();
	await service.sql`update settings set active_version = 3`;
	await service.sql`update scores set score_version = 3, score = 50`;
	await service.sql`update published_scores set payload = payload || '{"score_version":3,"investability_score":50,"grade":"C"}'`;
	await service.sql`update score_versions set score_version = 3, score = 50, grade = 'C', inputs = '{"region":"ERCOT","milestone":"study"}'`;
	const day = service.clock.now.toISOString().slice(0, 10);
	service.clock.now = new Date(service.clock.now.getTime() + 86_400_000);
	await serveCurrentVersion(service.sql);
	const settings = await service.sql`select active_version from settings`;
	expect([...settings]).toEqual([{ active_version: currentVersion }]);
	expect(await service.sql`select from scores`).toHaveLength(0);
	await service.compute();
	const again = await service.made();
	expect(Object.keys(again)).toEqual(Object.keys(made));
	const stored = await service.sql`select score_version, count(*)::int as n from scores group by 1`;
	expect([...stored]).toEqual([{ score_version: currentVersion, n: 30 }]);
	const history = await service.sql`
		select score_version, count(*)::int as n, min(score) = max(score) as alike from score_versions group by 1 order by 1`;
	expect([...history]).toEqual([
		{ score_version: 3, n: 30, alike: true },
		{ score_version: currentVersion, n: 30, alike: expect.any(Boolean) },
	]);
	const handlers = operations({ sql: service.sql, now: () => service.clock.now, notice_2025_42: "vacated" });
	const context = { signal: new AbortController().signal };
	const { json } = await handlers.readScore({ project_id: "ERCOT-00001", as_of: day }, context);
	expect(contract.readScore.reply.parse(JSON.parse(json.toString()))).toMatchObject({
		...{ score_version: 3, investability_score: 50, grade: "C", components: null, p_cod_36: null },
		explanation:
			"C (50). Score version 3, which is no longer computed: its components are not known. Not investment advice.",
	});
	// A second start changes nothing.
	await serveCurrentVersion(service.sql);
	expect(await isQueueEmpty(service.sql)).toBe(true);
});

test("the current version is computed again: a damaged row is repaired, and not published as new", async () => {
	await service.deliver(...requests(1, 30));
	await service.compute();
	const made = await service.made();
	await service.sql`delete from outbox`;
	await service.sql`update scores set score = 1, grade = 'A', milestone_progress = 2, inputs = '{}' where project_id < 'ERCOT-00010'`;
	await service.computeAll();
	// Equal inputs are an equal score: marking alone does not look at it.
	expect(await service.made()).not.toEqual(made);
	expect(await rescore(service.sql)).toBe(30);
	expect(await isQueueEmpty(service.sql)).toBe(false);
	await service.compute();
	expect(await service.made()).toEqual(made);
	expect(await service.sql`select from outbox`).toHaveLength(0);
});
