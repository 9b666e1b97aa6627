/** Messages of webhooks: `{type, timestamp, data}` by Standard Webhooks 1.0. Documented where the interface has webhooks. */
import { z } from "zod";
import { count, day, timestamp } from "../../envelopes.ts";
import { type CloudEventAttributes, cloudEvent } from "../../events/cloud-event.ts";
import { examples } from "../../events/examples.ts";
import { project } from "../../records/project.ts";
import { change } from "../history/change.ts";

const watchlist = z.int().describe("Of a webhook that follows a watchlist: its number");
const changeData = {
	...change.shape,
	project: project
		.nullable()
		.optional()
		.describe("With include_row: the request as it was after the change; null of a change of many requests"),
};

const digest = z.strictObject({
	day: day().describe("The day that ended, UTC"),
	after: count().describe("The changes after this `seq` are counted"),
	next: count().describe("Up to this one"),
	watchlist_id: watchlist.nullable(),
	total: count().describe("Changes of the day"),
	by_change_type: z.record(z.string(), count()),
	by_region: z.record(z.string(), count()),
	entered: count().describe("Requests that came into the watchlist"),
	left: count().describe("Requests that went out of it"),
	rows: z.array(change.extend({ event: z.enum(["entered", "left"]).nullable() })).describe("The first of the changes"),
	rows_left_out: count().describe("Changes that are counted and not shown"),
});

const { id: _id, occurred_at: _at, version: _version, ...bare } = examples.changeRecorded;
const recorded = { ...bare, project: examples.projectChanged.project };
const timestampOf = recorded.detected_at;

/** By type. `data`: its schema; `example`: one whole message, invented. */
export const webhookMessages = {
	"change.recorded": {
		summary: "A change that the webhook's filters, or its watchlist, choose.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist.optional() }),
		example: { type: "change.recorded", timestamp: timestampOf, data: recorded },
	},
	"watchlist.entered": {
		summary: "A change by which a request came into the watchlist.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist }),
		example: { type: "watchlist.entered", timestamp: timestampOf, data: { ...recorded, watchlist_id: 7 } },
	},
	"watchlist.left": {
		summary: "A change by which a request went out of the watchlist.",
		data: z.strictObject({ ...changeData, watchlist_id: watchlist }),
		example: { type: "watchlist.left", timestamp: timestampOf, data: { ...recorded, watchlist_id: 7 } },
	},
	"digest.daily": {
		summary: "The changes of a day, counted, and the first of them, in place of one message each.",
		data: digest,
		example: {
			type: "digest.daily",
			timestamp: "2026-03-02T00:00:00Z",
			data: {
				day: "2026-03-01",
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
			},
		},
	},
	"webhook.test": {
		summary: "What POST /webhooks/{webhook_id}/test sends.",
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
		summary: "The first message to a new address: answer 2xx with `challenge` as the body, or in it as JSON.",
		data: z.strictObject({
			webhook_id: z.int().min(1).describe("Number of the webhook"),
			url: z.string().describe("The address that is to prove itself"),
			challenge: z.string().describe("What the answer repeats"),
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
		timestamp: timestamp().describe("When it happened, not when it is sent"),
		data: webhookMessages[type].data,
	});

/** The attributes of CloudEvents of a message: its id is `webhook-id`, as the same change has another id for each webhook. */
export function webhookCloudEvent(
	id: string,
	{ type, timestamp, data }: { type: string; timestamp: string; data: object },
): CloudEventAttributes {
	const declared = { publisher: "subscriptions", name: type as WebhookType, about: "project_id" } as const;
	return cloudEvent(declared, { ...data, id, occurred_at: timestamp });
}
