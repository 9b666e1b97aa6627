import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList, type SortColumn } from "#libs/postgres/list.ts";
import { capital, costs, countOf, distressSignal, eventCounts } from "./developer-ratings.ts";

export function getCapitalLeaderboard(sql: Sql): Handler<"getCapitalLeaderboard"> {
	return async ({ page, per_page, limit, cursor, sort, include_parent, ...filters }) => {
		const n = (name: string) => countOf(sql, name);
		return replyList(
			sql,
			{
				filters,
				chosen: sql`shown_ratings where ${chosenBy(sql, filters)}`,
				sort: [...orders[sort], { column: "capacity_mw", order: "desc" }, { column: "developer_id" }],
				rows: sql`select ${capital(sql)}, ${eventCounts(sql, include_parent)},
						round(${n("withdrawn")}::numeric / nullif(r.requests, 0), 4)::float8 as withdrawal_rate,
						${n("active")} as active_projects, ${n("behind")} as behind_schedule, ${costs(sql)}, ${distressSignal(sql)}
					from page join shown_ratings r using (developer_id)`,
				fields: { count: sql`select count(*) from page`, sort: sql`select to_json(${sort}::text)` },
			},
			{ page, per_page: limit ?? per_page, cursor },
		);
	};
}

type Asked = Params<"getCapitalLeaderboard">;

function chosenBy(
	sql: Sql,
	{ min_raised, tier, exclude_tiers }: Pick<Asked, "min_raised" | "tier" | "exclude_tiers">,
): Fragment {
	const included = tier === undefined ? sql`` : sql`and tier = any(${listOf(tier)}::text[])`;
	const excluded = exclude_tiers === undefined ? sql`` : sql`and tier <> all(${listOf(exclude_tiers)}::text[])`;
	return sql`coalesce(capital_raised, 0) >= ${min_raised} ${included} ${excluded}`;
}

const listOf = (text: string): string[] => text.split(",").map((word) => word.trim().toLowerCase());

const raised: SortColumn = { column: "capital_raised", order: "desc", nullable: true };
const orders: Record<Asked["sort"], SortColumn[]> = {
	capital_raised: [raised],
	divergence: [{ column: "capital_per_operational_mw", order: "desc", nullable: true }, raised],
	distress: [{ column: "distress_score", order: "desc" }, raised],
};
