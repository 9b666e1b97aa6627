/** Counts that are kept as rows change: whatever is written, they are what counting anew would find. */
import { expect, test } from "vitest";
import { statuses } from "#libs/contract/vocabulary.ts";
import { random } from "../support/file-formats.ts";
import { misoJson, standing } from "./support/miso.ts";
import type { Queue } from "./support/queue.ts";
import { sharedQueue } from "./support/shared-queue.ts";

const queue: Queue = sharedQueue(async () => {
	const rows = standing(40).map((row, at) => ({ ...row, ...(at % 3 === 0 && { status: "Withdrawn" }) }));
	const lists = [
		rows,
		[...rows.slice(1), { number: "J900", summer: 12.3 }],
		rows.map((row, at) => (at < 5 ? { ...row, summer: 80.25 } : row)),
		rows.map((row, at) => (at < 5 ? { ...row, status: "Withdrawn" } : row)),
	];
	for (const [at, list] of lists.entries())
		expect(await queue.take("MISO", `2026-03-0${at + 1}T12:34:56Z`, misoJson(list))).toMatchObject({
			outcome: "applied",
		});
});

/** Groups whose kept counts are not those of the rows. */
const differing = () => queue.sql`
	with counted as (
		select kind, listed, region, state, type_std, status_std, status, count(*) as projects,
			coalesce(sum(capacity_mw::numeric), 0) as capacity_mw, count(*) filter (where tax_credit_pct > 0) as credit_eligible,
			count(*) filter (where energy_community_eligible) as energy_community,
			count(*) filter (where low_income_eligible) as low_income,
			coalesce(sum(estimated_credit_value::numeric), 0) as credit_value,
			count(*) filter (where tax_credit_pct > 0 and tax_credit_status = 'conditional') as conditional,
			coalesce(sum(estimated_credit_value::numeric) filter (where tax_credit_status = 'conditional'), 0) as conditional_value,
			coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence >= 0.8), 0) as high_value,
			coalesce(sum(estimated_credit_value::numeric) filter (where construction_stage_confidence < 0.5), 0) as low_value
		from projects group by 1, 2, 3, 4, 5, 6, 7),
	groups as (select kind, listed, region, state, type_std, status_std, status, projects, capacity_mw from counted),
	kept as (select * from project_counts where (projects, capacity_mw) <> (0, 0)),
	totals as (
		select kind, listed, region, type_std, sum(projects) as projects, sum(capacity_mw) as capacity_mw,
			sum(credit_eligible) as credit_eligible, sum(energy_community) as energy_community, sum(low_income) as low_income,
			sum(credit_value) as credit_value, sum(conditional) as conditional, sum(conditional_value) as conditional_value,
			sum(high_value) as high_value, sum(low_value) as low_value
		from counted group by 1, 2, 3, 4),
	kept_totals as (select kind, listed, region, type_std, projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value,
			conditional, conditional_value, high_value, low_value
		from queue_totals where (projects, capacity_mw, credit_eligible, energy_community, low_income, credit_value, conditional,
			conditional_value, high_value, low_value) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
	moments as (
		select detected_at, region, kind, change_type, count(*) as changes, coalesce(sum(capacity_mw::numeric), 0) as capacity_mw
		from changes group by 1, 2, 3, 4),
	kept_moments as (select * from change_counts where (changes, capacity_mw) <> (0, 0)),
	days as (
		select (detected_at at time zone 'UTC')::date as day, change_type, count(*) as changes
		from changes where coalesce(kind, 'generation') = 'generation' group by 1, 2),
	kept_days as (select * from change_days where changes <> 0),
	withdrawn as (
		select w.project_id, p.status_std = 'Withdrawn' as withdrawn,
			case when p.status_std = 'Withdrawn' then json_build_array(p.region, p.developer_canonical, p.capacity_mw)::text end as shown
		from withdrawals w left join projects p on p.id = w.project_id),
	kept_withdrawn as (
		select project_id, withdrawn,
			case when withdrawn then json_build_array(region, developer_canonical, capacity_mw)::text end as shown
		from withdrawals),
	sums as (
		select detected_at, region, developer_canonical, count(*) as requests, coalesce(sum(capacity_mw::numeric), 0) as capacity_mw
		from withdrawals where withdrawn group by 1, 2, 3),
	kept_sums as (select * from withdrawal_counts where (requests, capacity_mw) <> (0, 0))
	select row_to_json(d)::text as differs from (
		(select * from groups except select * from kept) union all (select * from kept except select * from groups)) d
	union all
	select row_to_json(d)::text from (
		(select * from totals except select * from kept_totals) union all (select * from kept_totals except select * from totals)) d
	union all
	select row_to_json(d)::text from (
		(select * from withdrawn except select * from kept_withdrawn)
		union all (select * from kept_withdrawn except select * from withdrawn)) d
	union all
	select row_to_json(d)::text from (
		(select * from moments except select * from kept_moments) union all (select * from kept_moments except select * from moments)) d
	union all
	select row_to_json(d)::text from (
		(select * from days except select * from kept_days) union all (select * from kept_days except select * from days)) d
	union all
	select row_to_json(d)::text from (
		(select * from sums except select * from kept_sums) union all (select * from kept_sums except select * from sums)) d`;

test("counts of requests and changes follow lists that add, change and omit requests", async () => {
	expect([...(await differing())]).toEqual([]);
	const [kept] = await queue.sql`select (select sum(projects) from project_counts)::int as projects,
		(select sum(changes) from change_counts)::int as changes`;
	const [rows] =
		await queue.sql`select (select count(*) from projects)::int as projects, (select count(*) from changes)::int as changes`;
	expect(kept).toEqual(rows);
	expect(rows?.changes).toBeGreaterThan(0);
});

test("counts follow any statement that inserts, updates, moves or deletes many rows of many groups", async () => {
	const chance = random(7);
	const one = (values: readonly (string | number | boolean | null)[]) =>
		values[Math.floor(chance() * values.length)] ?? null;
	await queue.sql`create table original as select seq, kind, detected_at from changes`;
	for (let step = 0; step < 40; step++) {
		const some = Math.floor(chance() * 1_000_000);
		await queue.sql.begin(async (tx) => {
			if (step % 4 === 0)
				await tx`insert into projects select copied.* from projects p cross join lateral jsonb_populate_record(p,
					jsonb_build_object('id', p.id || '~' || ${step}::int, 'state', ${one(["TX", "OH", null])}::text,
						'capacity_mw', ${one([0.1, 1e6, null])}::float8)) copied where hashtext(p.id) % 5 = ${some % 5}`;
			if (step % 4 === 3) await tx`delete from projects where id like '%~%' and hashtext(id) % 3 = ${some % 3}`;
			await tx`update projects set status_std = ${one(statuses) ?? ""}, status = ${one(["a", "b", null])}, tax_credit_pct = ${one([0, 0.3, null])},
				tax_credit_status = ${one(["conditional", "eligible", null])}, estimated_credit_value = ${one([123_456.78, 0.1, null])},
				construction_stage_confidence = ${one([0.45, 0.5, 0.79, 0.8, 0.95])},
				energy_community_eligible = ${one([true, false, null])}, capacity_mw = ${one([0.3, 99.99, null])}, version = version + 1
				where hashtext(id) % 4 = ${some % 4}`;
			await tx`update projects set developer_canonical = ${one(["Acme", null])} where hashtext(id) % 3 = ${some % 3}`;
			await tx`update changes set change_type = ${one(["new_project", "status_change"]) ?? ""} where seq % 7 = ${some % 7}`;
			await tx`update changes set kind = ${one(["generation", "load", null])}, detected_at = detected_at + ${Math.floor(chance() * 2) * 7} * interval '1 hour'
				where seq % 5 = ${some % 5}`;
			if (step % 9 === 8) await tx`delete from changes where seq % 11 = ${some % 11}`;
		});
		expect([...(await differing())], `step ${step}`).toEqual([]);
	}
	await queue.sql`update changes c set kind = t.kind, detected_at = t.detected_at from original t where t.seq = c.seq`;
	expect([...(await differing())], "put back").toEqual([]);
});

test("totals and statistics from counts equal those of the rows, for each filter", async () => {
	await queue.sql`update projects set estimated_credit_value = 123456.78 where listed = 'missing'`;
	const sumOf = (name: string, condition: string) =>
		queue.sql
			.unsafe(`select coalesce(round(sum(estimated_credit_value)::numeric), 0)::float8 as value from projects
			where kind = 'generation' and ${condition}`)
			.then(([row]) => ({ [name]: row?.value as number }));
	const [facts] = await queue.sql<{ projects: number; mw: number; value: number; conditional: number }[]>`
		select count(*)::int as projects, round(sum(capacity_mw)::numeric / 1000, 3)::float8 as mw,
			round(sum(estimated_credit_value)::numeric)::float8 as value,
			count(*) filter (where tax_credit_pct > 0 and tax_credit_status = 'conditional')::int as conditional
		from projects where kind = 'generation' and listed = 'listed'`;
	const { data } = await queue.ask("getStats");
	expect(data).toMatchObject({
		total_projects: facts?.projects,
		total_capacity_gw: facts?.mw,
		tax_credits: { estimated_total_value: facts?.value, conditional_projects: facts?.conditional },
	});
	const all = await queue.ask("getStats", { include_unlisted: true });
	const parts = await Promise.all([
		sumOf("estimated_total_value", "true"),
		sumOf("conditional_value", "tax_credit_status = 'conditional'"),
		sumOf("listed_value", "listed = 'listed'"),
		sumOf("unlisted_value", "listed <> 'listed'"),
	]);
	const confidence = await Promise.all([
		sumOf("high", "construction_stage_confidence >= 0.8"),
		sumOf("medium", "construction_stage_confidence >= 0.5 and construction_stage_confidence < 0.8"),
		sumOf("low", "construction_stage_confidence < 0.5"),
	]);
	expect(all.data.tax_credits).toMatchObject({
		...Object.assign({}, ...parts),
		value_by_confidence: Object.assign({}, ...confidence),
	});
	expect(all.data.tax_credits?.unlisted_value).toBeGreaterThan(0);
	expect(data.tax_credits).toMatchObject({ listed_value: facts?.value, unlisted_value: 0 });
	for (const params of [
		{},
		{ state: "TX" },
		{ region: "MISO" },
		{ status: "a" },
		{ status: "active", state: "OH" },
		{ fuel_type: ["Solar", "Wind"] },
		{ include_unlisted: true },
		{ listed: "missing,disappeared" },
	]) {
		const listed = await queue.ask("listProjects", { ...params, per_page: 500 });
		// A filter that nothing is kept for, and that lets everything pass.
		const counted = await queue.ask("listProjects", { ...params, min_confidence: 0, per_page: 500 });
		expect(listed.meta, JSON.stringify(params)).toEqual(counted.meta);
		expect(listed.data.length).toBe(Math.min(500, listed.meta.total));
	}
});

test("changes since a time within an hour are counted to the second", async () => {
	for (const now of ["2026-03-04T12:34:55Z", "2026-03-04T12:34:56Z", "2026-03-04T12:34:57Z", "2026-03-04T13:00:00Z"]) {
		queue.now = now;
		const { total, data } = await queue.changes({ since_days: 1, per_page: 500 });
		expect(total, now).toBe(data.length);
		const { by_day } = await queue.ask("summariseChanges", { since_days: 1 });
		expect(
			by_day.reduce((sum, { count }) => sum + count, 0),
			now,
		).toBe(data.filter(({ kind }) => kind !== null).length + data.filter(({ kind }) => kind === null).length);
	}
});

test("counts are zero after all requests and changes are deleted", async () => {
	expect((await queue.sql`select from change_counts where capacity_mw > 0`).count).toBeGreaterThan(0);
	await queue.sql`truncate projects, changes cascade`;
	expect([...(await differing())]).toEqual([]);
	expect([...(await queue.sql`select project_id from withdrawals`)]).toEqual([]);
	expect([...(await queue.sql`select region from withdrawal_counts`)]).toEqual([]);
});
