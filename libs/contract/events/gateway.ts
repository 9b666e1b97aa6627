import { z } from "zod";
import { count, timestamp } from "../envelopes.ts";
import { railNames } from "../vocabulary.ts";
import { event } from "./event.ts";

/** A request that was answered. `id` is unique across replicas and restarts. Addresses and parameters are not included. */
const answeredRequest = z.strictObject({
	id: z.string().min(1).max(200),
	/** When the response had been completely sent. */
	occurred_at: timestamp(),
	/** Null without a key. */
	account_id: z.int().min(1).nullable(),
	key_id: z.int().min(1).nullable(),
	operation: z.string().min(1).max(100),
	status: z.int().min(100).max(599),
	/** Whether it counts against the monthly quota. */
	counted: z.boolean(),
	/** The payment rail; null if it was not paid. */
	rail: z.enum(railNames).nullable(),
	/** Millionths of a US dollar; 0 for a call that was not paid individually. */
	paid_micro_usd: count(),
	duration_ms: z.number().min(0),
});

/**
 * The requests that one gateway has answered since it last published this event. Unlike other events, it is not flat, because a message for each
 * request would cost JetStream more than the request costs the gateway. `version` is always 1.
 */
export const usageRecorded = event({
	publisher: "gateway",
	name: "usage.recorded",
	summary: "Requests were answered.",
	payload: { requests: z.array(answeredRequest).min(1).max(1_000) },
});
