/** Writes what there would be of `times` as large a queue, as fast as it can be written: what triggers do row by row is done for all at once. */
import { connect, type Sql, type Transaction } from "#libs/postgres/connect.ts";
import { raiseDataVersion } from "#libs/postgres/data-version.ts";

type Say = (line: string) => void;

/** Copies of every request under further ids. */
export async function multiplyProjects(sql: Sql, times: number, say: Say): Promise<void> {
	await withoutIndexes(sql, "projects", async () => {
		const columns = await columnsOf(sql, "projects");
		const values = columns.map((name) => {
			if (name === "id") return "id || '~times' || copy";
			if (name === "body")
				return "replace(body, '{\"id\":\"' || id || '\"', '{\"id\":\"' || id || '~times' || copy || '\"')";
			return name;
		});
		for (let from = 1; from < times; from += 10) {
			const to = Math.min(times - 1, from + 9);
			await untriggered(sql, "projects", (tx) =>
				tx.unsafe(
					`insert into projects (${columns.join(", ")}) select ${values.join(", ")}
					from projects, generate_series(${from}, ${to}) as copy where kind = 'generation' and id not like '%~times%'`,
				),
			);
			say(`${to + 1} times the requests, without indexes`);
		}
	});
	await sql.begin(async (tx) => {
		for (const table of ["project_counts", "queue_totals"]) {
			const sums = await tx<{ name: string }[]>`
				select attname as name from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0
					and atttypid in ('bigint'::regtype, 'numeric'::regtype)`;
			if (sums.length > 0)
				await tx.unsafe(
					`update ${table} set ${sums.map(({ name }) => `${name} = ${name} * ${times}`).join(", ")} where kind = 'generation'`,
				);
		}
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze projects`;
	await multiplySearched(sql, times);
}

/** Multiplies the search index of requests, and the sums of counties. */
async function multiplySearched(sql: Sql, times: number): Promise<void> {
	await withoutIndexes(sql, "searched_projects", async () => {
		await sql`
			insert into searched_projects (id, lower_id, lower_name, lower_queue_id, lower_developer, lower_rest, capacity_mw, words)
			select p.id || suffix, lower_id || suffix, lower_name, lower_queue_id, lower_developer,
				replace(lower_rest, E'\x01' || lower_id, E'\x01' || lower_id || suffix), capacity_mw, words || ('times' || copy)
			from searched_projects p, generate_series(1, ${times - 1}::int) as copy, lateral (select '~times' || copy as suffix) as t
			where p.id not like '%~times%'`;
	});
	await sql`insert into searched_words select 'times' || copy from generate_series(1, ${times - 1}::int) as copy on conflict do nothing`;
	await sql`update county_totals set projects = projects * ${times}::int, capacity_mw = capacity_mw * ${times}::int`;
	for (const table of ["searched_projects", "searched_words", "county_totals"])
		await sql.unsafe(`vacuum analyze ${table}`);
}

interface Changes {
	changes: number;
	times: number;
	days: number;
}

/**
 * So many changes of the last days as a list a day of each operator would tell them; each is of one of a request's `times` copies. Those
 * that were there are gone.
 */
export async function fillChanges(sql: Sql, changes: Changes): Promise<void> {
	await sql`truncate changes`;
	await sql`alter table changes drop constraint if exists changes_snapshot_id_fkey`;
	await withoutIndexes(sql, "changes", () => untriggered(sql, "changes", (tx) => insertChanges(tx, changes)));
	await sql`alter table changes add constraint changes_snapshot_id_fkey foreign key (snapshot_id) references snapshots not valid`;
	await sql.begin(async (tx) => {
		await tx`delete from change_counts`;
		await tx`insert into change_counts (detected_at, region, kind, change_type, changes, capacity_mw)
			select detected_at, region, kind, change_type, count(*), coalesce(sum(capacity_mw::numeric), 0)
			from changes group by 1, 2, 3, 4`;
		// Every fifteenth change of a status is a withdrawal.
		await tx`delete from withdrawals`;
		await tx`insert into withdrawals (project_id, detected_at, withdrawn, region, developer_canonical, capacity_mw)
			select p.id, max(c.detected_at), true, p.region, p.developer_canonical, p.capacity_mw
			from changes c join projects p on p.id = c.project_id
			where c.change_type = 'status_change' and c.seq % 15 = 0 and p.status_std = 'Withdrawn' group by p.id`;
		await raiseDataVersion(tx);
	});
	await sql`vacuum analyze changes`;
	await sql`vacuum analyze change_counts, withdrawals`;
}

async function insertChanges(tx: Transaction, { changes, times, days }: Changes): Promise<void> {
	await tx.unsafe(`
		set local work_mem = '256MB';
		create temporary table known on commit drop as
		select row_number() over (partition by region order by id) - 1 as place, id, queue_id,
			region, feed, name, developer_canonical, capacity_mw, type_std, state
		from projects where kind = 'generation' and id not like '%~times%';
		create temporary table regions on commit drop as
		select region, count(*) as known, row_number() over (order by region) - 1 as turn, count(*) over () as regions from known group by region;
		analyze known; analyze regions;`);
	for (let day = 0; day < days; day++)
		await tx.unsafe(`
			with bounds as (
				select region, known, date_trunc('hour', now()) - ${days - 1 - day} * interval '1 day' - (regions - turn) * interval '1 hour' as at,
					(${day} * regions + turn) * ${changes} / (${days} * regions) as before,
					(${day} * regions + turn + 1) * ${changes} / (${days} * regions) as upto from regions)
			insert into changes (seq, snapshot_id, detected_at, region, feed, project_id, queue_id, kind, change_type, field_name, old_value,
				new_value, project_name, developer_canonical, capacity_mw, type_std, state)
			select seq, (select max(id) from snapshots), b.at, b.region, feed, case when copy = 0 then id else id || '~times' || copy end,
				queue_id, 'generation', change_type, field_name, '2027-01-01', '2027-06-01', name, developer_canonical, capacity_mw, type_std, state
			from bounds b
			cross join lateral generate_series(b.before + 1, b.upto) as seq
			cross join lateral (select seq / b.known % ${times} as copy, seq * 104729 % b.known as row,
				-- Shares of the kinds, of a hundred.
				seq * 31 % 100 as of) as chance
			join known k on k.region = b.region and k.place = chance.row
			cross join lateral (select
				case when of < 50 then 'field_update' when of < 65 then 'status_change' when of < 78 then 'cod_change'
					when of < 88 then 'capacity_change' when of < 96 then 'new_project' when of < 99 then 'study_phase_change'
					else 'disappeared' end as change_type,
				case when of < 50 then 'poi' when of < 65 then 'status' when of < 78 then 'cod' when of < 88 then 'capacity_mw' end as field_name) as suffix
			order by seq`);
}

/** The requests, credits and scores that scoring holds, under further ids. */
export async function multiplyScores(url: string, times: number): Promise<void> {
	await using sql = connect(url, { schema: "scoring", name: "bench", max: 1, statementTimeoutMs: 0 });
	for (const table of ["projects", "credits", "scores"]) {
		const columns = await columnsOf(sql, table);
		const values = columns.map((name) => (name === "project_id" ? "project_id || '~times' || copy" : name));
		await untriggered(sql, table, (tx) =>
			tx.unsafe(
				`insert into ${table} (${columns.join(", ")}) select ${values.join(", ")}
				from ${table}, generate_series(1, ${times - 1}) as copy where project_id not like '%~times%'`,
			),
		);
	}
	await sql.begin((tx) => raiseDataVersion(tx));
	for (const table of ["projects", "credits", "scores"]) await sql.unsafe(`vacuum analyze ${table}`);
}

/** Columns that can be written. */
async function columnsOf(sql: Sql, table: string): Promise<string[]> {
	const rows = await sql<{ name: string }[]>`
		select attname as name from pg_attribute
		where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;
	return rows.map(({ name }) => name);
}

async function untriggered(sql: Sql, table: string, work: (tx: Transaction) => Promise<unknown>): Promise<void> {
	await sql.begin(async (tx) => {
		await tx.unsafe(`alter table ${table} disable trigger user`);
		await work(tx);
		await tx.unsafe(`alter table ${table} enable trigger user`);
	});
}

/** Building an index over all rows costs a fraction of what keeping it for each row does. */
async function withoutIndexes(sql: Sql, table: string, work: () => Promise<unknown>): Promise<void> {
	const indexes = await sql<{ name: string; definition: string }[]>`
		select c.relname as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i join pg_class c on c.oid = i.indexrelid
		where i.indrelid = to_regclass(${table}) and not exists (select from pg_constraint where conindid = i.indexrelid)`;
	for (const { name } of indexes) await sql`drop index ${sql(name)}`;
	await work();
	await sql.begin(async (tx) => {
		await tx`set local maintenance_work_mem = '512MB'`;
		for (const { definition } of indexes) await tx.unsafe(definition);
	});
}
