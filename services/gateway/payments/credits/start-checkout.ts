/** Sells credits to a person: returns an empty token and the address of the processor's page. The webhook credits the payment to the token. */
import type Stripe from "stripe";
import { unavailable } from "#libs/contract/errors.ts";
import type { Handler, Reply } from "#libs/contract/index.ts";
import { makeSecret } from "#libs/contract/key.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { RequestBilling } from "../billing.ts";
import { describeFailure } from "./stripe.ts";
import { storablePart } from "./token.ts";

export interface StartCheckoutDeps {
	stripe: Stripe;
	requestBilling: RequestBilling;
	publicUrl: string | undefined;
	log: Pick<Logger, "error">;
}

/** The addresses to which the processor's page returns. */
export const checkoutPages = { paid: "/credits/paid", left: "/credits/not-paid" } as const;
/** Metadata by which the webhook finds the token: its hash, which is unique even if installations share a Stripe account. */
export const tokenField = "credits_sha256";
export const amountField = "amount_cents";

export function startCheckout({ stripe, requestBilling, publicUrl, log }: StartCheckoutDeps): Handler<"startCheckout"> {
	return async ({ amount_usd }, { http }) => {
		const base = publicUrl ?? siteAddress(http?.headers.host);
		const token = makeSecret("cr_");
		const storableToken = storablePart(token);
		// The token must exist before it can be paid for.
		await requestBilling("openCredits", storableToken);
		const metadata = { [tokenField]: storableToken.sha256, [amountField]: String(amount_usd * 100) };
		const session = await stripe.checkout.sessions
			.create({
				mode: "payment",
				allowed_payment_method_types: ["card"],
				// The charge must be in dollars, which are credited, even if the page would offer another currency.
				adaptive_pricing: { enabled: false },
				line_items: [
					{
						quantity: 1,
						price_data: {
							currency: "usd",
							unit_amount: amount_usd * 100,
							product_data: { name: `Prepaid credits, $${amount_usd}` },
						},
					},
				],
				metadata,
				payment_intent_data: { metadata },
				success_url: base + checkoutPages.paid,
				cancel_url: base + checkoutPages.left,
			})
			.catch((error: unknown) => {
				log.error({ reason: describeFailure(error) }, "a checkout could not be opened");
				throw unavailable("the card processor is unavailable; nothing is charged", 5);
			});
		if (session.url === null) throw unavailable("the card processor returned no payment page; nothing is charged", 5);
		const reply: Reply<"startCheckout"> = {
			token,
			balance_usd: 0,
			hint: storableToken.hint,
			checkout_url: session.url,
		};
		return { json: JSON.stringify(reply), headers: { "cache-control": "no-store" } };
	};
}

/** The address of this service from the Host header, which can be trusted here, because only the caller's own browser is redirected. */
function siteAddress(host: string | string[] | undefined): string {
	const url = typeof host === "string" && URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
	if (url === undefined) return "http://localhost";
	const isLocal = url.hostname === "localhost" || url.hostname === "[::1]" || url.hostname.startsWith("127.");
	return `${isLocal ? "http" : "https"}://${url.host}`;
}
