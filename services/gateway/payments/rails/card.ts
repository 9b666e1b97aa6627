/**
 * Prepaid credits, bought by card: each call takes its price from the token's balance. The claim of a payment is its charge, in one
 * transaction of billing, so there is nothing to settle after the handler; a card itself cannot be charged a cent.
 */
import { randomUUID } from "node:crypto";
import { digestOf, isSecret } from "#libs/contract/key.ts";
import { creditAmountsUsd } from "#libs/contract/vocabulary.ts";
import { checkoutHint } from "../credits/offers.ts";
import type { ReconcilePurchase } from "../credits/reconcile-purchase.ts";
import { readCreditToken } from "../credits/token.ts";
import { PaymentRefused, type Rail } from "./rail.ts";

const hint = {
	send: "Authorization: Bearer cr_...",
	top_up: { method: "POST", path: "/credits", amounts_usd: creditAmountsUsd, with: "MPP stripe/charge" },
	checkout: checkoutHint,
	balance: { method: "GET", path: "/credits" },
};

/** Purchases of credits are payments by card too, in the same ledger: `reconcilePurchase` finds out what became of those. */
export function openCard(reconcilePurchase: ReconcilePurchase): Rail {
	return {
		name: "card",
		async offer() {
			return { headers: {}, hint };
		},
		read: readCreditToken,
		identifierOf: () => null,
		async validate(token) {
			if (!isSecret(token, "cr_")) throw new PaymentRefused("it is no credit token");
			return {
				network: "stripe",
				payer: null,
				// Each call is a debit of its own: a token is used again and again.
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
			// A debit goes from claimed to settled at once. One that is asked after all the same was not delivered: back it goes.
			const purchase = await reconcilePurchase(stored, ageSeconds);
			return purchase ?? { outcome: "failed", reason: "the call was not completed", headers: {} };
		},
		// The balance is the receipt: GET /credits.
		receipt: () => ({}),
	};
}
