/** Credits paid amounts to tokens, and reconciles purchases whose response from the processor was lost. */
import type Stripe from "stripe";
import { z } from "zod";
import type { RequestBilling } from "../billing.ts";
import type { Settlement } from "../rails/rail.ts";
import { findCharge } from "./stripe.ts";
import type { StorableToken } from "./token.ts";

export interface PaidIn {
	paymentIntent: string;
	eventId: string | null;
	amountCents: number;
}

export const microUsdOfCents = (cents: number): number => cents * 10_000;

/**
 * Creates the token if necessary, and credits it once for a payment. Returns the balance (micro-USD). @throws billing's AppError
 */
export async function putCredits(requestBilling: RequestBilling, token: StorableToken, paid: PaidIn): Promise<number> {
	const { credits_id } = await requestBilling("openCredits", token);
	const { balance_micro_usd } = await requestBilling("addCredits", {
		credits_id,
		amount_micro_usd: microUsdOfCents(paid.amountCents),
		payment_intent: paid.paymentIntent,
		event_id: paid.eventId,
	});
	return balance_micro_usd;
}

const stored = z.strictObject({
	challenge_id: z.string(),
	begun_at: z.iso.datetime().transform((text) => new Date(text)),
});

/** The JSON that is stored until the outcome of a purchase is known. It contains no credential: the charge is looked up, not repeated. */
export const writePurchase = (purchase: { challengeId: string; begunAt: Date }): string =>
	JSON.stringify({
		challenge_id: purchase.challengeId,
		begun_at: purchase.begunAt.toISOString(),
	} satisfies z.input<typeof stored>);

/** Finds the outcome of a purchase; undefined if the payment is not a purchase. */
export type ReconcilePurchase = (text: string, ageSeconds: number) => Promise<Settlement | undefined>;

export function reconcilePurchase(stripe: Stripe, requestBilling: RequestBilling): ReconcilePurchase {
	return async (text, ageSeconds) => {
		const purchase = parsePurchase(text);
		if (purchase === undefined) return undefined;
		const { challenge_id: challengeId, begun_at: begunAt } = purchase;
		const charged = await findCharge(stripe, { challengeId, begunAt }, ageSeconds);
		if (charged.outcome === "failed") return { ...charged, headers: {} };
		if (charged.outcome === "unknown") return charged;
		const { paymentIntent, amountCents, token } = charged;
		try {
			await putCredits(requestBilling, token, { paymentIntent, eventId: null, amountCents });
		} catch {
			return { outcome: "unknown", reason: "the card was charged, but billing did not record the credits: retry" };
		}
		return { outcome: "settled", reference: paymentIntent, headers: {} };
	};
}

function parsePurchase(text: string): z.output<typeof stored> | undefined {
	try {
		return stored.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}
