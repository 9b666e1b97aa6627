/** Decides what a payment that is in the ledger buys when it is presented again. Pure. */
import type { PaymentState } from "#libs/contract/vocabulary.ts";

/** How often a lost paid response is produced again: each time costs as much as the first. */
export const mostDeliveries = 3;
/** Lease of the one request that delivers a response (ms). */
export const deliveryMs = 60_000;
/** How long paid responses are cached, and how long one that was too large to cache is produced again for the payer's identifier (ms). */
export const responseCacheMs = 24 * 3_600_000;
/** How long one charge covers a file, in whole or in parts (ms). */
export const coveredMs = 24 * 3_600_000;
/** Age at which an unfinished claim is abandoned (ms): longer than any request may take at the gateway. */
export const abandonedMs = 5 * 60_000;
/** Age at which a debit whose delivery the gateway has not confirmed is refunded (ms). Long responses are confirmed when they begin. */
export const undeliveredMs = 3_600_000;
/** How long a charged response that was not delivered can still be requested (ms). */
export const owedMs = 7 * 24 * 3_600_000;
/** Age at which the outcome of a charge is requested from the rail (ms), when the gateway that began it has not reported one. */
export const settlingMs = 30_000;
/** Longest pause between two requests for an outcome (s). */
export const longestLeaseSeconds = 3_600;

/** A payment of the ledger compared with the request that presents it. */
export interface Presented {
	state: Exclude<PaymentState, "released">;
	/** Found by the payer's identifier for the purchase, not (only) by the nonce. */
	named: boolean;
	/** The payer presents another payment for the same request: the outcome of this one was not known in time, and its response is owed. */
	unanswered: boolean;
	same_credential: boolean;
	same_resource: boolean;
	delivered: boolean;
	deliveries: number;
	leased: boolean;
	cached: boolean;
	/**
	 * Settled so recently that its response would still be cached if it were short enough. False for credits: a client that disconnects while
	 * the response is produced again gets a refund, and would have the first response for free.
	 */
	repeatable: boolean;
	/** Settled for a file so recently that it covers the file, and the request is for a file. */
	covers: boolean;
	/** Settled so recently that an undelivered response is still owed. Purchased credits are owed without end. */
	owed: boolean;
	/** This same request claimed it and did not receive the reply. */
	own: boolean;
}

export type Verdict = "claimed" | "answered" | "covered" | "deliver" | "pending" | "used" | "conflict";

/**
 * `checked`: the credential has just been verified, so that the presenter is its payer. Otherwise only the credential of the
 * first claim proves that: a payer's address and an identifier are no secrets.
 */
export function resolveReplay(payment: Presented, checked: boolean): Verdict {
	if (payment.named && !payment.same_resource) return "conflict";
	if (payment.state === "failed") return "used";
	if (payment.state === "claimed" && payment.own && payment.same_credential) return "claimed";
	if (payment.state !== "settled") return "pending";
	const named = payment.named && (checked || payment.same_credential);
	if (!payment.same_resource || !(named || payment.unanswered || payment.same_credential)) return "used";
	if (payment.covers) return "covered";
	if (named && payment.cached) return "answered";
	if (payment.delivered && !(named && payment.repeatable)) return "used";
	if (!payment.owed) return "used";
	if (payment.leased) return "pending";
	return payment.deliveries < mostDeliveries ? "deliver" : "used";
}
