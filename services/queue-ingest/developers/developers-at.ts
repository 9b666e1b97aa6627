/** Reads developers with their portfolios on a past day. Names, tiers and relationships are those of the current register. */
import { notFound } from "#libs/contract/errors.ts";
import { projectCondition, type Tag } from "#libs/contract/filters/project-condition.ts";
import type { AsOf } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { fewRequestsAt } from "../history/past.ts";

/**
 * Returns a relation with those columns of `listed_developers` that lists filter, sort and return. For a past day, it contains the developers
 * of the register and those with a request listed on that day, without ratings. `ids`: a query of developer ids; by default, all developers.
 */
export function developersAt<F>(sql: Tag<F>, asOf: AsOf, ids?: F): F {
	const idCondition = ids === undefined ? sql`is not null` : sql`in (${ids})`;
	if (asOf.as_of === undefined) return sql`(select * from listed_developers where developer_id ${idCondition})`;
	return sql`(
		select d.developer_id, d.canonical_name, d.tier, d.headquarters_state, d.company_kind, d.company_group, null::boolean as needs_capital,
			f.portfolio,
			(f.portfolio ->> 'total_projects')::integer as total_projects,
			(f.portfolio ->> 'active_capacity_mw')::float8 as active_capacity_mw,
			(f.portfolio ->> 'completion_rate')::float8 as completion_rate
		from portfolios_from(array(${ids ?? sql`select developer_id from developers`}), array(
			select (p.developer_id, portfolio_status(p.status_std, p.status_flag, p.request_class), p.construction_stage, p.capacity_mw, p.state, p.type_std)::portfolio_request
			from ${fewRequestsAt(sql, asOf)} p.developer_id ${idCondition} and ${projectCondition(sql, {})})) f
		join developers d using (developer_id)
		where d.known or (f.portfolio ->> 'total_projects')::integer > 0)`;
}

/** Expands the portfolio of each developer into the columns of `developer_rows`. */
export const toDeveloperRows = <F>(sql: Tag<F>, developers: F): F => sql`(
	select r.* from ${developers} d
	cross join lateral jsonb_populate_record(null::developer_rows, to_jsonb(d) || d.portfolio) r)`;

export async function refuseUnlisted(sql: Sql, id: number, name: string): Promise<never> {
	const [first] = await sql<{ day: string | null }[]>`
		select to_char(min(valid_from) at time zone 'UTC', 'YYYY-MM-DD') as day from project_history p
		where developer_id = ${id} and ${projectCondition<Fragment>(sql, {})}`;
	throw notFound(
		`no request of ${name} was listed on that day${first?.day ? `; its first request appeared in the list of ${first.day}` : ""}`,
	);
}
