import type { Handler } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { resolveDeveloper } from "./get-developer.ts";

/** Each state is added on the day on which it begins and taken away on that on which it ends. */
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
						select day, ${each(sql, "sum(sign)", "sum(sign * mw)")} from moves group by day),
					portfolio as (
						select day, ${running(sql)} from days where ${differs(sql)}),`,
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

/** Fields of the response: requests, their megawatts where shown, and their status. */
const shown = [
	["total_projects", "total_capacity_mw", null],
	["active_projects", "active_capacity_mw", "Active"],
	["operational_projects", "operating_capacity_mw", "Operational"],
	["withdrawn_projects", null, "Withdrawn"],
] as const;

const joined = (sql: Sql, parts: Fragment[], between: Fragment) =>
	parts.reduce((all, one) => sql`${all} ${between} ${one}`);

const each = (sql: Sql, projects: string, megawatts: string) =>
	joined(
		sql,
		shown.flatMap(([count, capacity, status]) => {
			const of = status === null ? sql`` : sql`filter (where status_std = ${status})`;
			const counted = sql`coalesce(${sql.unsafe(projects)} ${of}, 0) as ${sql(count)}`;
			return capacity === null
				? [counted]
				: [counted, sql`coalesce(${sql.unsafe(megawatts)} ${of}, 0) as ${sql(capacity)}`];
		}),
		sql`,`,
	);

const running = (sql: Sql) =>
	joined(
		sql,
		shown.flatMap(([count, capacity]) => {
			const counted = sql`(sum(${sql(count)}) over (order by day))::bigint as ${sql(count)}`;
			return capacity === null
				? [counted]
				: [counted, sql`round(sum(${sql(capacity)}) over (order by day), 3)::float8 as ${sql(capacity)}`];
		}),
		sql`,`,
	);

/** A state that is replaced on a day by one that counts the same moves nothing. */
const differs = (sql: Sql) =>
	joined(
		sql,
		shown
			.flatMap(([count, capacity]) => (capacity === null ? [count] : [count, capacity]))
			.map((column) => sql`${sql(column)} <> 0`),
		sql`or`,
	);
