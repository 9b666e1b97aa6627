import { AppError, unavailable } from "#libs/contract/errors.ts";
import type { Charge, Offer, PaymentRefused, Rail } from "./rails/rail.ts";

const problemType = "https://paymentauth.org/problems/payment-required";

export class PaymentChallenge extends AppError {
	readonly #type: string;
	readonly #body: Record<string, unknown>;

	constructor(detail: string, type: string, headers: Record<string, string>, body: Record<string, unknown>) {
		super(402, detail, { headers: { ...headers, "content-type": "application/problem+json; charset=utf-8" } });
		this.#type = type;
		this.#body = body;
	}

	override toJSON() {
		return {
			type: this.#type,
			title: "Payment Required",
			status: 402,
			detail: this.message,
			code: this.code,
			...this.#body,
		};
	}
}

/**
 * The 402 that offers every enabled rail, or a 503 if no rail can make an offer. `refused`: why the request's payment was not accepted. Its
 * headers, such as the receipt of a failed settlement, are added. The function has no side effects.
 */
export async function challenge(rails: readonly Rail[], charge: Charge, refused?: PaymentRefused): Promise<AppError> {
	// A rail that cannot make an offer does not prevent the offers of others.
	const results = await Promise.all(
		rails.map(async (rail) => ({ rail, offer: await rail.offer(charge).catch(() => undefined) })),
	);
	const offers = results.filter((one): one is { rail: Rail; offer: Offer } => one.offer !== undefined);
	if (offers.length === 0)
		return unavailable("no payment is possible at the moment; a call with an API key needs none", 5);
	const usd = (charge.amountMicroUsd / 1e6).toFixed(2);
	const price = `${charge.method} ${charge.route} costs $${usd} without a key`;
	return new PaymentChallenge(
		`${refused === undefined ? price : `the payment was not accepted: ${refused.message}; ${price}`}. Pay by ${joinRailNames(offers)}, or get a free key at /register`,
		refused?.problem ?? problemType,
		{ ...Object.assign({}, ...offers.map(({ offer }) => offer.headers)), ...refused?.railHeaders },
		{
			...Object.assign({}, ...offers.map(({ offer }) => offer.body ?? {})),
			price_usd: charge.amountMicroUsd / 1e6,
			rails: Object.fromEntries(offers.map(({ rail, offer }) => [rail.name, offer.hint])),
		},
	);
}

const joinRailNames = (offers: { rail: Rail }[]): string => offers.map(({ rail }) => rail.name).join(", ");
