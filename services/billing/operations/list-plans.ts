/** Plans change by migrations only, which raise the data version: gateways cache this reply. */
import type { Handler, Reply } from "#libs/contract/index.ts";
import { priceMicroUsd, prices } from "#libs/contract/vocabulary.ts";
import { oneJsonReply } from "#libs/postgres/reply.ts";
import type { Resources } from "../resources.ts";

const pricesUsd = Object.fromEntries(prices.map((tier) => [tier, priceMicroUsd[tier] / 1e6]));

export const listPlans =
	({ sql }: Resources): Handler<"listPlans"> =>
	async () =>
		oneJsonReply<Reply<"listPlans">>(
			sql,
			sql`
			select json_build_object('plans', json_agg(json_build_object('name', name, 'monthly_queries', monthly_queries,
				'per_minute', per_minute, 'description', description) order by position),
				'price_per_call_usd', ${JSON.stringify(pricesUsd)}::text::json) from plans`,
		);
