/** Statements of analysts, which the sandbox must not refuse. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startStatements, type TestStatements } from "./support/statements.ts";

let system: TestStatements;
beforeAll(async () => {
	system = await startStatements();
});
afterAll(() => system?.[Symbol.asyncDispose]());

test.each([
	"select count(*) as n from requests_view where name ilike '%solar%'",
	"select id from requests_view where name like '%park 1%' or name similar to '.*park [0-9]' order by id limit 10",
	"select region_id, count(*) as n, round(sum(capacity_mw), 1) as mw from requests_view group by all order by mw desc",
	"select region_id, string_agg(distinct status, ', ' order by status) as names from requests_view group by 1",
	"select length(array_agg(id)) as n, list(id)[1] as first from requests_view",
	"select region_id, json_group_array(json_object('id', id, 'mw', capacity_mw)) as top from requests_view where id < 50 group by 1",
	"select percentile_cont(0.5) within group (order by capacity_mw) as median, quantile_cont(capacity_mw, [0.1, 0.9]) as deciles from requests_view group by region_id",
	"select region_id, stddev(capacity_mw) as s, variance(capacity_mw) as v, corr(id, capacity_mw) as c from requests_view group by 1",
	"select id, rank() over (partition by region_id order by capacity_mw desc) as place from requests_view qualify place <= 3",
	"select queue_date, sum(sum(capacity_mw)) over (order by queue_date) as running from requests_view group by 1 order by 1 limit 10",
	"select id, capacity_mw - lag(capacity_mw) over (order by id) as more from requests_view limit 10",
	"select a.region_id, a.n, b.mw from (select region_id, count(*) as n from requests_view group by 1) a join (select region_id, sum(capacity_mw) as mw from requests_view group by 1) b using (region_id)",
	"with y as (select extract(year from queue_date) as year, status, sum(capacity_mw) as mw from requests_view group by 1, 2), t as (select year, sum(mw) as all_mw from y group by 1) select y.year, y.status, round(100.0 * y.mw / nullif(t.all_mw, 0), 1) as pct from y join t using (year) order by 1, 2",
	"select concat(name, ' (', status, ')') as label, name || ': ' || capacity_mw || ' MW' as text from requests_view limit 10",
	"select strftime(queue_date, '%Y-%m') as month, date_trunc('quarter', queue_date) as quarter, datediff('day', queue_date, current_date) as days from requests_view limit 5",
	"select split_part(name, ' ', 3)::int as n, replace(name, 'Solar ', '') as short, trim(name) as t, position('park' in name) as p from requests_view limit 5",
	"select regexp_replace(name, '[0-9]+$', '') as stem, count(*) as n from requests_view group by 1",
	"select raw ->> 'Fuel' as fuel, (raw ->> 'MW')::int as mw, json_extract_string(raw, '$.Fuel') as f from requests_view limit 5",
	"select r.id from requests_view r where exists (select 1 from plants_view p where p.id = r.id and list_contains(p.states, 'TX')) limit 5",
	"select m::date as month, (select count(*) from plants_view where opened_at < m) as open from generate_series(timestamp '2024-01-01', timestamp '2024-06-01', interval 1 month) as s (m)",
	"select distinct on (region_id) region_id, name from requests_view order by region_id, capacity_mw desc",
	"select state, count(*) as n from (select unnest(states) as state from plants_view) group by 1",
	"select count(*) filter (where status is null) as unknown, count(*) filter (status = 'Active') as active, sum(case when status = 'Active' then capacity_mw else 0 end) as mw from requests_view",
	"select region_id, status, sum(capacity_mw) as mw from requests_view group by rollup (region_id, status)",
	"select median(capacity_mw) as m, mode(status) as s, arg_max(name, capacity_mw) as largest from requests_view",
	"pivot (select region_id, status, capacity_mw from requests_view) on status in ('Active') using sum(capacity_mw) group by region_id",
	"select least(1, 2) as a, greatest(1, 2) as b, coalesce(null, 3) as c, nullif(1, 1) as d, if(true, 1, 2) as e, try_cast('x' as int) as f",
	"select * exclude (raw), * replace (upper(name) as name) from requests_view limit 2",
	"select id, list_transform(states, lambda s: lower(s)) as lower_states, [s for s in states if s = 'TX'] as texas from plants_view limit 2",
	"select a.id, b.id as near from requests_view a asof join requests_view b on a.capacity_mw > b.capacity_mw limit 3",
	"from requests_view select region_id, count() group by 1 having count() > 10 order by all limit 3",
	"select jaro_winkler_similarity('Invenergy', 'Inveneryg') as near, levenshtein('a', 'b') as edits, soundness from (select 1 as soundness)",
	"select (select max(capacity_mw) from plants_view) - capacity_mw as below from plants_view where id in (select id from requests_view where region_id = 3) order by 1 limit 5 offset 2",
	"select count(*) as n from master.plants_view p left join grid.owners_view o on o.plant_id = p.id where o.owner is null",
])("%s", async (sql) => {
	const { status, detail, data } = await system.ask(sql);
	expect([detail, status]).toEqual(["", 200]);
	expect(data.length).toBeGreaterThan(0);
});
