/** A database that was filled before scores were copied: what is answered of a request is still what its row says. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { connect } from "#libs/postgres/connect.ts";
import { migrate } from "#libs/postgres/migrate.ts";
import { createDatabase } from "../support/database.ts";

const schema = "filled_before";
const migrations = new URL("../../services/queue-ingest/migrations/", import.meta.url);
const before = ["0001_queue.sql", "0002_developers.sql", "0003_owners.sql"];

test("every body is its row's columns, with the new one, under the version that it has", async () => {
	await using stack = new AsyncDisposableStack();
	const { adminUrl } = stack.use(await createDatabase());
	const admin = stack.use(connect(adminUrl, { schema: "public", name: "test", max: 1 }));
	await admin.unsafe(`create schema ${schema}`);
	const folder = await mkdtemp(join(tmpdir(), "migrations-"));
	stack.defer(() => rm(folder, { recursive: true }));
	for (const file of before) await cp(new URL(file, migrations), join(folder, file));
	await migrate(adminUrl, schema, pathToFileURL(`${folder}/`));

	const sql = stack.use(connect(adminUrl, { schema, name: "test", max: 1 }));
	await sql`
		insert into projects (id, queue_id, name, region, feed, key, kind, type_std, status_std, counties, capacity_mw, cod,
			construction_stage, construction_stage_confidence, ia_status, investability_score, missing_since, first_seen_at,
			last_changed_at, version, row_hash)
		select 'ERCOT-' || n, n, case when n % 2 = 0 then 'A "quoted" name, ' || n end, 'ERCOT', 'ercot', n, 'generation', 'Solar',
			'Active', '{Bell,McLennan}', n / 3.0, date '2027-01-01' + n, 'early', 0.5, 'Construction', nullif(n % 5, 0),
			case when n % 7 = 0 then timestamptz '2026-02-01 06:00Z' end, timestamptz '2026-01-01 06:00Z' + n * interval '1 hour',
			timestamptz '2026-02-01 06:00Z', 1 + n % 4, ''
		from generate_series(1, 300) n`;
	const bodies = () => sql<{ id: string; body: Record<string, unknown> }[]>`
		select id, body::json as body from projects order by id`;
	const old = await bodies();
	expect(old[0]?.body).not.toHaveProperty("tax_credit_status");
	// That one alone: later ones make views in schemas that this database has filled already.
	await cp(new URL("0004_scores.sql", migrations), join(folder, "0004_scores.sql"));
	expect(await migrate(adminUrl, schema, pathToFileURL(`${folder}/`))).toEqual(["0004_scores.sql"]);

	expect(await bodies()).toEqual(old.map(({ id, body }) => ({ id, body: { ...body, tax_credit_status: null } })));
	const differing = await sql`
		select p.id, field.key from projects p, json_each(p.body::json) field
		where field.key not in ('first_seen_at', 'last_changed_at', 'missing_since')
			and field.value::jsonb is distinct from to_jsonb(p) -> field.key
		union all
		select p.id, 'moments' from projects p
		where (p.body::json ->> 'first_seen_at', p.body::json ->> 'last_changed_at', p.body::json ->> 'missing_since')
			is distinct from (iso(p.first_seen_at), iso(p.last_changed_at), iso(p.missing_since))`;
	expect([...differing]).toEqual([]);
	// What is copied afterwards is written into them.
	await sql`update projects set tax_credit_status = 'eligible', score_seen = 1 where id = 'ERCOT-7'`;
	const [copied] = await sql<{ status: string; version: number }[]>`
		select body::json ->> 'tax_credit_status' as status, version from projects where id = 'ERCOT-7'`;
	expect(copied).toEqual({ status: "eligible", version: old.find(({ id }) => id === "ERCOT-7")?.body.version });
});
