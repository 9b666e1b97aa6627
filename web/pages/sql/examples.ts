import type { Statement } from "./statement.ts";

export const examples: ({ title: string } & Statement)[] = [
	{
		title: "Active requests by grid operator",
		database: "master",
		view: "chart",
		sql: `select region, count(*) as requests, round(sum(active_mw)) as mw
from active_requests
group by region
order by mw desc`,
	},
	{
		title: "Capacity by the year in which it was asked for",
		database: "master",
		view: "chart",
		sql: `select year(queue_date) as year,
  round(sum(capacity_mw)) as all_mw,
  round(sum(capacity_mw) filter (where type_std in ('Solar', 'Solar + Storage', 'Storage'))) as solar_and_storage_mw
from projects
where kind = 'generation' and listed = 'listed' and queue_date is not null
group by year
order by year`,
	},
	{
		title: "The 500 largest requests on a map",
		database: "master",
		view: "map",
		sql: `select name, region, capacity_mw, type_std, lat, lon, location_precision
from active_requests
where lat is not null
order by capacity_mw desc
limit 500`,
	},
	{
		title: "Active capacity by county",
		database: "master",
		view: "map",
		sql: `select fips, any_value(county) as county, any_value(state) as state, round(sum(active_mw)) as mw
from active_requests
where fips is not null
group by fips
order by mw desc`,
	},
	{
		title: "What has changed, by day",
		database: "master",
		view: "chart",
		sql: `select cast(detected_at as date) as day, count(*) as changes
from changes
group by day
order by day`,
	},
	{
		title: "Developers by what they have in the queues",
		database: "master",
		view: "table",
		sql: `select developer_canonical, count(*) as requests, round(sum(active_mw)) as mw,
  round(avg(investability_score), 1) as mean_score
from active_requests
where developer_canonical is not null
group by developer_canonical
order by mw desc
limit 100`,
	},
	{
		title: "The list as it stood on a day",
		database: "master",
		view: "table",
		sql: `select region, status_std, count(*) as requests, round(sum(capacity_mw)) as mw
from projects_as_of(current_date)
where kind = 'generation' and listed = 'listed'
group by all
order by region, requests desc`,
	},
];
