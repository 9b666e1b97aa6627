/** Totals that count each plant once (`distinct=plant`): as one, with the megawatts of all its requests that do not repeat others. */
import type { Fragment, Sql } from "#libs/postgres/connect.ts";

export type Distinct = "plant" | undefined;

/** Condition on `projects p`: requests whose megawatts count. */
export const plantsAlone = (sql: Sql, distinct: Distinct): Fragment => (distinct ? sql`not p.is_repeat` : sql`true`);

/** The number of requests `p`, or of plants, which fulfil a condition. */
export const countPlants = (sql: Sql, distinct: Distinct, condition: Fragment = sql`true`): Fragment =>
	sql`count(*) filter (where ${condition} ${distinct ? sql`and p.represented_by is null` : sql``})`;
