import type { Handler, Params, Reply } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { capital, costs, countOf, distressSignal, eventCounts } from "./developer-ratings.ts";

/** The rows are chosen first; JSON is written of those that are shown. */
export function getCapitalLeaderboard(sql: Sql): Handler<"getCapitalLeaderboard"> {
	return ({ sort, min_raised, tier, exclude_tiers, limit }) => {
		const included = tier === undefined ? sql`` : sql`and tier = any(${listOf(tier)}::text[])`;
		const excluded = exclude_tiers === undefined ? sql`` : sql`and tier <> all(${listOf(exclude_tiers)}::text[])`;
		const n = (name: string) => countOf(sql, name);
		return oneJsonReply<Reply<"getCapitalLeaderboard">>(
			sql,
			sql`
			select json_build_object('data', coalesce(json_agg(shown), '[]'), 'count', count(*), 'sort', ${sort}::text) from (
				select (select row_to_json(t) from (
					select ${capital(sql)}, ${eventCounts(sql)},
						round(${n("withdrawn")}::numeric / nullif(r.requests, 0), 4)::float8 as withdrawal_rate,
						${n("active")} as active_projects, ${n("behind")} as behind_schedule, ${costs(sql)}, ${distressSignal(sql)}) t) as shown
				from (
					select * from shown_ratings where capital_raised >= ${min_raised} ${included} ${excluded}
					order by ${orders(sql)[sort]}, canonical_name, developer_id limit ${limit}) r) rows`,
		);
	};
}

const listOf = (text: string): string[] => text.split(",").map((word) => word.trim().toLowerCase());

const orders = (sql: Sql): Record<Params<"getCapitalLeaderboard">["sort"], Fragment> => ({
	capital_raised: sql`capital_raised desc`,
	divergence: sql`capital_per_operational_mw desc nulls last, capital_raised desc`,
	distress: sql`distress_score desc, capital_raised desc`,
});
