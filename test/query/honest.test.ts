/** What analysts ask, and is not to be refused by what keeps attacks out. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeViews, startSandbox, type TestSandbox } from "./support/sandbox.ts";

let system: TestSandbox;
beforeAll(async () => {
	system = await startSandbox();
	await makeViews(system.owner, system.admin);
	await system.owner.unsafe(`
		create table test_requests as select n as id, 'Solar park ' || n as name, n % 7 as region_id, n * 0.5 as capacity_mw,
			date '2015-01-01' + n % 3000 as filed_on, case when n % 3 = 0 then 'Active' else 'Withdrawn' end as status
			from generate_series(1, 40000) n;
		create view query_master.requests_view as select id, name, region_id, capacity_mw, filed_on, status from test_requests;
		grant select on query_master.requests_view to query_master;`);
	await system.admin.unsafe("analyze queue_ingest.test_requests");
});
afterAll(() => system?.[Symbol.asyncDispose]());

test.each([
	"select count(*) as n from requests_view where name ilike '%solar%'",
	"select id from requests_view where name like any (array['%park 1%', 'Wind%']) order by id limit 10",
	"select region_id, count(*) as n, round(sum(capacity_mw), 1) as mw from requests_view group by 1 order by mw desc",
	"select length(string_agg(name, ', ')) as n from requests_view",
	"select region_id, string_agg(distinct status, ', ' order by status) as names from requests_view group by 1",
	"select region_id, left(string_agg(upper(name), ', ' order by id), 100) as names from requests_view group by 1",
	"select cardinality(array_agg(id)) as n from requests_view",
	"select region_id, json_agg(json_build_object('id', id, 'mw', capacity_mw) order by id) as top from requests_view where id < 50 group by 1",
	"select percentile_cont(0.5) within group (order by capacity_mw) as median from requests_view group by region_id",
	"select percentile_cont(array[0.1, 0.5, 0.9]) within group (order by capacity_mw) as deciles from requests_view",
	"select region_id, stddev(capacity_mw) as s, variance(capacity_mw) as v, corr(id, capacity_mw) as c from requests_view group by 1",
	"select id, rank() over (partition by region_id order by capacity_mw desc) as place from requests_view limit 10",
	"select filed_on, sum(sum(capacity_mw)) over (order by filed_on) as running from requests_view group by 1 order by 1 limit 10",
	"select id, capacity_mw - lag(capacity_mw) over (order by id) as more from requests_view limit 10",
	"select r.id, p.name from requests_view r join plants_view p on p.id = r.id where r.capacity_mw > 5",
	"select r.id, p.id as other from requests_view r left join plants_view p on p.name = r.name limit 5",
	"select a.region_id, a.n, b.mw from (select region_id, count(*) as n from requests_view group by 1) a join (select region_id, sum(capacity_mw) as mw from requests_view group by 1) b using (region_id)",
	"with y as (select extract(year from filed_on) as year, status, sum(capacity_mw) as mw from requests_view group by 1, 2), t as (select year, sum(mw) as all_mw from y group by 1) select y.year, y.status, round(100.0 * y.mw / nullif(t.all_mw, 0), 1) as pct from y join t using (year) order by 1, 2",
	"with y as (select region_id, sum(capacity_mw * 2.5 * 8760) / nullif(sum(capacity_mw), 0) as price from requests_view group by 1) select region_id, round(price / (select avg(price) from y) * 100, 2) as index from y",
	"select concat(name, ' (', status, ')') as label, name || ': ' || capacity_mw || ' MW' as text from requests_view limit 10",
	"select to_char(filed_on, 'YYYY-MM') as month, to_char(sum(capacity_mw), 'FM999,999,990.0') as mw from requests_view group by 1 order by 1",
	"select date_trunc('quarter', filed_on) as quarter, count(*) filter (where status = 'Active') as active from requests_view group by 1",
	"select case when capacity_mw >= 100 then 'large' when capacity_mw >= 20 then 'middle' else 'small' end as size, count(*) as n from requests_view group by 1",
	"select 'plants' as what, count(*) as n from plants_view union all select 'requests', count(*) from requests_view",
	"select region_id, status, count(*) as n from requests_view group by rollup (region_id, status) order by 1, 2",
	"select region_id, count(*) as n from requests_view group by grouping sets ((region_id), ())",
	"select upper(name) as name, round(avg(capacity_mw)::numeric, 2) as mw, round(capacity_mw::numeric, 1) as own from requests_view group by name, capacity_mw limit 5",
	"select split_part(name, ' ', 3)::int as n, replace(name, 'Solar ', '') as short, trim(both ' ' from name) as t, position('park' in name) as at from requests_view limit 5",
	"select regexp_replace(name, '[0-9]+$', '') as stem, count(*) as n from requests_view group by 1",
	"select sqrt(power(capacity_mw, 2) + 9) as x, ln(capacity_mw + 1) as l, exp(ln(capacity_mw)::float8) as e from requests_view where id < 10",
	"select id from requests_view r where exists (select 1 from plants_view p where p.id = r.id and p.states && array['TX']) limit 5",
	"select m::date as month, (select count(*) from plants_view where opened_at < m) as open from generate_series(date '2024-01-01', date '2024-06-01', interval '1 month') as m",
	"select distinct on (region_id) region_id, name from requests_view order by region_id, capacity_mw desc",
	"select state, count(*) as n from plants_view, unnest(states) as state group by 1",
	"select name from requests_view where name like 'Solar park ' || id and id < 10",
])("%s", async (sql) => {
	const { status, detail, data } = await system.ask(sql);
	expect([status, detail]).toEqual([200, ""]);
	expect(data.length).toBeGreaterThan(0);
});
