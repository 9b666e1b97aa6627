/**
 * A system with the sample: a lost schema of scoring is rebuilt from events that other services republish, what was restored is served, and the
 * first published list replaces the sample.
 */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { operations, type Reply } from "#libs/contract/index.ts";
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { readDataVersion } from "#libs/postgres/data-version.ts";
import { republish as republishQueues } from "../../services/queue-ingest/admin/republish.ts";
import { sponsors } from "../../services/queue-ingest/history/events/remove-sample.ts";
import { ingestSnapshot } from "../../services/queue-ingest/queues/jobs/ingest-snapshot.ts";
import { republish as republishScores } from "../../services/scoring/admin/republish.ts";
import { hashInputs } from "../../services/scoring/domain/score/inputs.ts";
import { scoreProject } from "../../services/scoring/domain/score/score-project.ts";
import type { ScoreInputs } from "../../services/scoring/domain/score/tables.ts";
import { scoreTables } from "../../services/scoring/domain/score/version.ts";
import { toScoreRow } from "../../services/scoring/tables/scores.ts";
import { republish as republishSignals } from "../../services/signals/ingest/republish.ts";
import { eventually } from "../support/eventually.ts";
import { queueFile, queueRows } from "../support/queue-files.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
	await world.settled();
});
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
		"select to_jsonb(s) - '{scored_at,project_region,project_state,project_type_std,project_capacity_mw}'::text[] as row from scores s order by project_id",
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
		toScoreRow(project_id, version, scoreProject(inputs, scoreTables), inputs, hashInputs(inputs)),
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

/** Steps after a database is restored: numbers continue above all that were ever given. */
async function afterRestore(): Promise<void> {
	const statements = await readFile(new URL("../../deploy/backup/after-restore.sql", import.meta.url), "utf8");
	await using admin = connect(world.database.adminUrl, { schema: "public", name: "restore", max: 1 });
	await admin.unsafe(statements);
}

const versions = () =>
	Promise.all([world.sql, world.signalsSql, world.scoringSql, world.billingSql].map((sql) => readDataVersion(sql)));
const readChanges = async () => {
	const reply = await fetch(`${world.url}/changes?per_page=1`);
	const text = await reply.text();
	expect(reply.status, text).toBe(200);
	return { text, version: Number(reply.headers.get("x-data-version")), etag: reply.headers.get("etag") };
};

const totalOf = ({ text }: { text: string }): number => JSON.parse(text).total;

test("a gateway that was not restarted serves restored data, although a known version number recurs", async () => {
	const before = await eventually(readChanges);
	expect(totalOf(before)).toBeGreaterThan(0);
	// The state after a restore, for a gateway that missed everything between: other rows, and by chance the version that it knew.
	await world.sql`delete from changes`;
	expect(await readChanges()).toEqual(before);
	await afterRestore();
	await eventually(async () => totalOf(await readChanges()) === 0);
	const after = await readChanges();
	expect(after.version).toBeGreaterThan(before.version + 1_000_000);
	expect(after.etag).not.toBe(before.etag);
});

test("every schema's version rises, and again each time", async () => {
	const before = await versions();
	await afterRestore();
	const after = await versions();
	for (const [place, version] of after.entries()) expect(version).toBeGreaterThan(before[place] ?? 0);
	expect(after.length).toBe(4);
	for (const version of after) expect(Math.abs(version - Date.now())).toBeLessThan(3_600_000);
});

test("ids of accounts, keys, credits and payments continue far above all assigned ones", async () => {
	const insert = () => world.billingSql<{ id: number }[]>`
		insert into accounts (email, plan) values (${`${Math.random()}@example.org`}, 'Free') returning id`;
	const [first] = await insert();
	await afterRestore();
	const [second] = await insert();
	expect(second?.id).toBeGreaterThan(first?.id ?? 0);
	const low = await world.billingSql<{ name: string; value: number }[]>`
		select table_name as name, nextval(pg_get_serial_sequence('billing.' || table_name, column_name)) as value
		from information_schema.columns where table_schema = 'billing' and is_identity = 'YES' order by 1`;
	expect(low.map(({ name }) => name)).toEqual(expect.arrayContaining(["accounts", "credits", "keys", "payments"]));
	for (const { value } of low) expect(value).toBeGreaterThan(1_000_000);
});

type ListName = "listDevelopers" | "listEvents" | "listCapitalRaises" | "listMaterialEvents" | "listMaEvents";
async function list<N extends ListName>(name: N): Promise<Reply<N>["data"]> {
	const response = await fetch(`${world.url}${operations[name].http.path}?per_page=200`);
	return operations[name].reply.parse(await response.json()).data as Reply<N>["data"];
}

test("the first published list replaces the sample in every service, and is scored", async () => {
	const [before] = await world.scoringSql<{ raised: number; matches: number }[]>`
		select (select sum(capital_raised) from developer_ratings)::float8 as raised,
			(select count(*) from article_developers)::int as matches`;
	expect(Math.min(before?.raised ?? 0, before?.matches ?? 0)).toBeGreaterThan(0);
	const rows = queueRows("miso");
	const asOf = new Date().toISOString();
	const files = [await queueFile("miso", rows)];
	expect(await ingestSnapshot(world.sql, { region: "MISO", files, asOf })).toMatchObject({ outcome: "applied" });
	await world.settled();
	for (const name of ["listEvents", "listCapitalRaises", "listMaterialEvents", "listMaEvents"] as const)
		await eventually(async () => expect(await list(name), name).toEqual([]) ?? true);
	const names = sponsors.map(({ canonical }) => canonical);
	expect((await list("listDevelopers")).filter((row) => names.includes(row.canonical_name))).toEqual([]);
	const [copies] = await world.signalsSql`
		select (select count(*) from developers where canonical_name = any(${names}))::int as developers,
			(select count(*) from projects)::int as projects, (select count(*) from generator_ownership)::int as owned,
			(select count(*) from articles)::int as articles`;
	expect(copies).toEqual({ developers: 0, projects: rows.length, owned: 0, articles: 0 });
	const known = await world.sql`select id from projects order by id`;
	expect(await world.scoringSql`select project_id as id from projects order by project_id`).toEqual(known);
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
