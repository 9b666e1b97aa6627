/** Fields that operations and events of billing share. */
import { z } from "zod";
import { count, day, share, timestamp } from "../../envelopes.ts";
import { planNames } from "../../vocabulary.ts";

/** Purposes of a mailed link: to verify the address, or to replace a lost key. */
export const mailPurposes = ["verify", "recover"] as const;

export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
/** Amount of a payment or purchase (millionths of a US dollar). */
export const amount = z.int().min(1).max(1_000_000_000).meta({ "x-unit": "micro-USD" });
export const microUsd = () => count().meta({ "x-unit": "micro-USD" });

/** The rights of a key. For limits, null means unlimited. */
export const keyGrant = {
	key_id: z.int().min(1),
	account_id: z.int().min(1),
	plan: z.enum(planNames),
	monthly_queries: count().nullable(),
	per_minute: count().nullable(),
	/** Maximum queries in a day (UTC). */
	daily_queries: count().nullable(),
	/** Time from which the key is refused; null: never. For a replaced key, the end of its grace period. */
	expires_at: timestamp().nullable(),
	revoked: z.boolean(),
};

/** Shares of a limit at which an alert is raised, in descending order. */
export const alertShares = [1, 0.8, 0.5] as const;

export const reachedUsage = {
	plan: z.enum(planNames).describe("Plan of the account"),
	month: z
		.string()
		.regex(/^\d{4}-\d{2}$/)
		.describe("Calendar month (UTC), YYYY-MM"),
	share: share("The share of the queries of the month that was reached: 0.5, 0.8 or 1"),
	used: count().describe("Queries of the month that count"),
	monthly_queries: count().describe("Queries that the plan allows in the month"),
};

export const emailAddress = () =>
	z.email({ error: "must be an e-mail address" }).max(254, "must have at most 254 characters");

/** Maximum requests that an account's export lists individually, newest first. */
export const maxExportedRequests = 5_000;

/** Everything that billing stores about an account, for its owner. */
export const accountRecord = {
	account: z
		.strictObject({
			account_id: z.int().min(1).describe("Number of the account"),
			email: z.string().nullable().describe("The account's e-mail address"),
			email_verified: z.boolean().describe("Whether a mailed link, or the operator, verified it"),
			name: z.string().nullable(),
			plan: z.enum(planNames),
			monthly_queries: count().nullable().describe("Queries a calendar month (UTC); null: unlimited"),
			per_minute: count().nullable().describe("Requests in any 60 seconds; null: unlimited"),
			created_at: timestamp(),
		})
		.describe("The account itself"),
	keys: z
		.array(
			z.strictObject({
				key_id: z.int().min(1),
				hint: z.string(),
				daily_queries: count().nullable().describe("Maximum queries of this key in a day (UTC); null: no cap"),
				created_at: timestamp(),
				expires_at: timestamp().nullable(),
				revoked_at: timestamp().nullable(),
				replaced_by: z.int().min(1).nullable().describe("`key_id` of the key that replaced it"),
			}),
		)
		.describe("Keys, without their secrets"),
	connections: z
		.array(
			z.strictObject({
				client_name: z.string().nullable().describe("As the assistant named itself"),
				key_id: z.int().min(1),
				connected_at: timestamp().describe("When the owner of the key consented"),
				expires_at: timestamp().describe("When the owner has to consent again"),
			}),
		)
		.describe("Assistants that are connected to `/mcp` by OAuth"),
	usage: z
		.array(z.strictObject({ day: day(), operation: z.string(), requests: count(), counted: count() }))
		.describe("By day (UTC) and operation, all months, oldest first"),
	requests_total: count().describe("Single requests that are stored"),
	requests: z
		.array(
			z.strictObject({
				request_id: z.string().describe("Id of its record in the ledger"),
				at: timestamp().describe("When it was answered"),
				key_id: z.int().min(1).nullable(),
				operation: z.string(),
				status: z.int(),
				counted: z.boolean(),
			}),
		)
		.max(maxExportedRequests)
		.describe(`The newest ${maxExportedRequests.toLocaleString("en-US")} of them, newest first`),
	mails: z
		.array(
			z.strictObject({
				purpose: z.enum(mailPurposes).describe("verify: the address; recover: a lost key"),
				email: z.string().nullable().describe("Recipient"),
				requested_at: timestamp().describe("When it was requested"),
				sent_at: timestamp().nullable().describe("When the mail server accepted it; null: not yet"),
			}),
		)
		.describe("Mails of the last three days"),
};
