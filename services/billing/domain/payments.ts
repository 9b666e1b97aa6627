/** What a payment that is in the ledger is good for when it is presented again. Pure. */
import type { PaymentState } from "#libs/contract/vocabulary.ts";

/** How often an answer that was paid for and did not arrive is made anew: each time costs us what the first did. */
export const mostDeliveries = 3;
/** How long one request alone hands an answer over. */
export const deliveryMs = 60_000;
/** How long answers are kept, and how long one that was too long to keep is made anew for its payment's name. */
export const keptMs = 24 * 3_600_000;
/** How long a file goes again, in whole or in parts, to who was charged for it. */
export const coveredMs = 24 * 3_600_000;
/** A claim whose handler has not finished after so long never will: the gateway gives no request that long. */
export const forgottenMs = 5 * 60_000;
/** A debit whose answer nobody says was handed over goes back. What is long is said to be handed over when it begins. */
export const undeliveredMs = 3_600_000;
/** How long an answer that was charged and did not go out is owed. */
export const owedMs = 7 * 24 * 3_600_000;
/** A charge is asked after when whoever began it has had so long. */
export const settlingMs = 30_000;
/** Longest pause between two times that an outcome is asked for (s). */
export const longestLeaseSeconds = 3_600;

/** A row of the ledger, as far as it matters to who presents it. */
export interface Presented {
	state: Exclude<PaymentState, "released">;
	/** Found by the payer's own name for the purchase, not (only) by what can be charged once. */
	named: boolean;
	same_credential: boolean;
	same_resource: boolean;
	delivered: boolean;
	deliveries: number;
	/** Another request is making its answer. */
	leased: boolean;
	/** Its answer is kept. */
	kept: boolean;
	/**
	 * It was settled so lately that its answer would still be kept, had it been short enough. Never of credits: whoever leaves while
	 * their answer is made anew gets them back, and would have had the first answer for nothing.
	 */
	repeatable: boolean;
	/** It was settled for a file so lately that it covers it, and a file is asked for. */
	covers: boolean;
	/** It was settled so lately that what did not go out is still owed. What credits were bought with is owed for good. */
	owed: boolean;
	/** This very request claimed it, and did not hear so. */
	own: boolean;
}

export type Verdict = "claimed" | "answered" | "covered" | "deliver" | "pending" | "used" | "conflict";

/**
 * `checked`: the credential was found good just now, so that its payer is who presents it. Otherwise only the very credential
 * that was claimed before proves that: a payer's address and a name are no secret.
 */
export function resolveReplay(payment: Presented, checked: boolean): Verdict {
	if (payment.named && !payment.same_resource) return "conflict";
	if (payment.state === "failed") return "used";
	if (payment.state === "claimed" && payment.own && payment.same_credential) return "claimed";
	if (payment.state !== "settled") return "pending";
	const named = payment.named && (checked || payment.same_credential);
	if (!payment.same_resource || !(named || payment.same_credential)) return "used";
	if (payment.covers) return "covered";
	if (named && payment.kept) return "answered";
	if (payment.delivered && !(named && payment.repeatable)) return "used";
	if (!payment.owed) return "used";
	if (payment.leased) return "pending";
	return payment.deliveries < mostDeliveries ? "deliver" : "used";
}
