/** Operations of billing for the gateway: bus-only. Amounts are millionths of a US dollar; secrets are passed as their SHA-256 only. */
import { z } from "zod";
import { count, day, timestamp } from "../../envelopes.ts";
import { operation } from "../../operation.ts";
import { isoDate } from "../../params.ts";
import { mostDailyQueries, paymentStates, planNames, railNames } from "../../vocabulary.ts";
import { keyGrant } from "./grant.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hexadecimal");
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const hint = z.string().min(1).max(40);
const amount = z.int().min(1).max(1_000_000_000).meta({ "x-unit": "micro-USD" });
const microUsd = () => count().meta({ "x-unit": "micro-USD" });
const grant = z.strictObject(keyGrant);

const dailyQueries = z.int().min(1).max(mostDailyQueries).nullable();

const issued = z.strictObject({
	key_id: id,
	account_id: id,
	plan: z.enum(planNames),
	monthly_queries: count().nullable(),
	per_minute: count().nullable(),
	daily_queries: count().nullable(),
	created_at: timestamp(),
});

export const resolveKey = operation({
	owner: "billing",
	summary: "The account, plan and limits of the key with this hash; null for an unknown key.",
	params: z.strictObject({ sha256 }),
	reply: z.strictObject({ grant: grant.nullable() }),
});

export const issueKey = operation({
	owner: "billing",
	summary: "Opens a free account with its key, whatever accounts have the address; idempotent.",
	params: z.strictObject({
		email: z.string().max(254),
		name: z.string().max(100).nullable(),
		sha256,
		hint,
		daily_queries: dailyQueries.optional(),
	}),
	reply: issued,
});

export const replaceKey = operation({
	owner: "billing",
	summary:
		"A new key for the account of a live one, which expires when its grace ends. 409 for a key that was replaced before.",
	params: z.strictObject({
		key_id: id,
		sha256,
		hint,
		grace_seconds: z.int().min(0).max(604_800).meta({ "x-unit": "s" }),
	}),
	reply: issued.extend({ replaces: z.string(), old_key_works_until: timestamp() }),
});

export const capKey = operation({
	owner: "billing",
	summary: "Sets or lifts the cap of a key: queries that it may take in a day (UTC).",
	params: z.strictObject({ key_id: id, daily_queries: dailyQueries }),
	reply: z.strictObject({ hint: z.string(), daily_queries: count().nullable() }),
});

export const endKey = operation({
	owner: "billing",
	summary: "Revokes a key. Revoking it again changes nothing.",
	params: z.strictObject({ key_id: id }),
	reply: z.strictObject({ hint: z.string(), revoked_at: timestamp() }),
});

export const describeUsage = operation({
	owner: "billing",
	summary: "Usage of a key's account this month, from the ledger.",
	params: z.strictObject({ key_id: id, by_day_and_operation: z.boolean().optional() }),
	reply: z.strictObject({
		key: z.strictObject({ hint: z.string(), created_at: timestamp(), expires_at: timestamp().nullable() }),
		month: z.string(),
		counted: count(),
		last_24_hours: count(),
		by_operation: z.array(z.strictObject({ operation: z.string(), requests: count(), counted: count() })),
		by_day: z.array(z.strictObject({ day: day(), requests: count(), counted: count() })),
		/** Counted today, of a key with a cap. */
		key_today: count().nullable().optional(),
		/** Where it was asked for. */
		by_day_and_operation: z
			.array(z.strictObject({ day: day(), operation: z.string(), requests: count(), counted: count() }))
			.nullable()
			.optional(),
	}),
});

export const countUsage = operation({
	owner: "billing",
	summary: "Queries of an account in a month (`YYYY-MM`, UTC) that count against its quota, from the ledger.",
	params: z.strictObject({ account_id: id, month: z.string().regex(/^\d{4}-\d{2}$/) }),
	reply: z.strictObject({ counted: count() }),
});

export const countKeyUsage = operation({
	owner: "billing",
	summary: "Queries of a key in a day (`YYYY-MM-DD`, UTC) that count against its cap, from the ledger.",
	params: z.strictObject({ key_id: id, day: isoDate() }),
	reply: z.strictObject({ counted: count() }),
});

/** Ids of `usage.recorded` events. */
const usageIds = z.array(z.string().min(1).max(200)).max(1_000);

export const listRecordedUsage = operation({
	owner: "billing",
	summary: "Those of these events of usage that are in the ledger.",
	params: z.strictObject({ ids: usageIds }),
	reply: z.strictObject({ ids: usageIds }),
});

/** SHA-256 of a file of an export, which one counted query or one payment covers for a day. */
const file = sha256;

export const listCoveredFiles = operation({
	owner: "billing",
	summary: "SHA-256 of the files that an account was charged for in the last 24 hours by the same request.",
	params: z.strictObject({ account_id: id, resource: sha256 }),
	reply: z.strictObject({ sha256: z.array(sha256) }),
});

export const coverFile = operation({
	owner: "billing",
	summary:
		"Covers a file for an account for 24 hours, unless it is covered already; one of several concurrent requests succeeds.",
	params: z.strictObject({ account_id: id, resource: sha256, sha256: file }),
	reply: z.strictObject({ covered_before: z.boolean() }),
});

const claim = z.discriminatedUnion("outcome", [
	/** Claimed for this request: run the handler, then settle. */
	z.strictObject({ outcome: z.literal("claimed"), payment_id: id }),
	/** Charged before, and its response was not delivered: run the handler, do not settle again. */
	z.strictObject({ outcome: z.literal("deliver"), payment_id: id, reference: z.string() }),
	/** Charged for a file less than 24 hours ago: covers the same file again, in whole or in parts. */
	z.strictObject({ outcome: z.literal("covered"), payment_id: id, reference: z.string(), file }),
	/** The same identifier and the same request: the cached response, with its body in base64. */
	z.strictObject({
		outcome: z.literal("answered"),
		payment_id: id,
		reference: z.string(),
		status: z.int(),
		content_type: z.string(),
		body: z.string(),
	}),
	/** It was used, or failed for good. */
	z.strictObject({ outcome: z.literal("used"), state: z.enum(paymentStates) }),
	/** It is being used, or its charge's outcome is not known yet. */
	z.strictObject({ outcome: z.literal("pending"), state: z.enum(paymentStates) }),
	/** The identifier was used for another request. */
	z.strictObject({ outcome: z.literal("conflict") }),
	z.strictObject({ outcome: z.literal("insufficient"), balance_micro_usd: microUsd() }),
	/** The cap of the credits for a day does not allow it. */
	z.strictObject({ outcome: z.literal("capped"), daily_cap_micro_usd: microUsd(), spent_micro_usd: microUsd() }),
]);

export const claimPayment = operation({
	owner: "billing",
	summary: "Makes a payment this request's, once among all replicas. Credits are debited with it.",
	params: z.strictObject({
		rail: z.enum(railNames),
		/** CAIP-2 network, or the processor. */
		network: z.string().min(1).max(60),
		payer: z.string().max(200).nullable(),
		/** Unique within the rail: what can be charged once. */
		nonce: z.string().min(1).max(300),
		/** The caller's identifier for the purchase, unique to the payer (x402 `payment-identifier`). */
		identifier: z.string().max(128).nullable(),
		/** Hash of the credential as sent: a repeated request has the same. */
		credential_sha256: sha256,
		operation: z.string().min(1).max(100),
		/** SHA-256 of the operation and its parameters. */
		resource: sha256,
		amount_micro_usd: amount,
		/** JSON that the rail needs to settle the payment, or to request its outcome. Deleted when the outcome is known. */
		stored: z.string().max(20_000),
		request_id: z.string().max(100),
		/** The credit token to debit (card rail only). */
		credits_sha256: sha256.nullable(),
		/** Only finds a payment that was claimed before with this credential; never claims. */
		only_again: z.boolean(),
		/** The request is for a file, which an earlier charge of these credits or this payment may cover. */
		may_be_covered: z.boolean().optional(),
	}),
	reply: claim,
});

export const beginSettlement = operation({
	owner: "billing",
	summary:
		"The charge may happen from here on; if it is not finished, its outcome is requested later. 409 unless it is claimed.",
	params: z.strictObject({
		payment_id: id,
		/** Identifies the claim, so that a repeated call is no conflict. */
		request_id: z.string().max(100).optional(),
	}),
	reply: z.strictObject({}),
});

export const finishPayment = operation({
	owner: "billing",
	summary:
		"Records the outcome of a payment. Repeating it changes nothing; a known outcome is never replaced by another.",
	params: z.strictObject({
		payment_id: id,
		state: z.enum(["settled", "failed", "unknown"]),
		/** Transaction hash or the processor's id. */
		reference: z.string().max(300).nullable(),
		delivered: z.boolean(),
		/** SHA-256 of the file that was charged for; absent for other operations. */
		file: file.optional(),
	}),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const keepPaidAnswer = operation({
	owner: "billing",
	summary: "Caches the response of a payment with an identifier for 24 hours, for a caller that did not receive it.",
	params: z.strictObject({
		payment_id: id,
		status: z.int().min(200).max(599),
		content_type: z.string().max(200),
		/** Base64; at most 2 MiB of body. */
		body: z.string().max(2_800_000),
	}),
	reply: z.strictObject({}),
});

export const releasePayment = operation({
	owner: "billing",
	summary: "Releases an uncharged payment; a debit is refunded. Only from `claimed`, or for credits before delivery.",
	params: z.strictObject({ payment_id: id }),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const returnPayment = operation({
	owner: "billing",
	summary:
		"A paid response was interrupted: credits are refunded, any other payment is valid for the same request again.",
	params: z.strictObject({
		payment_id: id,
		/** No byte was sent: it does not count as a delivery. */
		unsent: z.boolean().default(false),
	}),
	reply: z.strictObject({ state: z.enum(paymentStates) }),
});

export const takeUnsettled = operation({
	owner: "billing",
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
				/** How long ago the charge was begun (s). */
				age_seconds: count().meta({ "x-unit": "s" }),
			}),
		),
	}),
});

export const openCredits = operation({
	owner: "billing",
	summary: "A credit token without a balance.",
	params: z.strictObject({ sha256, hint }),
	reply: z.strictObject({ credits_id: id, created_at: timestamp() }),
});

export const addCredits = operation({
	owner: "billing",
	summary:
		"Credits a purchase to a token, once for a payment intent and once for a processor's event, however often and in which order they arrive.",
	params: z.strictObject({
		credits_id: id,
		amount_micro_usd: amount,
		payment_intent: z.string().min(1).max(200),
		event_id: z.string().min(1).max(200).nullable(),
	}),
	reply: z.strictObject({ balance_micro_usd: microUsd(), added: z.boolean() }),
});

export const reverseCredits = operation({
	owner: "billing",
	summary:
		"Voids what was refunded or disputed of a purchase of credits, as far as they are not spent; once, however often and in which order the sums are reported, also before the purchase.",
	params: z.strictObject({
		payment_intent: z.string().min(1).max(200),
		/** Everything by now, each. */
		refunded_micro_usd: microUsd(),
		disputed_micro_usd: microUsd(),
	}),
	reply: z.strictObject({
		voided_micro_usd: microUsd(),
		/** Reversed credits that had been spent. */
		spent_micro_usd: microUsd(),
	}),
});

export const readCredits = operation({
	owner: "billing",
	summary: "The balance of a credit token; null for an unknown token.",
	params: z.strictObject({ sha256 }),
	reply: z.strictObject({
		credits: z
			.strictObject({
				credits_id: id,
				hint: z.string(),
				balance_micro_usd: microUsd(),
				daily_cap_micro_usd: microUsd().nullable(),
				spent_today_micro_usd: microUsd(),
				created_at: timestamp(),
			})
			.nullable(),
	}),
});

export const capCredits = operation({
	owner: "billing",
	summary: "Sets or lifts the cap of a credit token: what may be spent of it in a day (UTC). 404 for an unknown token.",
	params: z.strictObject({ sha256, daily_cap_micro_usd: amount.nullable() }),
	reply: z.strictObject({}),
});
