import type { Handler, Params } from "#libs/contract/index.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { distressVersion } from "../domain/distress/distress.ts";

/** Rows are kept as they are shown (`leaderboard_heads` and `leaderboard_tails`), in the order of each ranking. */
export function getCapitalLeaderboard(sql: Sql): Handler<"getCapitalLeaderboard"> {
	return async ({ sort, min_raised, tier, exclude_tiers, limit }) => {
		const kept = tier === undefined ? sql`` : sql`and tier = any(${listOf(tier)}::text[])`;
		const left = exclude_tiers === undefined ? sql`` : sql`and tier <> all(${listOf(exclude_tiers)}::text[])`;
		// The JSON stays the bytes that PostgreSQL sent. What follows the rows is put together first: each || copies what stands before it.
		const [row] = await sql`
			select '{"data" : [' || coalesce(string_agg(shown, ', '), '')
				|| ('], "count" : ' || count(*) || ', "sort" : ' || to_json(${sort}::text) || '}'), (select version from data_version)
			from (
				select head || tail || ${distressVersion}::integer || '}}' as shown from leaderboard
				where listed and capital_raised >= ${min_raised} ${kept} ${left}
				order by ${orders(sql)[sort]} canonical_name, developer_id limit ${limit}) t`.raw();
		const [json, version] = (row ?? []) as (Buffer | null)[];
		if (!json || !version) throw new Error("no leaderboard");
		return { json, dataVersion: Number(version) };
	};
}

const listOf = (text: string): string[] => text.split(",").map((word) => word.trim().toLowerCase());

/** As the indexes are ordered. */
const orders = (sql: Sql): Record<Params<"getCapitalLeaderboard">["sort"], Fragment> => ({
	capital_raised: sql`capital_raised desc,`,
	divergence: sql`divergence desc nulls last, capital_raised desc,`,
	distress: sql`distress_score desc, capital_raised desc,`,
});
