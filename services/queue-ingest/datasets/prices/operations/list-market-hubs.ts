import type { Handler } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/list.ts";
import { placeCondition } from "./list-market-prices.ts";

export function listMarketHubs(sql: Sql): Handler<"listMarketHubs"> {
	return async ({ page, per_page, cursor, ...filters }) => {
		const { market, hub_type, ...place } = filters;
		const inMarket = market === undefined ? sql`true` : sql`d.market = ${market}`;
		const condition = sql`${placeCondition(sql, { ...place, market: undefined })}
			${hub_type === undefined ? sql`` : sql`and hub_type = ${hub_type}`}
			and exists (select from market_days d where d.iso = h.iso and d.hub_id = h.hub_id and ${inMarket})`;
		return replyList(
			sql,
			{
				filters,
				chosen: sql`market_hubs h where ${condition}`,
				sort: [{ column: "iso" }, { column: "hub_type" }, { column: "hub" }, { column: "hub_id" }],
				columns: sql`h.*`,
				rows: sql`select page.iso, page.hub, page.hub_id, page.hub_type, timezone, finest_interval, (
						select json_agg(json_build_object('market', market, 'first_hour_at', iso(first_at), 'last_hour_at', iso(last_at),
							'hours', hours, 'months', (select count(*) from market_month_rows m
								where m.iso = page.iso and m.hub_id = page.hub_id and m.market = s.market),
							'latest_date', latest, 'latest_daily_lmp_usd_mwh', (select r.lmp_usd_mwh from market_day_rows r
								where r.iso = page.iso and r.hub_id = page.hub_id and r.market = s.market and r.local_date = latest),
							'source', source) order by market)
						from (select d.market, min(d.first_at) as first_at, max(d.last_at) as last_at, sum(d.hours) as hours,
								max(d.local_date) as latest, string_agg(distinct d.source, ', ' order by d.source) as source
							from market_days d where d.iso = page.iso and d.hub_id = page.hub_id and ${inMarket} group by d.market) s) as markets
					from page`,
				meta: {
					operators_without_prices: sql`
						select coalesce(json_agg(r.region order by r.place), '[]')
						from unnest(${[...regions]}::text[]) with ordinality as r (region, place)
						where not exists (select from market_hubs x where x.iso = r.region)`,
				},
			},
			{ page, per_page, cursor },
		);
	};
}
