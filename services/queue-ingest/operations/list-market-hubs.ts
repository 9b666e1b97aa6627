import type { Handler, Reply } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Sql } from "#libs/postgres/connect.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import { placeCondition } from "./list-market-prices.ts";

export function listMarketHubs(sql: Sql): Handler<"listMarketHubs"> {
	return async ({ page, per_page, hub_type, ...filters }) => {
		const { market, ...place } = filters;
		const inMarket = market === undefined ? sql`true` : sql`d.market = ${market}`;
		const condition = sql`${placeCondition(sql, { ...place, market: undefined })}
			${hub_type === undefined ? sql`` : sql`and hub_type = ${hub_type}`}
			and exists (select from market_days d where d.iso = h.iso and d.hub_id = h.hub_id and ${inMarket})`;
		return oneJsonReply<Reply<"listMarketHubs">>(
			sql,
			sql`
			select json_build_object(
				'data', coalesce((select json_agg(row_to_json(t)) from (
					select iso, hub, hub_id, hub_type, timezone, finest_interval, (
						select json_agg(json_build_object('market', market, 'first_hour_at', iso(first_at), 'last_hour_at', iso(last_at),
							'hours', hours, 'months', (select count(*) from market_month_rows m
								where m.iso = h.iso and m.hub_id = h.hub_id and m.market = s.market),
							'latest_date', latest, 'latest_daily_lmp_usd_mwh', (select r.lmp_usd_mwh from market_day_rows r
								where r.iso = h.iso and r.hub_id = h.hub_id and r.market = s.market and r.local_date = latest),
							'source', source) order by market)
						from (select d.market, min(d.first_at) as first_at, max(d.last_at) as last_at, sum(d.hours) as hours,
								max(d.local_date) as latest, string_agg(distinct d.source, ', ' order by d.source) as source
							from market_days d where d.iso = h.iso and d.hub_id = h.hub_id and ${inMarket} group by d.market) s) as markets
					from market_hubs h where ${condition}
					order by iso, hub_type, hub, hub_id limit ${per_page} offset ${(page - 1) * per_page}) t), '[]'),
				'meta', (select json_build_object('total', count(*), 'page', ${page}::int, 'per_page', ${per_page}::int,
					'pages', ceil(count(*) / ${per_page}::float8), 'operators_without_prices', (
						select coalesce(json_agg(r.region order by r.place), '[]')
						from unnest(${[...regions]}::text[]) with ordinality as r (region, place)
						where not exists (select from market_hubs x where x.iso = r.region)))
					from market_hubs h where ${condition}))`,
		);
	};
}
