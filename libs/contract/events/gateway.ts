import { z } from "zod";
import { count } from "../envelopes.ts";
import { event } from "../event.ts";
import { railNames } from "../vocabulary.ts";

/** One answered request. `id` is the request's, unique among all replicas and starts; `version` is always 1. Names no address and no parameter. */
export const usageRecorded = event({
	publisher: "gateway",
	name: "usage.recorded",
	summary: "A request was answered.",
	payload: {
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
	},
});
