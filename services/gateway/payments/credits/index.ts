/** Prepaid credits as the gateway opens them: what is sold, how, and the rail that spends it. */
import { incidentOf } from "#libs/bus/incident.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import type { AskBilling } from "../billing.ts";
import { openCard } from "../rails/card.ts";
import { realmOf } from "../rails/mpp-credential.ts";
import { buyCredits } from "./buy-credits.ts";
import { changeCredits, getCredits } from "./get-credits.ts";
import { creditOffers } from "./offers.ts";
import { reconcilePurchase } from "./reconcile-purchase.ts";
import { type CreditSales, notSelling } from "./sales.ts";
import { startCheckout } from "./start-checkout.ts";
import { connectStripe } from "./stripe.ts";
import { receiveEvent } from "./webhook.ts";

export interface CreditSalesOptions {
	config: Pick<
		Config,
		| "STRIPE_SECRET_KEY"
		| "STRIPE_WEBHOOK_SECRET"
		| "STRIPE_NETWORK_ID"
		| "STRIPE_API_URL"
		| "MPP_SECRET_KEY"
		| "MPP_REALM"
		| "PUBLIC_URL"
	>;
	ask: AskBilling;
	log: Pick<Logger, "info" | "warn" | "error">;
	now?: () => Date;
	/** Longest wait for one answer of the processor (ms). */
	stripeTimeoutMs?: number;
}

export function openCreditSales(options: CreditSalesOptions): CreditSales {
	const { config, ask, log, now = () => new Date(), stripeTimeoutMs: timeoutMs } = options;
	const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_NETWORK_ID, MPP_SECRET_KEY } = config;
	if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !STRIPE_NETWORK_ID || !MPP_SECRET_KEY) return notSelling(ask);
	const stripe = connectStripe({
		secretKey: STRIPE_SECRET_KEY,
		apiUrl: config.STRIPE_API_URL,
		...(timeoutMs && { timeoutMs }),
	});
	const unsigned = incidentOf({ log, message: "webhooks without a good signature are refused" });
	const realm = realmOf(config);
	const offers = creditOffers({ stripe, realm, secretKey: MPP_SECRET_KEY, networkId: STRIPE_NETWORK_ID, now });
	return {
		rail: openCard(reconcilePurchase(stripe, ask)),
		handlers: {
			buyCredits: buyCredits({ stripe, offers, ask, secretKey: MPP_SECRET_KEY, log, now }),
			startCheckout: startCheckout({ stripe, ask, publicUrl: config.PUBLIC_URL, log }),
			getCredits: getCredits(ask),
			changeCredits: changeCredits(ask),
		},
		receiveEvent: (body, signature) =>
			receiveEvent(body, signature, { ask, webhookSecret: STRIPE_WEBHOOK_SECRET, log, unsigned, now }),
	};
}
