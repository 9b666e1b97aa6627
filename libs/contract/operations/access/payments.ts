/**
 * The ledger of payments, for the gateway; available on the bus only. Amounts are in millionths of a US dollar. Secrets are passed as their SHA-256
 * only.
 */

import { z } from "zod";
import { count, sha256 } from "../../envelopes.ts";
import { billingOperation } from "../../operation.ts";
import { none } from "../../params.ts";
import { paymentStates, railNames } from "../../vocabulary.ts";
import { amount, id, microUsd } from "./billing-fields.ts";

/** SHA-256 of an exported file. One counted query or one payment covers the file for a day. */
const file = sha256();

export const listCoveredFiles = billingOperation({
	summary: "SHA-256 of the files that an account was charged for in the last 24 hours by the same request.",
	params: z.strictObject({ account_id: id, resource: sha256() }),
	reply: z.strictObject({ sha256: z.array(sha256()) }),
});

export const coverFile = billingOperation({
	summary:
		"Covers a file for an account for 24 hours, unless it is covered already; one of several concurrent requests succeeds.",
	params: z.strictObject({ account_id: id, resource: sha256(), sha256: file }),
	reply: z.strictObject({ covered_before: z.boolean() }),
});

const claim = z.discriminatedUnion("outcome", [
	/** The payment is claimed for this request: run the handler, then settle. */
	z.strictObject({ outcome: z.literal("claimed"), payment_id: id }),
	/** The payment was charged earlier, but the response was not delivered: run the handler, and do not settle again. */
	z.strictObject({ outcome: z.literal("deliver"), payment_id: id, reference: z.string() }),
	/** The payment was charged for a file less than 24 hours ago, and covers the same file, in whole or in part. */
	z.strictObject({ outcome: z.literal("covered"), payment_id: id, reference: z.string(), file }),
	/** An earlier payment had the same identifier and request: its cached response, with the body in base64. */
	z.strictObject({
		outcome: z.literal("answered"),
		payment_id: id,
		reference: z.string(),
		status: z.int(),
		content_type: z.string(),
		body: z.string(),
	}),
	/** The payment has been used, or has failed permanently. */
	z.strictObject({ outcome: z.literal("used"), state: z.enum(paymentStates) }),
	/** The payment is being used, or the outcome of its charge is not yet known. */
	z.strictObject({ outcome: z.literal("pending"), state: z.enum(paymentStates) }),
	/** The identifier was used for a different request. */
	z.strictObject({ outcome: z.literal("conflict") }),
	z.strictObject({ outcome: z.literal("insufficient"), balance_micro_usd: microUsd() }),
	/** The charge would exceed the daily cap of the credits. */
	z.strictObject({ outcome: z.literal("capped"), daily_cap_micro_usd: microUsd(), spent_micro_usd: microUsd() }),
]);

export const claimPayment = billingOperation({
	summary: "Makes a payment this request's, once among all replicas. Credits are debited with it.",
	params: z.strictObject({
		rail: z.enum(railNames),
		/** CAIP-2 network, or the processor. */
		network: z.string().min(1).max(60),
		payer: z.string().max(200).nullable(),
		/** Identifies, within the rail, the authorization that can be charged only once. */
		nonce: z.string().min(1).max(300),
		/** The caller's identifier for the purchase, unique to the payer (x402 `payment-identifier`). */
		identifier: z.string().max(128).nullable(),
		/** Hash of the credential as the caller sent it; a repeated request has the same one. */
		credential_sha256: sha256(),
		operation: z.string().min(1).max(100),
		/** SHA-256 of the operation and its parameters. */
		resource: sha256(),
		amount_micro_usd: amount,
		/** JSON that the rail needs to settle the payment or to look up its outcome. Deleted once the outcome is known. */
		stored: z.string().max(20_000),
		request_id: z.string().max(100),
		/** The credit token to debit (card rail only). */
		credits_sha256: sha256().nullable(),
		/** Whether to only look for a payment that has already been claimed with this credential, without claiming one. */
		only_again: z.boolean(),
		/** Whether the request is for a file, which this payment or an earlier charge of these credits may cover. */
		may_be_covered: z.boolean().optional(),
	}),
	reply: claim,
});

export const beginSettlement = billingOperation({
	summary:
		"The charge may happen from here on; if it is not finished, its outcome is requested later. 409 unless it is claimed.",
	params: z.strictObject({
		payment_id: id,
		/** Identifies the claim, so that a repeated call does not conflict. */
		request_id: z.string().max(100).optional(),
	}),
	reply: none,
});

export const finishPayment = billingOperation({
	summary:
		"Records the outcome of a payment. Repeating it changes nothing; a known outcome is never replaced by another.",
	params: z.strictObject({
		payment_id: id,
		state: z.enum(["settled", "failed", "unknown"]),
		/** Transaction hash, or the processor's ID of the payment. */
		reference: z.string().max(300).nullable(),
		delivered: z.boolean(),
		/** SHA-256 of the charged file; absent for other operations. */
		file: file.optional(),
	}),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const storePaidResponse = billingOperation({
	summary: "Caches the response of a payment with an identifier for 24 hours, for a caller that did not receive it.",
	params: z.strictObject({
		payment_id: id,
		status: z.int().min(200).max(599),
		content_type: z.string().max(200),
		/** Base64 of at most 2 MiB. */
		body: z.string().max(2_800_000),
	}),
	reply: none,
});

export const releasePayment = billingOperation({
	summary: "Releases an uncharged payment; a debit is refunded. Only from `claimed`, or for credits before delivery.",
	params: z.strictObject({ payment_id: id }),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const returnPayment = billingOperation({
	summary:
		"A paid response was interrupted: credits are refunded, any other payment is valid for the same request again.",
	params: z.strictObject({
		payment_id: id,
		/** Whether no byte of the response was sent, so that it does not count as delivered. */
		unsent: z.boolean().default(false),
	}),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const claimUnsettled = billingOperation({
	summary: "Payments whose outcome has to be requested, each leased to one gateway; releases abandoned claims.",
	params: z.strictObject({
		limit: z.int().min(1).max(100),
		lease_seconds: z.int().min(1).max(600).meta({ "x-unit": "s" }),
	}),
	reply: z.strictObject({
		payments: z.array(
			z.strictObject({
				payment_id: id,
				rail: z.enum(railNames),
				network: z.string(),
				nonce: z.string(),
				amount_micro_usd: amount,
				stored: z.string(),
				/** Time since the charge began (s). */
				age_seconds: count().meta({ "x-unit": "s" }),
			}),
		),
	}),
});
