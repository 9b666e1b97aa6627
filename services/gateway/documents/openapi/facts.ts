import { creditAmountsUsd, priceMicroUsd } from "#libs/contract/vocabulary.ts";
import { type HttpOperation, isSold, usdOf, usdText } from "../../registry/bindings.ts";
import { isPayable, type Terms } from "../terms.ts";

const formNames = { atom: "an Atom feed", ics: "a calendar" };

export function factsOf({ operation, http }: HttpOperation, tool: string | undefined): string[] {
	return [
		`price ${usdOf(http.price)}`,
		...(http.needsKey ? ["needs a key"] : []),
		...(http.perMinute === undefined ? [] : [`${http.perMinute} requests a minute and address`]),
		...(operation.alsoAs ?? []).map((extension) => `also ${formNames[extension]}: ${http.path}.${extension}`),
		...(tool === undefined ? ["no tool"] : [`tool \`${tool}\``]),
		...(operation.streamed ? ["a file: ranges, ETag, HEAD for free; one charge covers it for a day"] : []),
	];
}

export interface PaymentInfo {
	price:
		| { mode: "fixed"; currency: "USD"; amount: string }
		| { mode: "dynamic"; currency: "USD"; min: string; max: string };
	protocols: object[];
	/** Amounts in the smallest unit of the currency (MPP's discovery draft). */
	offers?: object[];
}

export interface Payments extends Terms {
	/** Address of the token that the rail mpp accepts. */
	mppCurrency?: string | undefined;
}

/** Undefined if the operation requires no payment. Cards cannot pay for calls: they buy credits, at one operation, and credits pay for calls. */
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
		// Token and price both have six decimals.
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

/** Contact of the operator in OpenAPI and AsyncAPI. `publicUrl` is empty if it is not configured. */
export const contactOf = (
	email: string | undefined,
	publicUrl = "",
): { name: string; url?: string; email?: string } => ({
	name: "Operator of this service",
	...(publicUrl !== "" && { url: `${publicUrl}/docs` }),
	...(email !== undefined && { email }),
});
