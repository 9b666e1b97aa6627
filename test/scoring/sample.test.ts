/** Scores and ratings retain nothing of the bundled sample once a publisher's own list is loaded. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { investableCriteria } from "../../libs/contract/vocabulary.ts";
import type { Fragment } from "../../libs/postgres/connect.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { investableCondition } from "../../services/scoring/domain/score/investable.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

test("a request is investable by the field as by the list's condition", async () => {
	const [counted] = await world.scoringSql<{ rows: number; investable: number; differing: number }[]>`
		select count(*)::int as rows, count(*) filter (where investable)::int as investable,
			count(*) filter (where investable <> coalesce(${investableCondition<Fragment>(world.scoringSql, investableCriteria)}, false))::int as differing
		from scores`;
	expect(counted).toMatchObject({ differing: 0 });
	expect(Math.min(counted?.investable ?? 0, (counted?.rows ?? 0) - (counted?.investable ?? 0))).toBeGreaterThan(0);
});

test("its requests, headlines and raises are deleted, and the first real list is scored", async () => {
	const before = await world.scoringSql<{ scores: number; raised: number; matches: number }[]>`
		select (select count(*) from scores) as scores, (select sum(capital_raised) from developer_ratings) as raised,
			(select count(*) from article_developers) as matches`;
	expect(before[0]).toMatchObject({ matches: expect.any(Number) });
	expect(Number(before[0]?.matches)).toBeGreaterThan(0);
	expect(Number(before[0]?.raised)).toBeGreaterThan(0);
	const rows = queueRows("ercot");
	const file = await queueFile("ercot", rows);
	const result = await ingestSnapshot(world.sql, { region: "ERCOT", files: [file], asOf: "2026-10-20T00:00:00Z" });
	expect(result.outcome).toBe("applied");
	await world.settled();
	const known = await world.sql<{ id: string }[]>`select id from projects order by id`;
	const copied = await world.scoringSql<{ id: string }[]>`select project_id as id from projects order by project_id`;
	expect(copied).toEqual(known);
	const [after] = await world.scoringSql`
		select (select count(*)::int from scores s where not exists (select from projects p where p.project_id = s.project_id)) as strays,
			(select count(*)::int from published_scores t where not exists (select from projects p where p.project_id = t.project_id)) as published,
			(select sum(capital_raised)::int from developer_ratings) as raised,
			(select count(*)::int from article_developers) as matches,
			(select count(*)::int from filings where developer_id is not null) as filings`;
	expect(after).toEqual({ strays: 0, published: 0, raised: 0, matches: 0, filings: 0 });
	const [open] = await world.sql<{ open: number; scored: number }[]>`
		select count(*)::int as open, count(investability_score)::int as scored from projects
		where kind = 'generation' and status_std in ('Active', 'Suspended')`;
	expect(open?.open).toBeGreaterThan(10);
	expect(open?.scored).toBe(open?.open);
});
