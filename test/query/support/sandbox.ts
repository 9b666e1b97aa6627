/** The queues' databases behind the real gateway: what a caller of POST /query meets, without the other services. */
import { connect, type Sql } from "#libs/postgres/connect.ts";
import { answerQuery } from "#libs/postgres/sandbox/answer-query.ts";
import { describeViews } from "#libs/postgres/sandbox/describe-views.ts";
import { openSandbox, type Sandbox } from "#libs/postgres/sandbox/sandbox.ts";
import { databasesOf } from "../../../libs/contract/databases.ts";
import { schema } from "../../../services/queue-ingest/migrate.ts";
import { startGateway } from "../../api/support/gateway.ts";
import { createDatabase, type TestDatabase } from "../../support/database.ts";
import { password } from "../../support/servers.ts";

export interface TestSandbox extends AsyncDisposable {
	url: string;
	database: TestDatabase;
	/** As the owner of the views. */
	owner: Sql;
	/** As the administrator. */
	admin: Sql;
	sandbox: Sandbox;
	/** Another process of the same service. */
	openReplica(): Sandbox & AsyncDisposable;
	/** Asks over HTTP. */
	ask(sql: string, more?: { database?: string; accept?: string }): Promise<Answer>;
}

export interface Answer {
	status: number;
	text: string;
	headers: Headers;
	/** The sentence of an error. */
	detail: string;
	/** Of a JSON answer. */
	data: Record<string, unknown>[];
	meta: Record<string, unknown>;
}

export async function startSandbox(): Promise<TestSandbox> {
	await using stack = new AsyncDisposableStack();
	const database = stack.use(await createDatabase("queue-ingest"));
	const owner = stack.use(connect(database.url, { schema, name: "test-owner", max: 2 }));
	const admin = stack.use(connect(database.adminUrl, { schema: "public", name: "test-admin", max: 1 }));
	const open = () => openSandbox({ url: database.url, password, owner: "queue-ingest" });
	const sandbox = stack.use(open());
	const gateway = stack.use(
		await startGateway({
			owner: {
				queryQueues: answerQuery(sandbox),
				describeQueueViews: () => describeViews(owner, databasesOf("queue-ingest")),
			},
		}),
	);
	const owned = stack.move();
	return {
		url: gateway.url,
		database,
		owner,
		admin,
		sandbox,
		openReplica: open,
		ask: (sql, more) => ask(gateway.url, sql, more),
		[Symbol.asyncDispose]: () => owned.disposeAsync(),
	};
}

async function ask(
	url: string,
	sql: string,
	{ database = "master", accept }: { database?: string; accept?: string } = {},
): Promise<Answer> {
	const response = await fetch(`${url}/query`, {
		method: "POST",
		headers: { "content-type": "application/json", ...(accept !== undefined && { accept }) },
		body: JSON.stringify({ sql, database }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
	const body = (isJson ? JSON.parse(text) : {}) as Partial<Pick<Answer, "data" | "meta" | "detail">>;
	const { data = [], meta = {}, detail = "" } = body;
	return { status: response.status, text, headers: response.headers, detail, data, meta };
}

/** Views of our own, so that a test says what is in them. */
export async function makeViews(owner: Sql, admin: Sql): Promise<void> {
	await owner.unsafe(`
		create table test_plants (id int primary key, name text not null, capacity_mw numeric, opened_at timestamptz, states text[]);
		insert into test_plants select n, 'Plant ' || n, n * 1.5, '2024-01-01T00:00:00Z'::timestamptz + n * interval '1 hour', array['TX', 'CA']
			from generate_series(1, 2000) n;
		create view query_master.plants_view as select id, name, capacity_mw, opened_at, states from test_plants;
		comment on view query_master.plants_view is 'Plants of a test';
		comment on column query_master.plants_view.id is 'Number of the plant';
		comment on column query_master.plants_view.name is 'Its name';
		comment on column query_master.plants_view.capacity_mw is 'Power at the grid [MW]';
		comment on column query_master.plants_view.opened_at is 'When it was opened, UTC';
		comment on column query_master.plants_view.states is 'Where it stands';
		grant select on query_master.plants_view to query_master;`);
	await admin.unsafe("analyze queue_ingest.test_plants");
}

/** Everything that a statement could have changed: each table's rows, and what the catalogs list. */
export async function fingerprint(admin: Sql): Promise<string> {
	const tables = await admin<{ name: string }[]>`
		select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'm') and n.nspname !~ '^(pg_|information_schema)' order by 1`;
	const rows: string[] = [];
	for (const { name } of tables) {
		const [row] = await admin.unsafe(
			`select count(*) || ' ' || coalesce(sum(hashtext(t::text)::bigint), 0) as mark from ${name} t`,
		);
		rows.push(`${name} ${row?.mark}`);
	}
	const [catalogs] = await admin`
		select (select string_agg(c.oid || c.relname || coalesce(c.relacl::text, ''), ',' order by c.oid) from pg_class c
				where c.relkind <> 't' and c.relnamespace <> 'pg_toast'::regnamespace) as classes,
			(select string_agg(rolname || rolsuper || coalesce(rolconfig::text, ''), ',' order by oid) from pg_roles) as roles,
			(select string_agg(oid::text, ',' order by oid) from pg_proc) as functions,
			(select string_agg(oid::text, ',' order by oid) from pg_largeobject_metadata) as objects,
			(select string_agg(setdatabase || ' ' || setrole || setconfig::text, ',' order by setdatabase, setrole) from pg_db_role_setting) as settings,
			(select string_agg(schemaname || sequencename || coalesce(last_value, 0), ',' order by 1) from (
				select schemaname, sequencename, last_value from pg_sequences order by 1, 2) s) as sequences`;
	return JSON.stringify([rows, catalogs]);
}
