import { z } from "zod";
import { count, timestamp } from "../envelopes.ts";
import { event } from "../event.ts";
import { railNames } from "../vocabulary.ts";

/** `id` is unique among all replicas and starts. Names no address and no parameter. */
const answeredRequest = z.strictObject({
	id: z.string().min(1).max(200),
	/** When its answer had gone out. */
	occurred_at: timestamp(),
	/** Null without a key. */
	account_id: z.int().min(1).nullable(),
	key_id: z.int().min(1).nullable(),
	operation: z.string().min(1).max(100),
	status: z.int().min(100).max(599),
	/** Whether it counts against the monthly quota. */
	counted: z.boolean(),
	/** How it was paid for, where it was. */
	rail: z.enum(railNames).nullable(),
	/** Millionths of a US dollar; 0 for what was not paid for by itself. */
	paid_micro_usd: count(),
	duration_ms: z.number().min(0),
});

/**
 * What one gateway has answered since it last said so. The one event that is not flat: of one message each, JetStream's share of a
 * request was larger than the gateway's own. `version` is always 1.
 */
export const usageRecorded = event({
	publisher: "gateway",
	name: "usage.recorded",
	summary: "Requests were answered.",
	payload: { requests: z.array(answeredRequest).min(1).max(1_000) },
});
