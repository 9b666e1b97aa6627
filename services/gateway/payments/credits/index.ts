/**
 * Prepaid credits, and the rail `card` that spends them, because a card cannot be charged amounts as small as a call's price. The claim
 * debits the credits and `payments/settle.ts` makes the debit final, so the rail settles nothing.
 */

import { randomUUID } from "node:crypto";
import { incidentOf } from "#libs/bus/incident.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { creditAmountsUsd } from "#libs/contract/vocabulary.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import type { RequestBilling } from "../billing.ts";
import { realmOf } from "../rails/mpp-credential.ts";
import { PaymentRefused, type Rail } from "../rails/rail.ts";
import { buyCredits } from "./buy-credits.ts";
import { checkoutHint, creditOffers } from "./offers.ts";
import { type ReconcilePurchase, reconcilePurchase } from "./purchases.ts";
import { type CreditSales, changeCredits, getCredits, notSelling } from "./sales.ts";
import { startCheckout } from "./start-checkout.ts";
import { connectStripe } from "./stripe.ts";
import { readCreditToken } from "./token.ts";
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
	requestBilling: RequestBilling;
	log: Pick<Logger, "info" | "warn" | "error">;
	now?: () => Date;
	/** Longest wait for the processor (ms). */
	stripeTimeoutMs?: number;
}

export function openCreditSales(options: CreditSalesOptions): CreditSales {
	const { config, requestBilling, log, now = () => new Date(), stripeTimeoutMs: timeoutMs } = options;
	const { STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_NETWORK_ID, MPP_SECRET_KEY } = config;
	if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET || !STRIPE_NETWORK_ID || !MPP_SECRET_KEY)
		return notSelling(requestBilling);
	const stripe = connectStripe({
		secretKey: STRIPE_SECRET_KEY,
		apiUrl: config.STRIPE_API_URL,
		...(timeoutMs && { timeoutMs }),
	});
	const unsignedIncident = incidentOf({ log, message: "webhooks without a valid signature are refused" });
	const realm = realmOf(config);
	const offers = creditOffers({ stripe, realm, secretKey: MPP_SECRET_KEY, networkId: STRIPE_NETWORK_ID, now });
	return {
		rail: openCard(reconcilePurchase(stripe, requestBilling)),
		handlers: {
			buyCredits: buyCredits({ stripe, offers, requestBilling, secretKey: MPP_SECRET_KEY, log, now }),
			startCheckout: startCheckout({ stripe, requestBilling, publicUrl: config.PUBLIC_URL, log }),
			getCredits: getCredits(requestBilling),
			changeCredits: changeCredits(requestBilling),
		},
		receiveEvent: (body, signature) =>
			receiveEvent(body, signature, {
				requestBilling,
				webhookSecret: STRIPE_WEBHOOK_SECRET,
				log,
				unsignedIncident,
				now,
			}),
	};
}

const hint = {
	send: "Authorization: Bearer cr_...",
	top_up: { method: "POST", path: "/credits", amounts_usd: creditAmountsUsd, with: "MPP stripe/charge" },
	checkout: checkoutHint,
	balance: { method: "GET", path: "/credits" },
};

/** The rail `card`. Purchases of credits are card payments in the same ledger, so `reconcile` has to find their outcome too. */
function openCard(reconcilePurchase: ReconcilePurchase): Rail {
	return {
		name: "card",
		async offer() {
			return { headers: {}, hint };
		},
		read: readCreditToken,
		identifierOf: () => null,
		async validate(token) {
			if (!isSecret(token, "cr_")) throw new PaymentRefused("it is not a credit token");
			return {
				network: "stripe",
				payer: null,
				// Random, because each call is a separate debit of the token.
				nonce: randomUUID(),
				stored: "{}",
				creditsSha256: digestOf(token),
			};
		},
		claimOf: () => undefined,
		async settle() {
			return { outcome: "settled", reference: "credits", headers: {} };
		},
		async reconcile(stored, ageSeconds) {
			// A payment that is not a purchase is a debit that is not final: its call was not completed, so the debit is given back.
			const purchase = await reconcilePurchase(stored, ageSeconds);
			return purchase ?? { outcome: "failed", reason: "the call was not completed", headers: {} };
		},
		// A receipt has no headers: GET /credits returns the balance.
		receipt: () => ({}),
	};
}
