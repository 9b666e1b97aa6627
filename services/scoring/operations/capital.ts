/** Operations on developers' capital and distress. The SQL fragments read a row `r` of `shown_ratings`. */
import { notFound } from "#libs/contract/errors.ts";
import type { Handlers, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { findDeveloper } from "#libs/postgres/find-developer.ts";
import { replyList, type SortColumn } from "#libs/postgres/replies/list.ts";
import { jsonReply } from "#libs/postgres/replies/reply.ts";
import { distressVersion } from "../domain/developers/tables.ts";
import type { Resources } from "../resources.ts";

/** Maximum filings in the reply about a developer; the newest are returned. */
const maxRaises = 500;

type LeaderboardParams = Params<"getCapitalLeaderboard">;

const raised: SortColumn = { column: "capital_raised", order: "desc", nullable: true };
const orders: Record<LeaderboardParams["sort"], SortColumn[]> = {
	capital_raised: [raised],
	divergence: [{ column: "capital_per_operational_mw", order: "desc", nullable: true }, raised],
	distress: [{ column: "distress_score", order: "desc" }, raised],
};

export const capitalOperations = ({ sql }: Pick<Resources, "sql">) =>
	({
		async getCapitalLeaderboard({ page, per_page, limit, cursor, sort, include_parent, ...filters }) {
			const n = (name: string) => countOf(sql, name);
			return replyList(
				sql,
				{
					filters,
					chosen: sql`shown_ratings where ${leaderboardCondition(sql, filters)}`,
					sort: [
						...orders[sort],
						{ column: "late_stage_mw", order: "desc" },
						{ column: "capacity_mw", order: "desc" },
						{ column: "developer_id" },
					],
					rows: sql`select ${capital(sql)}, ${eventCounts(sql, include_parent)},
							round(${n("withdrawn")}::numeric / nullif(r.requests, 0), 4)::float8 as withdrawal_rate,
							${n("active")} as active_projects, ${n("behind")} as behind_schedule, ${costs(sql)}, ${distressSignal(sql)}
						from page join shown_ratings r using (developer_id)`,
					fields: { count: sql`select count(*) from page`, sort: sql`select to_json(${sort}::text)` },
				},
				{ page, per_page: limit ?? per_page, cursor },
			);
		},

		async getDeveloperCapital({ developer_id: idOrName, include_parent }) {
			const id = await findDeveloper(sql, idOrName, {
				developers: sql`shown_ratings`,
				aliases: sql`(select developer_id, unnest(aliases) as alias from shown_ratings) named`,
			});
			if (id === undefined) throw notFound(`no developer ${idOrName}`);
			const n = (name: string) => countOf(sql, name);
			const reply = await jsonReply<Reply<"getDeveloperCapital">>(
				sql,
				sql`
				select row_to_json(t) from (
					select ${capital(sql)}, coalesce((select json_agg(json_build_object(
							'filing_date', f.filing_date, 'issuer_name', f.issuer_name, 'total_offering_amount', f.total_offering_amount,
							'total_amount_sold', f.total_amount_sold, 'is_amendment', f.is_amendment::int, 'match_method', f.match_method,
							'is_latest', f.is_latest)) from (
								select * from raises where developer_id = r.developer_id
								order by filing_date desc, accession_number limit ${maxRaises}) f), '[]') as raises,
						${n("behind")} as behind_schedule_projects, ${n("codSlipped")} as cod_slipped_projects,
						${n("stuck")} as stuck_in_queue_projects, ${costs(sql)},
						(select row_to_json(e) from (select ${eventCounts(sql, include_parent)}) e) as signal_events, ${distressSignal(sql)},
						r.needs_capital, r.needs_capital_reasons, r.tax_credit_activity
					from shown_ratings r where developer_id = ${id}) t`,
			);
			if (reply === null) throw notFound(`no developer ${idOrName}`);
			return reply;
		},
	}) satisfies Partial<Handlers<"scoring">>;

function leaderboardCondition(
	sql: Sql,
	{ min_raised, tier, exclude_tiers }: Pick<LeaderboardParams, "min_raised" | "tier" | "exclude_tiers">,
): Fragment {
	const split = (tiers: string) => tiers.split(",").map((name) => name.trim().toLowerCase());
	const included = tier === undefined ? sql`` : sql`and tier = any(${split(tier)}::text[])`;
	const excluded = exclude_tiers === undefined ? sql`` : sql`and tier <> all(${split(exclude_tiers)}::text[])`;
	return sql`coalesce(capital_raised, 0) >= ${min_raised} ${included} ${excluded}`;
}

const countOf = (sql: Sql, name: string): Fragment => sql`(r.counts -> ${name}::text)::integer`;

const capital = (sql: Sql): Fragment => sql`
	r.developer_id, r.canonical_name as developer, r.tier, r.company_kind, r.capital_raised,
	${countOf(sql, "raiseCount")} as raise_count, r.counts ->> 'latestRaise' as latest_raise,
	r.operational_mw as operational_capacity_mw, (r.counts ->> 'activeMw')::float8 as active_capacity_mw,
	r.late_stage_mw, r.capital_per_operational_mw`;

function eventCounts(sql: Sql, includeParent: boolean): Fragment {
	const events = (name: string) =>
		includeParent
			? sql`(${countOf(sql, name)} + (r.counts -> 'parent' -> ${name}::text)::integer)`
			: countOf(sql, name);
	return sql`
		${events("financing")} as financing_events, ${events("ma")} + ${countOf(sql, "transfers")} as ma_events,
		${events("distress")} as distress_events, ${events("litigation")} as litigation_events`;
}

/** Columns of interconnection costs; null if no cost of the developer's requests is known. */
const costs = (sql: Sql): Fragment => sql`
	case when ${countOf(sql, "withCost")} > 0 then ${countOf(sql, "highCost")} end as high_ic_cost_projects,
	(r.counts ->> 'maxCostPerKw')::float8 as max_ic_cost_per_kw`;

const distressSignal = (sql: Sql): Fragment => sql`
	json_build_object('level', r.distress_level, 'score', r.distress_score, 'components', r.distress_components,
		'judged', r.distress_components is not null, 'version', ${distressVersion}::integer) as distress_signal, r.coverage`;
