/** Views of this service's tables for SQL, by database. */
import type { Databases } from "#libs/parquet/view.ts";
import { datacenter } from "./datacenter.ts";
import { developer } from "./developer.ts";
import { dg } from "./dg.ts";
import { grid } from "./grid.ts";
import { market } from "./market.ts";
import { master } from "./master.ts";

export const databases: Databases = { master, developer, grid, dg, datacenter, market };

/** The day of each operator's newest accepted list; the oldest such day if it publishes several lists. */
export const listsSql = `
	select region, to_char(min(applied_as_of) at time zone 'UTC', 'YYYY-MM-DD') as day
	from feeds where region is not null and applied_as_of is not null group by region order by region`;
