/** A lost schema of scoring is rebuilt from events that other services republish, and nothing false is published. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sql } from "#libs/postgres/connect.ts";
import { republish as republishQueues } from "../../services/queue-ingest/admin/republish.ts";
import { republish as republishScores } from "../../services/scoring/admin/republish.ts";
import { hashInputs } from "../../services/scoring/domain/score/inputs.ts";
import { scoreProject } from "../../services/scoring/domain/score/score-project.ts";
import type { ScoreInputs } from "../../services/scoring/domain/score/tables.ts";
import { tablesOf } from "../../services/scoring/domain/score/versions/index.ts";
import { scoreRow } from "../../services/scoring/tables/scores.ts";
import { republish as republishSignals } from "../../services/signals/ingest/republish.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const rows = async (sql: Sql, text: string) => (await sql.unsafe<{ row: unknown }[]>(text)).map(({ row }) => row);

/** All results, without times and versions. */
const made = async () => ({
	projects: await rows(
		world.scoringSql,
		"select to_jsonb(p) - '{snapshot_id,shown}'::text[] as row from projects p order by project_id",
	),
	credits: await rows(world.scoringSql, "select to_jsonb(c) as row from credits c order by project_id"),
	scores: await rows(
		world.scoringSql,
		"select to_jsonb(s) - '{p_built,scored_at,project_region,project_state,project_type_std,project_capacity_mw}'::text[] as row from scores s order by project_id",
	),
	ratings: await rows(
		world.scoringSql,
		"select to_jsonb(s) - 'version' as row from developer_ratings s order by developer_id",
	),
	// A request that was never open has no score published, one that closed has that it does not count.
	published: await rows(
		world.scoringSql,
		"select jsonb_build_array(project_id, payload) as row from published_scores where payload ->> 'grade' is not null order by project_id",
	),
});

/** A score can be computed again from the inputs that are stored with it. */
function expectRecomputed(scores: unknown[]): void {
	const rows = scores as { project_id: string; score_version: number; inputs: ScoreInputs }[];
	const recomputed = rows.map(({ project_id, score_version: version, inputs }) =>
		scoreRow(project_id, version, scoreProject(inputs, tablesOf(version)), inputs, hashInputs(inputs)),
	);
	expect(scores).toEqual(recomputed);
}

const copies = () => rows(world.sql, "select body::jsonb as row from projects order by id");

test("lost tables are rebuilt from republished events, and the copies of other services do not change", async () => {
	const [before, copied] = [await made(), await copies()];
	expect(before.scores.length).toBeGreaterThan(20);
	expectRecomputed(before.scores);
	// Versions are moments: what is made anew is said at a later one.
	world.clock.now = new Date(world.clock.now.getTime() + 60_000);
	await world.scoringSql`truncate projects, developers, articles, raises, filings, transfers, published_scores, project_recompute_queue,
		developer_recompute_queue cascade`;
	expect(await made()).toMatchObject({ scores: [], ratings: [] });
	for (const name of ["project.changed", "developer.changed"]) await republishQueues(world.sql, name);
	for (const name of ["news.recorded", "raise.recorded", "filing.recorded", "ownership.changed"])
		await republishSignals(world.signalsSql, name);
	await world.settled();
	expect(await made()).toEqual(before);
	expect(await copies()).toEqual(copied);
});

test("copies that other services lost return when scores are republished", async () => {
	const copied = await copies();
	await world.sql`update projects set investability_score = null, investable = null, score_seen = 0, tax_credit_pct = null,
		effective_credit_rate = null, tax_credit_type = null, tax_credit_status = null, estimated_credit_value = null,
		energy_community_eligible = null, domestic_content_eligible = null, domestic_content_basis = null, low_income_eligible = null, needs_capital = null`;
	await world.sql`update developers set needs_capital = null, rated_version = 0`;
	expect(await copies()).not.toEqual(copied);
	expect(await republishScores(world.scoringSql, "project.scored")).toBeGreaterThan(20);
	expect(await republishScores(world.scoringSql, "developer.rated")).toBeGreaterThan(100);
	expect(await republishScores(world.scoringSql, "no.such")).toBeUndefined();
	await world.settled();
	expect(await copies()).toEqual(copied);
});

test("a request that closed while the tables were lost is shown without the score that was published", async () => {
	const [gone] = await world.sql<{ id: string; version: number }[]>`
		select id, version from projects where investability_score is not null order by id limit 1`;
	if (gone === undefined) throw new Error("the sample has no request with a score");
	await world.scoringSql`truncate projects, published_scores, project_recompute_queue, developer_recompute_queue cascade`;
	// The announcement of the withdrawal was lost with the tables: only the row shows it.
	await world.sql`update projects set status_std = 'Withdrawn', version = version + 1 where id = ${gone.id}`;
	world.clock.now = new Date(world.clock.now.getTime() + 60_000);
	const [shown] = await world.sql<{ score: number | null }[]>`
		select investability_score as score from projects where id = ${gone.id}`;
	expect(shown?.score).not.toBeNull();
	await republishQueues(world.sql, "project.changed");
	await world.settled();
	const closed = await world.sql`
		select investability_score, investable, tax_credit_type, tax_credit_pct, estimated_credit_value from projects where id = ${gone.id}`;
	expect(closed[0]).toEqual({
		investability_score: null,
		investable: null,
		tax_credit_type: null,
		tax_credit_pct: null,
		estimated_credit_value: null,
	});
	const [others] = await world.sql<{ unscored: number }[]>`
		select count(*)::int as unscored from projects
		where kind = 'generation' and listed = 'listed' and status_std in ('Active', 'Suspended') and investability_score is null
			and plant_state <> 'energized' and request_class = 'new'`;
	expect(others?.unscored).toBe(0);
});
