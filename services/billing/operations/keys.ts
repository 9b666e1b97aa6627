/** Operations on API keys and plans. */
import type { Handlers, Reply } from "#libs/contract/index.ts";
import { priceMicroUsd, prices } from "#libs/contract/vocabulary.ts";
import { oneJsonReply } from "#libs/postgres/replies/reply.ts";
import { type Resources, uncached } from "../resources.ts";
import { capKey, registerAccount, replaceKey, revokeKey } from "../tables/accounts.ts";
import { grantOf, keysInFull } from "../tables/keys.ts";

const pricesUsd = Object.fromEntries(prices.map((tier) => [tier, priceMicroUsd[tier] / 1e6]));

export const keyOperations = ({ sql, now, sendsMail = false }: Resources) =>
	({
		issueKey: async ({ email, name, ...key }) =>
			uncached(await sql.begin((tx) => registerAccount(tx, { email, name, key, at: now(), sendsMail }))),

		replaceKey: async ({ key_id: keyId, grace_seconds: graceSeconds, ...newKey }) =>
			uncached(await sql.begin((tx) => replaceKey(tx, { keyId, newKey, graceSeconds, at: now() }))),

		capKey: async ({ key_id: keyId, daily_queries: dailyQueries }) =>
			uncached(await sql.begin((tx) => capKey(tx, { keyId, dailyQueries, at: now() }))),

		endKey: async ({ key_id }) => uncached(await sql.begin((tx) => revokeKey(tx, key_id, now()))),

		/** The reply includes expired keys: a key may expire while the reply is cached, so the gateway checks the expiry at each request. */
		resolveKey: ({ sha256 }) =>
			oneJsonReply<Reply<"resolveKey">>(
				sql,
				sql`
				select json_build_object('grant', (select ${grantOf(sql)} from ${keysInFull(sql)} where k.sha256 = ${sha256}))`,
			),

		/** Gateways cache the reply: only migrations change plans, and they raise the data version. */
		listPlans: () =>
			oneJsonReply<Reply<"listPlans">>(
				sql,
				sql`
				select json_build_object('plans', json_agg(json_build_object('name', name, 'monthly_queries', monthly_queries,
					'per_minute', per_minute, 'description', description) order by position),
					'price_per_call_usd', ${JSON.stringify(pricesUsd)}::text::json) from plans`,
			),
	}) satisfies Partial<Handlers<"billing">>;
