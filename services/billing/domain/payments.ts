/** Decides what a payment in the ledger pays for when a client presents it again. Pure. */
import type { PaymentState } from "#libs/contract/vocabulary.ts";

/** Maximum times that a lost paid response is produced again. Each costs the service as much as the first. */
export const maxDeliveries = 3;
/** How long one request has the exclusive right to deliver a response (ms). */
export const deliveryLeaseMs = 60_000;
/** How long paid responses are cached, or produced again if they are too large for the cache (ms). Both need the payer's identifier. */
export const responseCacheMs = 24 * 3_600_000;
/** How long one charge covers a file, in whole or in parts (ms). */
export const coverageMs = 24 * 3_600_000;
/** Age at which an unfinished claim is abandoned (ms): longer than any request may take at the gateway. */
export const abandonAfterMs = 5 * 60_000;
/** Age at which a debit whose delivery the gateway has not confirmed is refunded (ms). Long responses are confirmed when they begin. */
export const refundUndeliveredAfterMs = 3_600_000;
/** How long a charged response that was not delivered can still be requested (ms). */
export const redeliverableMs = 7 * 24 * 3_600_000;
/** Time after which a gateway requests the outcome of a charge from the rail, if the gateway that began it has not reported one (ms). */
export const outcomeCheckAfterMs = 30_000;
/** Maximum pause between two requests for an outcome (s). */
export const maxLeaseSeconds = 3_600;

/** A payment of the ledger, compared with the request that presents it. */
export interface PresentedPayment {
	state: Exclude<PaymentState, "released">;
	/** Payment and request have the same payer and identifier, and the payment has not failed. */
	same_identifier: boolean;
	/** The request presents a new payment, but this earlier payment by the same payer for the same request has not been answered. */
	unanswered: boolean;
	same_credential: boolean;
	same_resource: boolean;
	delivered: boolean;
	deliveries: number;
	leased: boolean;
	cached: boolean;
	/**
	 * Settled within the last `responseCacheMs`, so a delivered response that was too large for the cache is produced again. False for
	 * credits: a client that disconnected during the second response would get a refund, and have the first response for free.
	 */
	repeatable: boolean;
	/** The request is for a file, and the payment was settled for a file within the last `coveredMs`. */
	covers: boolean;
	/** Settled within the last `owedMs`, so an undelivered response is still owed. Purchased credits are always owed. */
	owed: boolean;
	/** Claimed by this same request, which did not receive the reply and repeats the call. */
	own: boolean;
}

export type Verdict = "claimed" | "answered" | "covered" | "deliver" | "pending" | "used" | "conflict";

/**
 * @param isVerified whether the gateway has just verified the credential, which proves that the client is the payer. Otherwise only the
 * credential of the first claim proves it: a payer's address and identifier are not secret.
 */
export function resolveReplay(payment: PresentedPayment, isVerified: boolean): Verdict {
	if (payment.same_identifier && !payment.same_resource) return "conflict";
	if (payment.state === "failed") return "used";
	if (payment.state === "claimed" && payment.own && payment.same_credential) return "claimed";
	if (payment.state !== "settled") return "pending";
	const isIdentified = payment.same_identifier && (isVerified || payment.same_credential);
	if (!payment.same_resource || !(isIdentified || payment.unanswered || payment.same_credential)) return "used";
	if (payment.covers) return "covered";
	if (isIdentified && payment.cached) return "answered";
	if (payment.delivered && !(isIdentified && payment.repeatable)) return "used";
	if (!payment.owed) return "used";
	if (payment.leased) return "pending";
	return payment.deliveries < maxDeliveries ? "deliver" : "used";
}
