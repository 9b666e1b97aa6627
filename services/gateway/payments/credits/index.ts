/**
 * Prepaid credits, and the rail `card` that spends them. The claim debits the credits and `payments/settle.ts` makes the debit final, so
 * the rail settles nothing. A card itself cannot be charged amounts as small as a call's price.
 */

import { randomUUID } from "node:crypto";
import { incidentOf } from "#libs/bus/incident.ts";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { creditAmountsUsd } from "#libs/contract/vocabulary.ts";
import type { Logger } from "#libs/service/logger.ts";
import type { Config } from "../../config.ts";
import type { AskBilling } from "../billing.ts";
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
	ask: AskBilling;
	log: Pick<Logger, "info" | "warn" | "error">;
	now?: () => Date;
	/** Longest wait for the processor (ms). */
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
	const unsigned = incidentOf({ log, message: "webhooks without a valid signature are refused" });
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

const hint = {
	send: "Authorization: Bearer cr_...",
	top_up: { method: "POST", path: "/credits", amounts_usd: creditAmountsUsd, with: "MPP stripe/charge" },
	checkout: checkoutHint,
	balance: { method: "GET", path: "/credits" },
};

/** Purchases of credits are card payments in the same ledger; `reconcilePurchase` finds their outcome. */
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
				// Each call is another debit, because a token is used many times.
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
			// A debit that is not final belongs to a call that was not completed, so it is given back.
			const purchase = await reconcilePurchase(stored, ageSeconds);
			return purchase ?? { outcome: "failed", reason: "the call was not completed", headers: {} };
		},
		// GET /credits shows the balance.
		receipt: () => ({}),
	};
}
