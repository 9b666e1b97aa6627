/** What a document says about paying for a call: `x-payment-info`, as agents' registries read it. */

import { creditAmountsUsd, priceMicroUsd } from "#libs/contract/vocabulary.ts";
import type { HttpOperation } from "../registry/bindings.ts";
import { isSold, usdText } from "../registry/money.ts";
import { isPayable, type Terms } from "./terms.ts";

export interface PaymentInfo {
	price:
		| { mode: "fixed"; currency: "USD"; amount: string }
		| { mode: "dynamic"; currency: "USD"; min: string; max: string };
	protocols: object[];
	/** MPP's discovery draft: amounts in the smallest unit of the currency. */
	offers?: object[];
}

export interface Payments extends Terms {
	/** Address of the token that the rail mpp is paid in. */
	mppCurrency?: string | undefined;
}

/** Undefined where nothing has to be paid. A card pays no single call: it buys credits, at one operation. */
export function paymentInfo({ http }: HttpOperation, payments: Payments): PaymentInfo | undefined {
	if (http.sellsCredits) return payments.railsEnabled.includes("card") ? creditsInfo() : undefined;
	if (!isSold(http) || !isPayable(payments)) return undefined;
	const { railsEnabled: rails, mppCurrency } = payments;
	const microUsd = priceMicroUsd[http.price];
	const mpp = { method: "tempo", intent: "charge" };
	return {
		price: { mode: "fixed", currency: "USD", amount: usdText(microUsd) },
		protocols: [
			...(rails.includes("x402") ? [{ x402: {} }] : []),
			...(rails.includes("mpp") ? [{ mpp: { ...mpp, currency: mppCurrency ?? "USD" } }] : []),
		],
		// The token has six decimals, as the price has.
		...(rails.includes("mpp") && {
			offers: [{ ...mpp, amount: String(microUsd), ...(mppCurrency !== undefined && { currency: mppCurrency }) }],
		}),
	};
}

function creditsInfo(): PaymentInfo {
	const charge = { method: "stripe", intent: "charge", currency: "usd" };
	return {
		price: {
			mode: "dynamic",
			currency: "USD",
			min: usdText(Math.min(...creditAmountsUsd) * 1_000_000),
			max: usdText(Math.max(...creditAmountsUsd) * 1_000_000),
		},
		protocols: [{ mpp: charge }],
		offers: creditAmountsUsd.map((usd) => ({ ...charge, amount: String(usd * 100) })),
	};
}
