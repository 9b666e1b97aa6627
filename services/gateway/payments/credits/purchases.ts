/** Puts a paid amount on its token, also for a purchase whose answer from the processor was lost. */
import type Stripe from "stripe";
import { z } from "zod";
import type { AskBilling } from "../billing.ts";
import type { Settlement } from "../rails/rail.ts";
import { findCharge } from "./stripe.ts";
import type { KnownToken } from "./token.ts";

export interface PaidIn {
	paymentIntent: string;
	/** Of the processor's message, where there was one. */
	eventId: string | null;
	amountCents: number;
}

export const microUsdOfCents = (cents: number): number => cents * 10_000;

/**
 * The token is opened by the first of these: the purchase, its repetition, or the job that finds out what became of it. Answers the
 * balance (micro-USD). @throws AppError what billing threw.
 */
export async function putCredits(ask: AskBilling, token: KnownToken, paid: PaidIn): Promise<number> {
	const { credits_id } = await ask("openCredits", token);
	const { balance_micro_usd } = await ask("addCredits", {
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

/** What the ledger keeps of a purchase until its outcome is known. No credential: the charge is looked for, never made again. */
export const writePurchase = (purchase: { challengeId: string; begunAt: Date }): string =>
	JSON.stringify({
		challenge_id: purchase.challengeId,
		begun_at: purchase.begunAt.toISOString(),
	} satisfies z.input<typeof stored>);

/** Undefined for what is no purchase. */
export type ReconcilePurchase = (text: string, ageSeconds: number) => Promise<Settlement | undefined>;

export function reconcilePurchase(stripe: Stripe, ask: AskBilling): ReconcilePurchase {
	return async (text, ageSeconds) => {
		const purchase = readStored(text);
		if (purchase === undefined) return undefined;
		const { challenge_id: challengeId, begun_at: begunAt } = purchase;
		const charged = await findCharge(stripe, { challengeId, begunAt }, ageSeconds);
		if (charged.outcome === "failed") return { ...charged, headers: {} };
		if (charged.outcome === "unknown") return charged;
		const { paymentIntent, amountCents, token } = charged;
		try {
			await putCredits(ask, token, { paymentIntent, eventId: null, amountCents });
		} catch {
			return { outcome: "unknown", reason: "charged, and billing did not take the credits: ask again" };
		}
		return { outcome: "settled", reference: paymentIntent, headers: {} };
	};
}

function readStored(text: string): z.output<typeof stored> | undefined {
	try {
		return stored.parse(JSON.parse(text));
	} catch {
		return undefined;
	}
}
