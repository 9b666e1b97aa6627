/** Keys, plans, usage, prices and prepaid credits. */
import { z } from "zod";
import { count, day, keyed, named, share, timestamp, usd } from "../../envelopes.ts";
import { billingOperation, gatewayOperation } from "../../operation.ts";
import { choice, decimal, integer, none, oneOf, words } from "../../params.ts";
import { creditAmountsUsd, graceSeconds, maxDailyQueries, planNames, prices, railNames } from "../../vocabulary.ts";
import { listSavedQueries } from "../query/saved-queries.ts";
import { webhookNotice } from "../subscriptions/subscription.ts";
import { listWatchlists } from "../subscriptions/watchlists.ts";
import { listWebhooks } from "../subscriptions/webhooks.ts";
import { accountRecord, emailAddress } from "./billing-fields.ts";

const capText =
	"Maximum queries of this key in a day (UTC); above it the response is 403, spend_cap_reached. null: no cap";
const dailyCap = () => count().nullable().describe("Maximum queries of this key in a day (UTC); null: no cap");

const issuedKey = named("IssuedKey", {
	key: z.string().describe("The key. It is shown only once: the service stores its SHA-256"),
	key_id: z.int(),
	hint: z.string().describe("Start and end of the key, by which later responses identify it"),
	plan: z.enum(planNames),
	monthly_queries: count().nullable().describe("Queries a calendar month (UTC); null: unlimited"),
	per_minute: count().nullable().describe("Requests in any 60 seconds; null: unlimited"),
	daily_queries: dailyCap(),
	created_at: timestamp(),
});

export const getRegisterPage = gatewayOperation({
	summary: "A page with a form that issues a free key.",
	params: none,
	reply: z.string(),
	http: { method: "GET", path: "/register", price: "free" },
	mediaType: "text/html; charset=utf-8",
});

export const register = gatewayOperation({
	summary: "Issues a free key, shown once. Takes JSON or a form.",
	params: z.strictObject({
		email: emailAddress().describe(
			"Where to reach you about the key. A link is mailed to verify it; each registration opens an account",
		),
		name: words(1, 100).optional().describe("You, your company or your agent"),
		daily_queries: integer(1, maxDailyQueries).optional().describe(capText),
	}),
	reply: issuedKey,
	http: { method: "POST", path: "/register", price: "free" },
	example: { email: "you@example.com", name: "Your agent" },
});

const mailed = z.strictObject({ note: z.string().describe("What happens next") });
const linkToken = () => words(1, 100).describe("Token of the link in the mail; valid once, for 24 hours");

export const requestKey = gatewayOperation({
	summary: "Replaces a lost key: mails a link to the address, if it is the verified address of an account.",
	params: z.strictObject({ email: emailAddress().describe("Verified e-mail address of the account") }),
	reply: mailed,
	http: { method: "POST", path: "/keys/recover", price: "free" },
	example: { email: "you@example.com" },
});

export const recoverKey = gatewayOperation({
	summary: "Issues a new key by the token of a mailed link, and revokes all other keys of the account.",
	params: z.strictObject({ token: linkToken() }),
	reply: issuedKey.extend({ revoked: z.array(z.string()).describe("Hints of the revoked keys") }),
	http: { method: "POST", path: "/keys/recover/confirm", price: "free" },
	example: { token: "ml_0000000000000000000000000000000000000q" },
});

export const verifyEmail = billingOperation({
	summary:
		"Mails a link that makes this address the account's verified one. A verified address is changed by the operator only.",
	params: z.strictObject({ email: emailAddress().describe("Address to verify") }),
	reply: mailed,
	http: { method: "POST", path: "/account/email", price: "free", needsKey: true },
	example: { email: "you@example.com" },
});

export const confirmEmail = gatewayOperation({
	summary: "Verifies an account's e-mail address by the token of a mailed link.",
	params: z.strictObject({ token: linkToken() }),
	reply: z.strictObject({
		email: z.string().describe("The verified address"),
		email_verified: z.literal(true).describe("Always true"),
	}),
	http: { method: "POST", path: "/account/email/confirm", price: "free" },
	example: { token: "ml_0000000000000000000000000000000000000q" },
});

export const exportAccount = gatewayOperation({
	summary:
		"Everything stored about the account of the key: keys, usage, watchlists, webhooks and saved queries. Deliveries are in /webhooks/{webhook_id}/deliveries.",
	params: none,
	reply: z.strictObject({
		...accountRecord,
		watchlists: listWatchlists.reply.shape.data.describe("As in /watchlists"),
		webhooks: listWebhooks.reply.shape.data.describe("As in /webhooks, without secrets"),
		saved_queries: listSavedQueries.reply.shape.data.describe("As in /queries"),
		notes: z.array(z.string()).describe("What is stored elsewhere, or without the account"),
	}),
	http: { method: "GET", path: "/account/export", price: "free", needsKey: true, perMinute: 20 },
});

export const deleteAccount = gatewayOperation({
	summary: "Deletes the account of the key, permanently: its keys, usage, watchlists, webhooks and saved queries.",
	params: z.strictObject({
		confirm: words(1, 254).describe("The account's e-mail address, or the `key_id` of the key that is sent"),
	}),
	reply: z.strictObject({
		deleted_at: timestamp().describe("When the account was deleted"),
		deleted: z.array(z.string()).describe("Data that is deleted"),
		retained: z.array(z.string()).describe("What is retained, and why"),
	}),
	http: { method: "DELETE", path: "/account", price: "free", needsKey: true },
	example: { confirm: "you@example.com" },
});

export const rotateKey = gatewayOperation({
	summary:
		"Replaces the key of this request by a new one with the same plan and counters; the old one works until its grace ends.",
	params: z.strictObject({
		grace_seconds: oneOf(graceSeconds).default(86_400).meta({
			description: "How long the old key still works: 0, 3600 (an hour), 86400 (a day) or 604800 (a week)",
			"x-unit": "s",
		}),
	}),
	reply: issuedKey.extend({ replaces: z.string(), old_key_works_until: timestamp() }),
	http: { method: "POST", path: "/keys/rotate", price: "free", needsKey: true },
	example: { grace_seconds: 3600 },
});

export const changeKey = gatewayOperation({
	summary: "Sets or removes the daily cap on queries of the key of this request.",
	params: z.strictObject({
		daily_queries: integer(1, maxDailyQueries).nullable().describe(capText),
	}),
	reply: z.strictObject({ hint: z.string(), daily_queries: dailyCap() }),
	http: { method: "PATCH", path: "/keys", price: "free", needsKey: true },
	example: { daily_queries: 20 },
});

export const revokeKey = gatewayOperation({
	summary: "Revokes the key of this request, immediately and permanently.",
	params: none,
	reply: z.strictObject({ hint: z.string(), revoked_at: timestamp() }),
	http: { method: "POST", path: "/keys/revoke", price: "free", needsKey: true, endsKey: true },
});

export const getUsage = gatewayOperation({
	summary: "Usage of the account this month, and the queries that remain.",
	params: z.strictObject({
		format: choice(["json", "csv"])
			.optional()
			.describe("json when absent; csv: this month by day and operation (day, operation, requests, counted)"),
	}),
	reply: z.strictObject({
		key: z.strictObject({ hint: z.string(), created_at: timestamp(), expires_at: timestamp().nullable() }),
		email: z.string().nullable().describe("The account's e-mail address"),
		email_verified: z
			.boolean()
			.describe("Whether a mailed link, or the operator, verified it: a lost key can be replaced"),
		plan: z.enum(planNames),
		month: z.string().describe("Calendar month in UTC, `YYYY-MM`"),
		used: count().describe("Queries that count against the month"),
		monthly_queries: count().nullable().describe("Null: unlimited"),
		remaining: count().nullable(),
		resets_at: timestamp(),
		per_minute: count().nullable(),
		key_day: z
			.strictObject({
				daily_queries: count().describe("The cap"),
				used: count().describe("Queries of today that count"),
				resets_at: timestamp(),
			})
			.nullable()
			.describe("Cap of this key for a day (UTC), and its use today; null without a cap"),
		last_24_hours: count().describe("Answered requests, including free ones and errors"),
		by_operation: z
			.array(z.strictObject({ operation: z.string(), requests: count(), counted: count() }))
			.describe("This month; the ledger is a few seconds behind"),
		by_day: z
			.array(z.strictObject({ day: day().describe("UTC"), requests: count(), counted: count() }))
			.describe("The days of this month with a request, oldest first"),
		alerts: z
			.array(
				z.strictObject({
					of: z.enum(["month", "key_day"]).describe("The queries of the month, or the cap of this key"),
					share: share("The highest of 0.5, 0.8 and 1 that was reached"),
					used: count().describe("Queries that count against it"),
					limit: count().describe("Queries that it allows"),
					resets_at: timestamp(),
				}),
			)
			.describe("Limits that are used by half or more"),
		notices: z
			.array(webhookNotice)
			.nullable()
			.describe("Webhooks that were disabled because their deliveries failed; null while this is unknown"),
	}),
	http: { method: "GET", path: "/usage", price: "free", needsKey: true },
	example: {},
});

const pricedEndpoints = z.strictObject({ price_usd: usd("Price of one call").min(0), endpoints: z.array(z.string()) });

export const getPricingInfo = gatewayOperation({
	summary: "What a call costs without a key, by tier and endpoint, and the ways to pay that are enabled.",
	params: none,
	reply: z.strictObject({
		pricing_by_tier: keyed(prices, z.strictObject({ price_usd: usd("Price of one call").min(0) })),
		endpoints: keyed(prices, pricedEndpoints),
		rails_enabled: keyed(railNames, z.boolean()),
		notes: z.array(z.string()).describe("Notes, as sentences"),
	}),
	http: { method: "GET", path: "/pricing-info", price: "free" },
});

const credits = {
	balance_usd: usd("Remaining balance").min(0),
	hint: z.string().describe("Start and end of the token, by which responses identify it"),
};

const describedCredits = z.strictObject({
	...credits,
	daily_cap_usd: usd("Cap on spending in a day (UTC); null: no cap").min(0).nullable(),
	spent_today_usd: usd("Spent since the day (UTC) began").min(0),
	created_at: timestamp(),
});

export const buyCredits = gatewayOperation({
	summary:
		"Sells prepaid credits to an agent: 402 with a card challenge (MPP stripe/charge), and with its payment the token.",
	params: z.strictObject({
		amount_usd: oneOf(creditAmountsUsd).meta({ description: "5, 20 or 50 US dollars", "x-unit": "USD" }),
	}),
	reply: z.strictObject({
		token: z.string().describe("The token, to send as `Authorization: Bearer cr_...`. It is shown only once"),
		...credits,
	}),
	http: { method: "POST", path: "/credits", price: "free", perMinute: 20, sellsCredits: true },
	example: { amount_usd: 5 },
});

export const startCheckout = gatewayOperation({
	summary:
		"Sells prepaid credits to a person: a token, and the page where a card pays for it. The token is empty until then.",
	params: buyCredits.params,
	reply: buyCredits.reply.extend({ checkout_url: z.url() }),
	http: { method: "POST", path: "/credits/checkout", price: "free", perMinute: 10 },
	example: buyCredits.example,
});

export const getCredits = gatewayOperation({
	summary: "The balance of the credit token of this request.",
	params: none,
	reply: describedCredits,
	http: { method: "GET", path: "/credits", price: "free", credential: "credits" },
});

export const changeCredits = gatewayOperation({
	summary: "Sets or removes the daily spending cap of the credit token of this request.",
	params: z.strictObject({
		daily_cap_usd: decimal(0.01, 1_000, "USD")
			.nullable()
			.describe(
				"Maximum spending in a day (UTC), to the cent; above it the response is 402, spend_cap_reached. null: no cap",
			),
	}),
	reply: describedCredits,
	http: { method: "PATCH", path: "/credits", price: "free", credential: "credits" },
	example: { daily_cap_usd: 1 },
});

export const listPlans = billingOperation({
	summary: "The plans of keys and their limits.",
	params: none,
	reply: z.strictObject({
		plans: z.array(
			z.strictObject({
				name: z.enum(planNames),
				monthly_queries: count().nullable().describe("Queries a calendar month (UTC); null: unlimited"),
				per_minute: count().nullable().describe("Requests in any 60 seconds; null: agreed one by one"),
				description: z.string(),
			}),
		),
		price_per_call_usd: keyed(prices, usd().min(0)).describe(
			"Price of one call without a key, if the server takes payments, by tier of /pricing-info. With a key, a priced call counts as one query",
		),
	}),
	http: { method: "GET", path: "/plans", price: "free" },
});
