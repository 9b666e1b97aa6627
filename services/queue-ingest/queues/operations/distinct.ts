/** Totals that count each plant once (`distinct=plant`), with the megawatts of its requests that do not repeat another request. */
import { waitingCondition } from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { requestsAt } from "../../history/past.ts";
import { stageOrder, statusOrder } from "../related.ts";

export type Distinct = "plant" | undefined;

/**
 * Returns the requests of `requestsAt`. If plants are counted, these have the columns `represented_by` and `is_repeat`. As of a past day, the
 * current relations apply, and one of the requests of that day represents the plant, by the rule of `findRepresentedRequests`.
 */
export function plantsAt(sql: Sql, asOf: AsOf, distinct: Distinct): Fragment {
	if (asOf.as_of === undefined || distinct === undefined) return requestsAt<Fragment>(sql, asOf);
	const pastRequests = sql`(select p.* from ${requestsAt<Fragment>(sql, asOf)} true) p`;
	return sql`(
		with plants as (
			select id, coalesce(represented_by, id) as plant from projects
			where represented_by is not null or id in (select represented_by from projects)),
		shown as materialized (
			select p.id, p.entry, first_value(p.id) over furthest_first as represented_by, row_number() over furthest_first as place
			from ${pastRequests} join plants using (id)
			window furthest_first as (partition by plant order by p.listed = 'listed' desc, ${waitingCondition<Fragment>(sql)} desc,
				array_position(${[...statusOrder]}::text[], p.status_std) desc nulls last,
				array_position(${[...stageOrder]}::text[], p.construction_stage) desc nulls last,
				p.queue_date desc nulls first, p.id collate "C" desc)),
		repeats as (
			select case when r.relation = 'successor_of' or earlier.place > later.place then earlier.id else later.id end
			from request_relations r join shown later on later.id = r.project_id join shown earlier on earlier.id = r.other_id
			where r.relation in ('successor_of', 'alternative_of'))
		select p.*, nullif(s.represented_by, p.id) as represented_by, coalesce(s.represented_by <> p.id, false) and p.id in (select * from repeats) as is_repeat
		from ${pastRequests} left join shown s using (entry)) p where`;
}

/** Condition on requests `p`: their megawatts count. */
export const countsMegawatts = (sql: Sql, distinct: Distinct): Fragment =>
	distinct ? sql`not p.is_repeat` : sql`true`;

/** Counts the requests `p`, or the plants, that fulfill a condition. */
export const countPlants = (sql: Sql, distinct: Distinct, condition: Fragment = sql`true`): Fragment =>
	sql`count(*) filter (where ${condition} ${distinct ? sql`and p.represented_by is null` : sql``})`;
