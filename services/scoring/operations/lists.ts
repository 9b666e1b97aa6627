/** The lists of investable requests and of requests with an investment tax credit, and sums of credits and costs. */
import { onlyFields } from "#libs/contract/exports/columns.ts";
import { containing } from "#libs/contract/filters/meanings.ts";
import { activeCondition, type Filters, projectCondition, type Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handlers, Params, Reply } from "#libs/contract/index.ts";
import { filtersByDay } from "#libs/contract/operations/as-of.ts";
import { missedCriteria } from "#libs/contract/operations/scores/score-row.ts";
import type { InvestableCriteria } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { readPage, replyList, type SortColumn } from "#libs/postgres/replies/list.ts";
import { coverageOf, oneJsonReply } from "#libs/postgres/replies/reply.ts";
import {
	executedAgreements,
	investableCondition,
	investableRule,
	missedCriterion,
} from "../domain/score/investable.ts";
import { scoreProject } from "../domain/score/score-project.ts";
import type { ScoreInputs } from "../domain/score/tables.ts";
import { scoreTables } from "../domain/score/version.ts";
import type { Resources } from "../resources.ts";

/** Columns that lists and exports share, of projects `p`, credits `c` and scores `s`. */
export const listedColumns = <F = Fragment>(sql: Tag<F>): F => sql`
	p.project_id as id, p.queue_id, p.name, p.region, p.state, p.county, p.developer, p.developer_canonical, p.developer_tier, p.type_std,
	p.capacity_mw, p.cod, p.construction_stage, c.credit_type as tax_credit_type, c.status as tax_credit_status,
	c.effective_rate as effective_credit_rate, c.estimated_value as estimated_credit_value, c.p_credit,
	c.expected_value as expected_credit_value, s.score as investability_score, s.grade,
	s.p_cod_24, s.p_cod_24_low, s.p_cod_24_high, s.p_cod_36, s.p_cod_36_low, s.p_cod_36_high, s.p_energized_24, s.p_energized_24_low,
	s.p_energized_24_high, s.p_energized_36, s.p_energized_36_low, s.p_energized_36_high, s.comparable_requests, s.p_reason`;

const pageColumns = (sql: Sql): Fragment => sql`
	${listedColumns(sql)}, left(iso(f.as_of), 10) as facts_as_of, p.security_posted, i.network_usd_per_kw as network_upgrade_usd_per_kw`;

/** Joins the requests of `page` with their scores of the active version. */
const scoredPage = (sql: Sql): Fragment => sql`
	page join projects p using (project_id) join credits c using (project_id) join scores s using (project_id)
	left join interconnection_costs i using (project_id) left join feeds f on f.feed = p.feed
	where s.score_version = (select active_version from settings)`;

/** Condition on the views `scored_requests p` and `credited_requests p`, whose requests are all open, listed and for generation. */
export function filtersOf<F = Fragment>(
	sql: Tag<F>,
	{ technology, ...filters }: Filters & { technology?: string | undefined },
): F {
	const condition = projectCondition(sql, { ...filters, population: "all", include_unlisted: true });
	return technology === undefined ? condition : sql`${condition} and p.type_std ilike ${containing(technology)}`;
}

/** `meta.coverage`, with filters by day. */
const metaOf = (sql: Sql, filters: object): Record<string, Fragment> => {
	const days = sql`
		select p.region, left(iso(max(f.as_of)), 10) as day from projects p join feeds f using (feed) where p.open group by 1`;
	return filtersByDay(filters) ? { coverage: coverageOf(sql, days) } : {};
};

const investableOrder: readonly SortColumn[] = [
	{ column: "score", order: "desc" },
	{ column: "project_capacity_mw", order: "desc", nullable: true },
	{ column: "project_id" },
];

const dealOrder = (column: "expected_value" | "estimated_value"): readonly SortColumn[] => [
	{ column, order: "desc", nullable: true },
	{ column: "effective_rate", order: "desc" },
	{ column: "project_id" },
];
const valueColumns = { expected_credit_value: "expected_value", estimated_credit_value: "estimated_value" } as const;

/** How many scored requests that match `filters` miss each criterion. A request is counted for the first that it misses. */
const countLeftOut = (sql: Sql, filters: Filters, criteria: InvestableCriteria): Fragment => sql`
	select json_object_agg(name, coalesce(requests, 0) order by at)
	from unnest(${Object.keys(missedCriteria)}::text[]) with ordinality as criteria (name, at)
	left join (
		select ${missedCriterion<Fragment>(sql, criteria)} as name, count(*) as requests
		from scored_requests p join scores s using (project_id, score_version)
		where score_version = (select active_version from settings) and ${filtersOf<Fragment>(sql, filters)} group by 1) missed using (name)`;

type InvestablePage = Reply<"listInvestable">;
/** A row as stored. The explanation is composed from its inputs. */
type InvestableRow = Omit<InvestablePage["data"][number], "explanation"> & { inputs: ScoreInputs };

export const listOperations = ({ sql }: Pick<Resources, "sql">) =>
	({
		async listInvestable({ page, per_page, cursor, fields: requestedFields, ...filters }) {
			const { min_p, max_months, min_mw, ...others } = filters;
			const criteria = { min_p, max_months, min_mw };
			const { rows, meta, dataVersion } = await readPage(
				sql,
				{
					filters,
					chosen: sql`scored_requests p where score_version = (select active_version from settings)
						and ${investableCondition<Fragment>(sql, criteria)} and ${filtersOf(sql, others)}`,
					sort: investableOrder,
					rows: sql`select ${pageColumns(sql)}, p.incremental_mw, s.inputs from ${scoredPage(sql)}`,
					meta: { ...metaOf(sql, filters), left_out: countLeftOut(sql, others, criteria) },
				},
				{ page, per_page, cursor },
			);
			const data = (JSON.parse(`[${rows}]`) as InvestableRow[]).map(({ inputs, ...row }) => ({
				...row,
				explanation: scoreProject(inputs, scoreTables).explanation,
			})) satisfies InvestablePage["data"];
			const appliedCriteria = { ...criteria, rule: investableRule, agreement: executedAgreements };
			const rowsWithFields = data.map((row) => onlyFields(row, requestedFields));
			return { json: JSON.stringify({ data: rowsWithFields, meta, criteria: appliedCriteria }), dataVersion };
		},

		/** Excludes requests whose usual credit is the production tax credit, although they could elect the investment tax credit. */
		async listItcDeals({ page, per_page, cursor, fields, sort, ...filters }) {
			return replyList(
				sql,
				{
					filters,
					chosen: sql`credited_requests p where ${dealCondition(sql, filters)}`,
					sort: dealOrder(valueColumns[sort]),
					rows: sql`select ${pageColumns(sql)}, c.base_rate as base_credit_pct, c.at_risk_rate, c.energy_community_eligible,
							c.domestic_content_eligible, c.domestic_content_basis, c.low_income_eligible, c.cod_year,
							c.notice as energy_community_notice, c.warnings
						from ${scoredPage(sql)}`,
					meta: metaOf(sql, filters),
				},
				{ page, per_page, cursor, fields },
			);
		},

		async sumActiveCredits() {
			return oneJsonReply<Reply<"sumActiveCredits">>(
				sql,
				sql`
				select json_build_object('requests', count(estimated_value), 'value', coalesce(sum(estimated_value), 0),
					'expected_value', coalesce(sum(expected_value), 0),
					'without_chance_value', coalesce(sum(estimated_value) filter (where expected_value is null), 0))
				from credited_requests p where effective_rate > 0 and ${activeCondition<Fragment>(sql)}`,
			);
		},

		async summariseCosts({ id }) {
			return oneJsonReply<Reply<"summariseCosts">>(
				sql,
				sql`
				select coalesce((select json_build_object('n', count(*),
					'median_usd_per_kw', round(percentile_cont(0.5) within group (order by cost_usd_per_kw)::numeric, 2)::float8,
					'studied_from', min(as_of), 'studied_to', max(as_of),
					'dollars_year', case when min(coalesce(dollars_year, 0)) = max(dollars_year) then max(dollars_year) end)
				from interconnection_costs where project_id = any(${id}::text[]) having count(*) > 0), 'null')`,
			);
		},
	}) satisfies Partial<Handlers<"scoring">>;

function dealCondition(
	sql: Sql,
	{ min_rate, status, ...others }: Omit<Params<"listItcDeals">, "page" | "per_page" | "sort">,
) {
	return sql`
		credit_type = 'ITC' and effective_rate > 0
		${min_rate === undefined ? sql`` : sql`and effective_rate >= ${min_rate}`}
		${status === undefined ? sql`` : sql`and credit_status = ${status}`} and ${filtersOf(sql, others)}`;
}
