/** Shared by the operations on webhooks and watchlists. */
import { z } from "zod";
import { named, timestamp } from "../../envelopes.ts";
import { integer } from "../../params.ts";

export const watchlistId = () => integer(1, Number.MAX_SAFE_INTEGER).describe("Number of a watchlist of the account");

/** For a webhook that takes nothing any more: shown in `/usage`. */
export const webhookNotice = named("WebhookNotice", {
	webhook_id: z.int().min(1),
	url: z.string(),
	disabled_at: timestamp(),
	reason: z.string(),
});
