/** Views of this service's tables for SQL, by database. */
import type { Databases } from "#libs/parquet/view.ts";
import { datacenterViews } from "./datacenter.ts";
import { developerViews } from "./developer.ts";
import { dgViews } from "./dg.ts";
import { gridViews } from "./grid.ts";
import { marketViews } from "./market.ts";
import { masterViews } from "./master.ts";

export const databases: Databases = {
	master: masterViews,
	developer: developerViews,
	grid: gridViews,
	dg: dgViews,
	datacenter: datacenterViews,
	market: marketViews,
};

/** Query of the day of each operator's newest accepted list; if the operator publishes several lists, of the oldest of these days. */
export const listsSql = `
	select region, to_char(min(applied_as_of) at time zone 'UTC', 'YYYY-MM-DD') as day
	from feeds where region is not null and applied_as_of is not null group by region order by region`;
