/** Fields that operations and events of billing share. */
import { z } from "zod";
import { count, timestamp } from "../../envelopes.ts";
import { planNames } from "../../vocabulary.ts";

export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
/** Amount of a payment or purchase, millionths of a US dollar. */
export const amount = z.int().min(1).max(1_000_000_000).meta({ "x-unit": "micro-USD" });
export const microUsd = () => count().meta({ "x-unit": "micro-USD" });

/** The rights of a key. Null: no limit. */
export const keyGrant = {
	key_id: z.int().min(1),
	account_id: z.int().min(1),
	plan: z.enum(planNames),
	monthly_queries: count().nullable(),
	per_minute: count().nullable(),
	/** Maximum queries in a day (UTC). */
	daily_queries: count().nullable(),
	/** Time from which the key is refused; null: never. For a replaced key, the end of its grace. */
	expires_at: timestamp().nullable(),
	revoked: z.boolean(),
};
