import { type Filters, projectCondition } from "#libs/contract/filters/project-condition.ts";
import type { Handler } from "#libs/contract/index.ts";
import { checkDay } from "#libs/contract/operations/as-of.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { coverageMeta, requestsAt } from "../../history/past.ts";
import type { Resources } from "../../resources.ts";

export function compareDays(resources: Resources): Handler<"compareDays"> {
	const { sql } = resources;
	return async ({ from, to, by, page, per_page, cursor, ...filters }) => {
		checkDay(resources, { as_of: to });
		return replyList(
			sql,
			{
				filters: { from, to, by, ...filters },
				tables: sql`
					earlier as materialized (${statesOf(sql, from, filters)}),
					later as materialized (${statesOf(sql, to, filters)}),
					pairs as materialized (
						select id, case when a.own_id is null then 'added' when b.own_id is null then 'removed'
								when ${comparedFacts(sql, "a")} is distinct from ${comparedFacts(sql, "b")} then 'changed' else 'unchanged' end as change,
							coalesce(b.region, a.region) as region, coalesce(b.name, a.name) as name, a.${sql(by)} as value_before,
							b.${sql(by)} as value_after, a.capacity_mw as mw_before, coalesce(b.capacity_mw, case when b.own_id is null then a.capacity_mw end) as mw,
							case when a.own_id is not null then ${asJson(sql, "a")} end as before,
							case when b.own_id is not null then ${asJson(sql, "b")} end as after
						from (select id as own_id, * from earlier) a full join (select id as own_id, * from later) b using (id)),`,
				chosen: sql`pairs where change <> 'unchanged'`,
				sort: [{ column: "id" }],
				rows: sql`
					select p.id, p.region, p.name, p.change, p.before, p.after from page join pairs p using (id)`,
				fields: {
					from: daySummary(sql, from, sql`earlier`),
					to: daySummary(sql, to, sql`later`),
					...Object.fromEntries(
						["added", "removed", "changed", "unchanged"].map((change) => [
							change,
							sql`select json_build_object('projects', count(*), 'capacity_mw', mw(sum(mw)))
								from pairs where change = ${change}`,
						]),
					),
					matrix: sql`
						select coalesce(json_agg(m order by m.before nulls first, m.after nulls first), '[]') from (
							select value_before as before, value_after as after, count(*) as projects,
								mw(sum(mw)) as capacity_mw, mw(sum(mw_before)) as capacity_mw_before
							from pairs group by 1, 2) m`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}

const statesOf = (sql: Sql, as_of: string, filters: Filters): Fragment => sql`
	select id, region, name, status_std, status, construction_stage, study_phase, ia_status, type_std, capacity_mw, cod, developer_canonical
	from ${requestsAt(sql, { as_of })} ${projectCondition(sql, filters)}`;

const comparedColumns = [
	"status_std",
	"status",
	"construction_stage",
	"study_phase",
	"capacity_mw",
	"cod",
	"developer_canonical",
];

const comparedFacts = (sql: Sql, alias: string): Fragment =>
	sql`(${comparedColumns.map((name) => sql`${sql(alias)}.${sql(name)}`).reduce((all, one) => sql`${all}, ${one}`)})`;

const asJson = (sql: Sql, alias: string): Fragment =>
	sql`json_build_object(${comparedColumns.map((name) => sql`${name}::text, ${sql(alias)}.${sql(name)}`).reduce((all, one) => sql`${all}, ${one}`)})`;

function daySummary(sql: Sql, day: string, table: Fragment): Fragment {
	const { coverage, lists } = coverageMeta(sql, { as_of: day });
	return sql`
		select json_build_object('day', ${day}::text, 'projects', count(*), 'capacity_mw', mw(sum(capacity_mw)),
			'coverage', (${coverage ?? sql`null`}), 'lists', (${lists ?? sql`null`})) from ${table}`;
}
