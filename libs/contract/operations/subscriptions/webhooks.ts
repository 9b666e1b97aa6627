/**
 * Webhooks: changes are sent to an address chosen by the account, signed according to Standard Webhooks 1.0, in order of `seq`, at least
 * once.
 */
import { z } from "zod";
import { count, named, page, quantity, timestamp } from "../../envelopes.ts";
import { gatewayOperation, subscriptionsOperation } from "../../operation.ts";
import { choice, flag, integer, listParams, none, refuse, several, words } from "../../params.ts";
import {
	type ChangeType,
	changeTypes,
	deliveryStates,
	deliveryTypes,
	listings,
	webhookEvents,
	webhookFormats,
} from "../../vocabulary.ts";
import { changedRequestFilters, refuseContradictions } from "../projects/project.ts";
import { watchlistId, webhookNotice } from "./subscription.ts";

type SentType = Exclude<ChangeType, "raw_update">;
const sentTypes = changeTypes.filter((type) => type !== "raw_update") as [SentType, ...SentType[]];
const webhookId = () => integer(1, Number.MAX_SAFE_INTEGER).describe("Number of a webhook of the account");
const deliveryId = () => integer(1, Number.MAX_SAFE_INTEGER).describe("Number of a delivery of the webhook");
const seq = (description: string) => integer(0, Number.MAX_SAFE_INTEGER).describe(description);

const filters = () =>
	z
		.strictObject(
			{
				...changedRequestFilters,
				change_type: several(choice(sentTypes))
					.optional()
					.describe("Kind of change; raw_update is only in the log and its streams"),
				listed: several(choice(listings)).optional().describe("Whether the newest list shows the request"),
			},
			{ error: "must be an object of filters" },
		)
		.superRefine(refuseContradictions)
		.describe("Filters as in /changes, of the request after the change; cannot be combined with watchlist_id");

const url = () =>
	z
		.string({ error: "must be an address, https://..." })
		.max(2_000, "must have at most 2000 characters")
		.describe("Address for deliveries: https, public, no redirects; or mailto: and an e-mail address");
const format = () =>
	choice(webhookFormats).describe(
		"json: signed messages for programs; slack, teams: texts for an incoming webhook there; email: mails",
	);
const includeRow = () => flag().describe("Whether each change has the request after it, as `project`");
const events = () =>
	several(choice(webhookEvents)).describe(
		"What is sent: changes; usage, a message when half, four fifths or all of the queries of a month are used",
	);
const digest = () =>
	choice(["daily"]).describe("One delivery a day (UTC) with counts and rows, instead of one for each change");

const oneSource = (
	params: { filters?: object | undefined; watchlist_id?: number | null | undefined },
	context: z.RefinementCtx,
) => {
	if (params.filters !== undefined && params.watchlist_id != null)
		refuse(context, "filters", "cannot be combined with watchlist_id, which has its own");
};

const webhook = named("Webhook", {
	webhook_id: z.int().min(1),
	url: z.string(),
	format: z.enum(webhookFormats),
	filters: z.looseObject({}).nullable().describe("Null: every change, or those of the watchlist"),
	watchlist_id: z.int().nullable(),
	include_row: z.boolean(),
	digest: z.enum(["daily"]).nullable(),
	events: z.array(z.enum(webhookEvents)).describe("What is sent"),
	enabled: z.boolean(),
	proven: z
		.boolean()
		.describe(
			"Whether its address has echoed the challenge, or the link in the mail was opened; Slack and Teams need neither",
		),
	disabled_at: timestamp().nullable(),
	disabled_reason: z.string().nullable().describe("Why deliveries stopped; null while they go on"),
	seq: count().describe("Changes up to this one were processed"),
	pending: count().describe("Deliveries that were not yet accepted"),
	old_secret_until: timestamp().nullable().describe("Until when a replaced secret also signs deliveries"),
	created_at: timestamp(),
});
const secret = z.string().describe("`whsec_...`: verifies signatures. It is shown only once");

const delivery = named("Delivery", {
	delivery_id: z.int().min(1),
	message_id: z.string().describe("The header `webhook-id`: the same in every attempt"),
	type: z.enum(deliveryTypes),
	seq: count()
		.nullable()
		.describe("Number of the change; for a digest, of its last change; null for usage, a test or a challenge"),
	status: z.enum(deliveryStates).describe("pending: it waits for earlier deliveries or for its next attempt"),
	attempts: count().describe("Number of attempts"),
	latency_ms: quantity("ms", "Response time of the last attempt").nullable(),
	answer_status: z
		.int()
		.nullable()
		.describe("HTTP or SMTP status of the last attempt; null if no response was received"),
	answer_start: z.string().nullable().describe("First bytes of the response body, as text"),
	error: z.string().nullable().describe("Why the last attempt failed"),
	created_at: timestamp(),
	last_attempt_at: timestamp().nullable().describe("Time of the last attempt"),
	next_attempt_at: timestamp().nullable().describe("Null: none is due, or the webhook is disabled"),
});

export const createWebhook = subscriptionsOperation({
	summary:
		"Sends changes, from now on or from a `seq`, to an address that echoes a challenge, to Slack or Teams, or as mails once the link in the first one was opened. The response contains the signing secret, shown only once.",
	params: z
		.strictObject({
			url: url(),
			format: format()
				.optional()
				.describe("email for a mailto: address, else json, when absent; slack and teams take only addresses there"),
			filters: filters().optional(),
			watchlist_id: watchlistId()
				.optional()
				.describe("Changes of this watchlist's requests, and requests that enter or leave it"),
			include_row: includeRow().default(true),
			digest: digest()
				.nullable()
				.optional()
				.describe("daily (when absent, for e-mail): one delivery a day (UTC), with counts and rows; null: at once"),
			events: events().default(["changes"]),
			after: seq("Starts after this `seq`; when absent, with the next change").optional(),
		})
		.superRefine(oneSource),
	reply: webhook.extend({ secret }),
	http: { method: "POST", path: "/webhooks", price: "free", needsKey: true },
	example: { url: "https://example.com/energy-changes", filters: { region: ["PJM"], fuel_type: ["Solar"] } },
});

export const listWebhooks = subscriptionsOperation({
	summary: "The account's webhooks, oldest first, a page at a time.",
	params: listParams({}, 200),
	reply: page(webhook),
	http: { method: "GET", path: "/webhooks", price: "free", needsKey: true },
	example: {},
});

export const getWebhook = subscriptionsOperation({
	summary: "One webhook: its progress, and why it was disabled.",
	params: z.strictObject({ webhook_id: webhookId() }),
	reply: webhook,
	http: { method: "GET", path: "/webhooks/{webhook_id}", price: "free", needsKey: true },
	example: { webhook_id: 1 },
});

export const changeWebhook = subscriptionsOperation({
	summary: "Changes or re-enables a webhook; pending deliveries are then sent.",
	params: z
		.strictObject({
			webhook_id: webhookId(),
			url: url().optional(),
			format: format().optional(),
			filters: filters().nullable().optional().describe("New filters; null: every change, or those of the watchlist"),
			watchlist_id: watchlistId().nullable().optional().describe("A watchlist instead of filters; null: none"),
			include_row: includeRow().optional(),
			digest: digest().nullable().optional().describe("daily: one delivery a day; null: at once"),
			events: events().optional(),
			enabled: flag()
				.optional()
				.describe("false stops deliveries; true sends pending ones at once, except usage of earlier months"),
		})
		.superRefine((params, context) => oneSource({ ...params, filters: params.filters ?? undefined }, context)),
	reply: webhook,
	http: { method: "PATCH", path: "/webhooks/{webhook_id}", price: "free", needsKey: true },
	example: { webhook_id: 1, enabled: true },
});

export const deleteWebhook = subscriptionsOperation({
	summary: "Deletes a webhook with its deliveries.",
	params: z.strictObject({ webhook_id: webhookId() }),
	reply: none,
	http: { method: "DELETE", path: "/webhooks/{webhook_id}", price: "free", needsKey: true },
	example: { webhook_id: 1 },
});

export const testWebhook = subscriptionsOperation({
	summary:
		"Sends a signed test, or the challenge if it was not yet echoed (for e-mail, the link again), at once in a single attempt, and returns the result.",
	params: z.strictObject({ webhook_id: webhookId() }),
	reply: delivery,
	http: { method: "POST", path: "/webhooks/{webhook_id}/test", price: "free", needsKey: true },
	example: { webhook_id: 1 },
});

export const rotateWebhook = subscriptionsOperation({
	summary: "Creates a new secret, shown only once; for 24 hours deliveries are also signed with the old one.",
	params: z.strictObject({ webhook_id: webhookId() }),
	reply: webhook.extend({ secret }),
	http: { method: "POST", path: "/webhooks/{webhook_id}/rotate", price: "free", needsKey: true },
	example: { webhook_id: 1 },
});

export const replayWebhook = subscriptionsOperation({
	summary: "Sends the changes after a `seq` again in order, then continues; each keeps its `webhook-id`.",
	params: z.strictObject({ webhook_id: webhookId(), after: seq("`seq` of the change before the first to send again") }),
	reply: webhook,
	http: { method: "POST", path: "/webhooks/{webhook_id}/replay", price: "free", needsKey: true },
	example: { webhook_id: 1, after: 0 },
});

export const listDeliveries = subscriptionsOperation({
	summary: "Deliveries of a webhook with their results, newest first, a page at a time.",
	params: listParams(
		{
			webhook_id: webhookId(),
			status: choice(deliveryStates).optional().describe("State of the delivery"),
		},
		200,
	),
	reply: page(delivery),
	http: { method: "GET", path: "/webhooks/{webhook_id}/deliveries", price: "free", needsKey: true },
	example: { webhook_id: 1 },
});

export const redeliver = subscriptionsOperation({
	summary: "Sends a delivery again, before pending ones; it keeps its `webhook-id`.",
	params: z.strictObject({ webhook_id: webhookId(), delivery_id: deliveryId() }),
	reply: delivery,
	http: {
		method: "POST",
		path: "/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver",
		price: "free",
		needsKey: true,
	},
	example: { webhook_id: 1, delivery_id: 1 },
});

const mailToken = () => words(1, 100).describe("Token of the links in the mails of a webhook");
const mailReply = z.strictObject({
	email: z.string().describe("The address"),
	note: z.string().describe("What happens next"),
});

export const confirmAlerts = gatewayOperation({
	summary: "Confirms by the token of a mailed link that its address receives changes by e-mail. Idempotent.",
	params: z.strictObject({ token: mailToken() }),
	reply: mailReply,
	http: { method: "POST", path: "/alerts/confirm", price: "free" },
	example: { token: "ml_0000000000000000000000000000000000000q" },
});

export const stopAlerts = gatewayOperation({
	summary:
		"Ends the mails of a webhook by the token in each of them, also as one-click unsubscribe (RFC 8058). Idempotent.",
	params: z.strictObject({ token: mailToken() }),
	reply: mailReply,
	http: { method: "POST", path: "/unsubscribe/{token}", price: "free", ignoresBody: true },
	example: { token: "ml_0000000000000000000000000000000000000q" },
});

export const openAlertLink = subscriptionsOperation({
	summary: "Confirms an e-mail address of a webhook, or ends its mails, by the token in them: bus-only. Idempotent.",
	params: z.strictObject({ token: mailToken(), action: z.enum(["confirm", "stop"]) }),
	reply: mailReply,
});

export const listNotices = subscriptionsOperation({
	summary: "The webhooks of an account that were disabled because deliveries failed: bus-only.",
	params: z.strictObject({ account_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
	reply: z.strictObject({ notices: z.array(webhookNotice) }),
});

export const deleteSubscriptions = subscriptionsOperation({
	summary: "Deletes all webhooks, watchlists and saved queries of an account: bus-only. Idempotent.",
	params: z.strictObject({ account_id: z.int().min(1).max(Number.MAX_SAFE_INTEGER) }),
	reply: none,
});
