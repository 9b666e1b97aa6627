import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { costs, countOf, distressSignal, divergence, eventCounts, listed, standing } from "./standings.ts";

export function getCapitalLeaderboard(sql: Sql): Handler<"getCapitalLeaderboard"> {
	return async ({ sort, min_raised, tier, exclude_tiers, limit }) => {
		const kept = tier === undefined ? sql`true` : sql`d.tier = any(${listOf(tier)}::text[])`;
		const left = exclude_tiers === undefined ? sql`true` : sql`d.tier <> all(${listOf(exclude_tiers)}::text[])`;
		const n = (name: string) => countOf(sql, name);
		const by = sql`${orders(sql)[sort]} desc nulls last, s.capital_raised desc, d.canonical_name, d.developer_id`;
		return oneJsonReply<Reply<"getCapitalLeaderboard">>(
			sql,
			sql`
			select json_build_object('data', coalesce(json_agg(row_to_json(t)), '[]'), 'count', count(*), 'sort', ${sort}::text) from (
				select ${standing(sql)}, ${eventCounts(sql)},
					round(${n("withdrawn")}::numeric / nullif(${n("withdrawn")} + ${n("active")} + ${n("operational")}, 0), 4)::float8
						as withdrawal_rate,
					${n("active")} as active_projects, ${n("behind")} as behind_schedule, ${costs(sql)}, ${distressSignal(sql)}
				-- Ranked first: what is shown of a row costs more than its place, and only so many are shown.
				from (
					select s.developer_id from standings s join developers d using (developer_id)
					where ${listed(sql)} and s.capital_raised >= ${min_raised} and ${kept} and ${left}
					order by ${by} limit ${limit}) as first
				join standings s using (developer_id) join developers d using (developer_id)
				order by ${by}) t`,
		);
	};
}

const listOf = (text: string): string[] => text.split(",").map((word) => word.trim().toLowerCase());

const orders = (sql: Sql): Record<Params<"getCapitalLeaderboard">["sort"], Fragment> => ({
	capital_raised: sql`s.capital_raised`,
	divergence: divergence(sql),
	distress: sql`s.distress_score`,
});
