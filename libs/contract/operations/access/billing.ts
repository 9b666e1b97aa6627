/**
 * Keys, usage and prepaid credits, for the gateway; available on the bus only. Amounts are in millionths of a US dollar. Secrets are passed as
 * their SHA-256 only.
 */
import { z } from "zod";
import { count, day, sha256, timestamp } from "../../envelopes.ts";
import { billingOperation } from "../../operation.ts";
import { isoDate, none } from "../../params.ts";
import { maxDailyQueries, planNames } from "../../vocabulary.ts";
import { accountRecord, amount, emailAddress, id, keyGrant, microUsd } from "./billing-fields.ts";

const hint = z.string().min(1).max(40);

const dailyQueries = z.int().min(1).max(maxDailyQueries).nullable();

const issued = z.strictObject({
	key_id: id,
	account_id: id,
	plan: z.enum(planNames),
	monthly_queries: count().nullable(),
	per_minute: count().nullable(),
	daily_queries: count().nullable(),
	created_at: timestamp(),
});

export const resolveKey = billingOperation({
	summary: "The account, plan and limits of the key with this hash; null for an unknown key.",
	params: z.strictObject({ sha256: sha256() }),
	reply: z.strictObject({ grant: z.strictObject(keyGrant).nullable() }),
});

export const issueKey = billingOperation({
	summary: "Opens a free account with its key, whatever accounts have the address; idempotent.",
	params: z.strictObject({
		email: z.string().trim().pipe(emailAddress()),
		name: z.string().max(100).nullable(),
		sha256: sha256(),
		hint,
		daily_queries: dailyQueries.optional(),
	}),
	reply: issued,
});

export const replaceKey = billingOperation({
	summary:
		"A new key for the account of a live one, which expires when its grace ends. 409 for a key that was replaced before.",
	params: z.strictObject({
		key_id: id,
		sha256: sha256(),
		hint,
		grace_seconds: z.int().min(0).max(604_800).meta({ "x-unit": "s" }),
	}),
	reply: issued.extend({ replaces: z.string(), old_key_works_until: timestamp() }),
});

export const capKey = billingOperation({
	summary: "Sets or lifts the cap of a key: queries that it may take in a day (UTC).",
	params: z.strictObject({ key_id: id, daily_queries: dailyQueries }),
	reply: z.strictObject({ hint: z.string(), daily_queries: count().nullable() }),
});

export const endKey = billingOperation({
	summary: "Revokes a key. Revoking it again changes nothing.",
	params: z.strictObject({ key_id: id }),
	reply: z.strictObject({ hint: z.string(), revoked_at: timestamp() }),
});

export const mailKeyLink = billingOperation({
	summary: "Mails a link that replaces the keys of the account with this verified address; nothing without one.",
	params: z.strictObject({ email: emailAddress() }),
	reply: none,
});

export const redeemKeyLink = billingOperation({
	summary: "Issues a key by the token of a mailed link, and revokes the account's others; idempotent for the same key.",
	params: z.strictObject({ token_sha256: sha256(), sha256: sha256(), hint }),
	reply: issued.extend({ revoked: z.array(z.string()) }),
});

export const redeemEmailLink = billingOperation({
	summary: "Verifies an address by the token of a mailed link.",
	params: z.strictObject({ token_sha256: sha256() }),
	reply: z.strictObject({ email: z.string() }),
});

export const describeAccount = billingOperation({
	summary: "Everything that billing stores about an account.",
	params: z.strictObject({ account_id: id }),
	reply: z.strictObject(accountRecord),
});

export const checkDeletion = billingOperation({
	summary: "Whether a text confirms the deletion of a key's account: its address, or the key's id. 422 otherwise.",
	params: z.strictObject({ key_id: id, confirm: z.string().min(1).max(254) }),
	reply: none,
});

export const closeAccount = billingOperation({
	summary:
		"Revokes all keys of an account and deletes what identifies its owner; its usage is deleted by a job. Idempotent.",
	params: z.strictObject({ account_id: id }),
	reply: z.strictObject({ deleted_at: timestamp() }),
});

export const describeUsage = billingOperation({
	summary: "Usage of a key's account this month, from the ledger.",
	params: z.strictObject({ key_id: id, by_day_and_operation: z.boolean().optional() }),
	reply: z.strictObject({
		key: z.strictObject({ hint: z.string(), created_at: timestamp(), expires_at: timestamp().nullable() }),
		email: z.string().nullable(),
		email_verified: z.boolean(),
		month: z.string(),
		counted: count(),
		last_24_hours: count(),
		by_operation: z.array(z.strictObject({ operation: z.string(), requests: count(), counted: count() })),
		by_day: z.array(z.strictObject({ day: day(), requests: count(), counted: count() })),
		/** Queries counted today, for a key with a cap. */
		key_today: count().nullable().optional(),
		/** Only if requested. */
		by_day_and_operation: z
			.array(z.strictObject({ day: day(), operation: z.string(), requests: count(), counted: count() }))
			.nullable()
			.optional(),
	}),
});

export const countUsage = billingOperation({
	summary: "Queries of an account in a month (`YYYY-MM`, UTC) that count against its quota, from the ledger.",
	params: z.strictObject({ account_id: id, month: z.string().regex(/^\d{4}-\d{2}$/) }),
	reply: z.strictObject({ counted: count() }),
});

export const countKeyUsage = billingOperation({
	summary: "Queries of a key in a day (`YYYY-MM-DD`, UTC) that count against its cap, from the ledger.",
	params: z.strictObject({ key_id: id, day: isoDate() }),
	reply: z.strictObject({ counted: count() }),
});

/** Ids of `usage.recorded` events. */
const usageIds = z.array(z.string().min(1).max(200)).max(1_000);

export const listRecordedUsage = billingOperation({
	summary: "Those of these events of usage that are in the ledger.",
	params: z.strictObject({ ids: usageIds }),
	reply: z.strictObject({ ids: usageIds }),
});

export const openCredits = billingOperation({
	summary: "A credit token without a balance.",
	params: z.strictObject({ sha256: sha256(), hint }),
	reply: z.strictObject({ credits_id: id, created_at: timestamp() }),
});

export const addCredits = billingOperation({
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

export const reverseCredits = billingOperation({
	summary:
		"Voids what was refunded or disputed of a purchase of credits, as far as they are not spent; once, however often and in which order the sums are reported, also before the purchase.",
	params: z.strictObject({
		payment_intent: z.string().min(1).max(200),
		/** Cumulative, as is `disputed_micro_usd`. */
		refunded_micro_usd: microUsd(),
		disputed_micro_usd: microUsd(),
	}),
	reply: z.strictObject({
		voided_micro_usd: microUsd(),
		/** Reversed credits that had been spent. */
		spent_micro_usd: microUsd(),
	}),
});

export const readCredits = billingOperation({
	summary: "The balance of a credit token; null for an unknown token.",
	params: z.strictObject({ sha256: sha256() }),
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

export const capCredits = billingOperation({
	summary: "Sets or lifts the cap of a credit token: what may be spent of it in a day (UTC). 404 for an unknown token.",
	params: z.strictObject({ sha256: sha256(), daily_cap_micro_usd: amount.nullable() }),
	reply: none,
});
