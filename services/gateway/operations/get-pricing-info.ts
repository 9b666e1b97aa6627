import type { Handler, Reply } from "#libs/contract/index.ts";
import { type Price, priceMicroUsd, prices, railNames } from "#libs/contract/vocabulary.ts";
import { notesOn, type Terms } from "../documents/terms.ts";
import { httpOperations } from "../registry/bindings.ts";

/** From the registry alone: what is declared with a price is listed under it. */
export function getPricingInfo(terms: Terms): Handler<"getPricingInfo"> {
	const reply: Reply<"getPricingInfo"> = {
		pricing_by_tier: byTier((tier) => ({ price_usd: usdOf(tier) })),
		endpoints: byTier((tier) => ({ price_usd: usdOf(tier), endpoints: endpointsOf(tier) })),
		rails_enabled: byRail((rail) => terms.railsEnabled.includes(rail)),
		notes: notesOn(terms),
	};
	const json = JSON.stringify(reply);
	return async () => ({ json, dataVersion: 0 });
}

const usdOf = (tier: Price): number => priceMicroUsd[tier] / 1_000_000;

const endpointsOf = (tier: Price): string[] =>
	httpOperations().flatMap(({ http }) => (http.price === tier ? [`${http.method} ${http.path}`] : []));

const byTier = <T>(of: (tier: Price) => T) =>
	Object.fromEntries(prices.map((tier) => [tier, of(tier)])) as Record<Price, T>;

const byRail = (of: (rail: (typeof railNames)[number]) => boolean) =>
	Object.fromEntries(railNames.map((rail) => [rail, of(rail)])) as Record<(typeof railNames)[number], boolean>;
