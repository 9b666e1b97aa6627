/** Fields that the operations on webhooks and watchlists share. */
import { z } from "zod";
import { named, timestamp } from "../../envelopes.ts";
import { integer } from "../../params.ts";

export const watchlistId = () => integer(1, Number.MAX_SAFE_INTEGER).describe("Number of a watchlist of the account");

/** Notice in `/usage` about a webhook that was disabled. */
export const webhookNotice = named("WebhookNotice", {
	webhook_id: z.int().min(1),
	url: z.string(),
	disabled_at: timestamp(),
	reason: z.string(),
});
