import type { Handler } from "#libs/contract/index.ts";
import type { Status } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** Each state is added on the day on which it begins and subtracted on the day on which it ends. */
export function getDeveloperHistory(sql: Sql): Handler<"getDeveloperHistory"> {
	return async ({ developer_id, order, page, per_page, cursor }) => {
		const id = await resolveDeveloper(sql, developer_id);
		return replyList(
			sql,
			{
				filters: { id },
				tables: sql`
					states as (
						select * from project_history where developer_id = ${id} and kind = 'generation' and listed = 'listed'),
					moves as (
						select (valid_from at time zone 'UTC')::date as day, 1 as sign, status_std, capacity_mw::numeric as mw from states
						union all
						select (valid_to at time zone 'UTC')::date, -1, status_std, capacity_mw::numeric from states where valid_to is not null),
					days as (
						select day, sum(sign) as total, coalesce(sum(sign * mw), 0) as total_mw,
							${sum(sql, "Active")} as active, ${sumMw(sql, "Active")} as active_mw,
							${sum(sql, "Operational")} as operational, ${sumMw(sql, "Operational")} as operating_mw,
							${sum(sql, "Withdrawn")} as withdrawn
						from moves group by day),
					portfolio as (
						select day, (sum(total) over so_far)::bigint as total_projects,
							round(sum(total_mw) over so_far, 3)::float8 as total_capacity_mw,
							(sum(active) over so_far)::bigint as active_projects,
							round(sum(active_mw) over so_far, 3)::float8 as active_capacity_mw,
							(sum(operational) over so_far)::bigint as operational_projects,
							round(sum(operating_mw) over so_far, 3)::float8 as operating_capacity_mw,
							(sum(withdrawn) over so_far)::bigint as withdrawn_projects
						from days
						-- A state that is replaced on a day by one that counts the same moves nothing.
						where (total, total_mw, active, active_mw, operational, operating_mw, withdrawn) <> (0, 0, 0, 0, 0, 0, 0)
						window so_far as (order by day)),`,
				chosen: sql`portfolio where true`,
				sort: [{ column: "day", order }],
				rows: sql`select portfolio.* from page join portfolio using (day)`,
				fields: {
					developer_id: sql`select ${id}::int`,
					developer: sql`select to_json(canonical_name) from developers where developer_id = ${id}`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

const sum = (sql: Sql, status: Status): Fragment => sql`coalesce(sum(sign) filter (where status_std = ${status}), 0)`;
const sumMw = (sql: Sql, status: Status): Fragment =>
	sql`coalesce(sum(sign * mw) filter (where status_std = ${status}), 0)`;
