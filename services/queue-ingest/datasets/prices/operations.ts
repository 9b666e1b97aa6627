import { containing } from "#libs/contract/filters/meanings.ts";
import type { Tag } from "#libs/contract/filters/project-condition.ts";
import type { Handler, Params } from "#libs/contract/index.ts";
import { regions } from "#libs/contract/vocabulary.ts";
import type { Fragment, Sql } from "#libs/postgres/connect.ts";
import { replyList } from "#libs/postgres/replies/list.ts";
import { coverageOf } from "#libs/postgres/replies/reply.ts";

/** The views omit rows that a license withholds, so queries need no condition for that. */
export const views = { hour: "market_hour_rows", day: "market_day_rows", month: "market_month_rows" } as const;

export function listMarketPrices(sql: Sql): Handler<"listMarketPrices"> {
	return async ({ sort, page, per_page, cursor, ...filters }) => {
		const { interval, region, iso = region, hub, market, from, to } = filters;
		const days = sql`
			select iso as region, max(local_date) as day from market_days join market_hubs h using (iso, hub_id)
			where ${placeCondition(sql, { iso, hub, market })} group by iso`;
		const coverage = coverageOf(sql, days, iso === undefined ? regions : [iso]);
		return replyList(
			sql,
			{
				filters,
				chosen: sql`${sql(views[interval])} where ${placeCondition(sql, filters)} and ${dateCondition(sql, filters)}`,
				sort: [
					{ column: "starts_at", order: sort === "newest" ? "desc" : "asc" },
					{ column: "iso" },
					{ column: "hub_id" },
					{ column: "market" },
				],
				columns: sql`*`,
				rows: sql`select page.iso, hub, page.hub_id, hub_type, page.market, ${interval}::text as interval, iso(page.starts_at) as starts_at,
						${priceColumns(sql)}
					from page`,
				meta: { ...((from ?? to) !== undefined && { coverage }), withheld: sql`select ${withheld(sql, filters)}` },
			},
			{ page, per_page, cursor },
		);
	};
}

export const priceColumns = <F = Fragment>(sql: Tag<F>): F => sql`
	local_date, hour_ending, lmp_usd_mwh, energy_usd_mwh, congestion_usd_mwh, loss_usd_mwh, min_lmp_usd_mwh,
	max_lmp_usd_mwh, hours, complete, timezone, source, published_on as published`;

type Prices = Omit<Params<"listMarketPrices">, "sort" | "page" | "per_page" | "cursor">;

type Filters = Pick<Params<"listMarketPrices">, "region" | "iso" | "hub" | "market">;

export function placeCondition<F = Fragment>(sql: Tag<F>, { region, iso, hub, market }: Filters): F {
	const operator = region ?? iso;
	return sql`true
		${operator === undefined ? sql`` : sql`and iso = ${operator}`}
		${hub === undefined ? sql`` : sql`and (hub_id = ${hub} or hub ilike ${containing(hub)})`}
		${market === undefined ? sql`` : sql`and market = ${market}`}`;
}

/** A month is in the range if one of its days is. */
export function dateCondition<F = Fragment>(sql: Tag<F>, { interval, from = "", to = "" }: Prices): F {
	const first =
		interval === "month" ? sql`date_trunc('month', ${from}::text::timestamp)::date` : sql`${from}::text::date`;
	return sql`true
		${from === "" ? sql`` : sql`and local_date >= ${first}`}
		${to === "" ? sql`` : sql`and local_date <= ${to}::text::date`}`;
}

/** SQL of the operators with matching rows that their license withholds: hours, days and incomplete months. */
function withheld(sql: Sql, params: Prices): Fragment {
	const { interval } = params;
	const reason =
		interval === "month"
			? "a month is shown when all its hours are loaded: the operator's license allows monthly averages only"
			: "the operator's license allows monthly averages only; choose the interval month";
	const isWithheld =
		interval === "month"
			? sql`not exists (select from market_month_rows m where (m.iso, m.hub_id, m.market) = (d.iso, d.hub_id, d.market)
				and m.local_date = date_trunc('month', d.local_date::timestamp)::date)`
			: sql`true`;
	return sql`(
		select coalesce(json_agg(json_build_object('iso', iso, 'reason', ${reason}::text) order by iso), '[]') from (
			select distinct iso from (
				select d.*, h.hub from market_days d join market_hubs h using (iso, hub_id) where h.finest_interval = 'month') d
			where ${placeCondition(sql, params)} and ${dateCondition(sql, params)} and ${isWithheld}) w)`;
}

export function listMarketHubs(sql: Sql): Handler<"listMarketHubs"> {
	return async ({ page, per_page, cursor, ...filters }) => {
		const { market, hub_type, ...placeFilters } = filters;
		const inMarket = market === undefined ? sql`true` : sql`d.market = ${market}`;
		const condition = sql`${placeCondition(sql, { ...placeFilters, market: undefined })}
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
