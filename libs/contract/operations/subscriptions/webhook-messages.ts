/** Messages of webhooks: `{type, timestamp, data}` as defined by Standard Webhooks 1.0. */
import { z } from "zod";
import { count, day, timestamp } from "../../envelopes.ts";
import { type CloudEventAttributes, cloudEvent } from "../../events/cloud-event.ts";
import { examples } from "../../events/examples.ts";
import { project } from "../../records/project.ts";
import { reachedUsage } from "../access/billing-fields.ts";
import { change } from "../history/change.ts";

const watchlist = z.int().describe("Number of the watchlist that the webhook follows");
const changeData = {
	...change.shape,
	project: project
		.nullable()
		.optional()
		.describe("With include_row: the request after the change; null for a change of many requests"),
};

const changes = {
	after: count().describe("The changes after this `seq` are counted"),
	next: count().describe("Last `seq` that is counted"),
	watchlist_id: watchlist.nullable(),
	total: count().describe("Number of changes"),
	by_change_type: z.record(z.string(), count()),
	by_region: z.record(z.string(), count()),
	entered: count().describe("Requests that entered the watchlist"),
	left: count().describe("Requests that left the watchlist"),
	rows: z.array(change.extend({ event: z.enum(["entered", "left"]).nullable() })).describe("The first of the changes"),
	rows_left_out: count().describe("Changes that are counted and not shown"),
};
const digest = z.strictObject({
	from_day: day().describe("The first day that it covers; earlier than `day` if it covers several days"),
	day: day().describe("The day that ended, UTC"),
	...changes,
});

/** Data of a message about several changes: the counts, and the first few changes. */
export type ChangesData = z.output<z.ZodObject<typeof changes>>;

const { id: _id, occurred_at: _at, version: _version, ...bare } = examples.changeRecorded;
const recorded = { ...bare, project: examples.projectChanged.project };
const timestampOf = recorded.detected_at;
const countedChanges = {
	after: 48210,
	next: 48211,
	watchlist_id: null,
	total: 1,
	by_change_type: { study_phase_change: 1 },
	by_region: { ERCOT: 1 },
	entered: 0,
	left: 0,
	rows: [{ ...bare, event: null }],
	rows_left_out: 0,
};

/** Messages by type. `data`: schema; `example`: an invented message. */
export const webhookMessages = {
	"change.recorded": {
		summary: "A change that matches the webhook's filters or watchlist.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist.optional() }),
		example: { type: "change.recorded", timestamp: timestampOf, data: recorded },
	},
	"watchlist.entered": {
		summary: "A change that brought a request into the watchlist.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist }),
		example: { type: "watchlist.entered", timestamp: timestampOf, data: { ...recorded, watchlist_id: 7 } },
	},
	"watchlist.left": {
		summary: "A change that removed a request from the watchlist.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist }),
		example: { type: "watchlist.left", timestamp: timestampOf, data: { ...recorded, watchlist_id: 7 } },
	},
	"digest.daily": {
		summary:
			"The changes of a day, or of all days since the digest before, counted, and the first of them, in place of one message each.",
		data: digest,
		example: {
			type: "digest.daily",
			timestamp: "2026-03-02T00:00:00Z",
			data: { from_day: "2026-03-01", day: "2026-03-01", ...countedChanges },
		},
	},
	"changes.recorded": {
		summary: "The changes since the message before, together: what Slack, Teams and e-mail show without a digest.",
		data: z.strictObject(changes),
		example: { type: "changes.recorded", timestamp: timestampOf, data: countedChanges },
	},
	"usage.reached": {
		summary: "The account has used half, four fifths or all of its queries of a month: once for each share and limit.",
		data: z.strictObject(reachedUsage),
		example: {
			type: "usage.reached",
			timestamp: "2026-03-19T14:02:10Z",
			data: { plan: "Free", month: "2026-03", share: 0.8, used: 40, monthly_queries: 50 },
		},
	},
	"webhook.test": {
		summary: "The test message of POST /webhooks/{webhook_id}/test.",
		data: z.strictObject({
			webhook_id: z.int().min(1).describe("Number of the webhook"),
			url: z.string().describe("Its address"),
		}),
		example: {
			type: "webhook.test",
			timestamp: timestampOf,
			data: { webhook_id: 3, url: "https://example.com/energy-changes" },
		},
	},
	"webhook.challenge": {
		summary:
			"The first message to a new address: respond 2xx with `challenge` as the body, or as a field of a JSON body.",
		data: z.strictObject({
			webhook_id: z.int().min(1).describe("Number of the webhook"),
			url: z.string().describe("The address to be verified"),
			challenge: z.string().describe("Value that the response must repeat"),
		}),
		example: {
			type: "webhook.challenge",
			timestamp: timestampOf,
			data: {
				webhook_id: 3,
				url: "https://example.com/energy-changes",
				challenge: "q0Zx4bYt3mJw8nVh2cLr6sKd9fGp1aUe",
			},
		},
	},
} as const satisfies Record<string, { summary: string; data: z.ZodType; example: object }>;

export type WebhookType = keyof typeof webhookMessages;

export const webhookBody = (type: WebhookType) =>
	z.strictObject({
		type: z.literal(type),
		timestamp: timestamp().describe("When the change occurred, not when the message was sent"),
		data: webhookMessages[type].data,
	});

/** The CloudEvents attributes of a message. The ID is the `webhook-id`: each webhook's message about a change has a different one. */
export function webhookCloudEvent(
	id: string,
	{ type, timestamp, data }: { type: string; timestamp: string; data: object },
): CloudEventAttributes {
	const declared = { publisher: "subscriptions", name: type as WebhookType, about: "project_id" } as const;
	return cloudEvent(declared, { ...data, id, occurred_at: timestamp });
}
