/** Puts what was paid on a token, once a payment however often it is asked. */
import type { AskBilling } from "../billing.ts";
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
